// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is done to something that lives for long: library functions that take
// longer than a line needs to change hands many times, and words in the names
// of functions. Both the checks and layout ask here; header only, as
// KnownCalls.h is.

#ifndef LINESMAN_FACTS_LIFECYCLE_H
#define LINESMAN_FACTS_LIFECYCLE_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace linesman::facts {

/// Library functions that take 1.5 µs or more (test/bench/costly-calls.cpp):
/// fifteen times what a line takes to change hands (0.1 µs, docs/glossary.md).
/// What is done once for each of them costs a few percent, however many threads
/// meet there. They make names, files, mappings, sockets and processes, or give
/// them back, look names up, compile a pattern, or sleep. Not what is done with
/// an open file, and not what opens one only to look at it.
inline constexpr llvm::StringLiteral CostlyCalls[] = {"bind",
                                                      "clock_nanosleep",
                                                      "connect",
                                                      "daemon",
                                                      "dlclose",
                                                      "dlmopen",
                                                      "dlopen",
                                                      "fdatasync",
                                                      "fdopendir",
                                                      "fopen",
                                                      "fopen64",
                                                      "freopen",
                                                      "freopen64",
                                                      "fsync",
                                                      "ftruncate",
                                                      "ftruncate64",
                                                      "g_module_open",
                                                      "getaddrinfo",
                                                      "getgrgid",
                                                      "getgrgid_r",
                                                      "getgrnam",
                                                      "getgrnam_r",
                                                      "gethostbyaddr",
                                                      "gethostbyname",
                                                      "gethostbyname_r",
                                                      "getifaddrs",
                                                      "getnameinfo",
                                                      "getpwnam",
                                                      "getpwnam_r",
                                                      "getpwuid",
                                                      "getpwuid_r",
                                                      "getservbyname",
                                                      "glob",
                                                      "glob64",
                                                      "if_nametoindex",
                                                      "initgroups",
                                                      "link",
                                                      "mkdir",
                                                      "mkdtemp",
                                                      "mkfifo",
                                                      "mkstemp",
                                                      "mkstemp64",
                                                      "mlockall",
                                                      "mmap",
                                                      "mmap64",
                                                      "mount",
                                                      "mremap",
                                                      "msync",
                                                      "munmap",
                                                      "nanosleep",
                                                      "opendir",
                                                      "pclose",
                                                      "pipe",
                                                      "pipe2",
                                                      "pthread_create",
                                                      "realpath",
                                                      "regcomp",
                                                      "remove",
                                                      "rename",
                                                      "rmdir",
                                                      "scandir",
                                                      "scandir64",
                                                      "sem_open",
                                                      "shm_open",
                                                      "shm_unlink",
                                                      "shmat",
                                                      "shmdt",
                                                      "shmget",
                                                      "sleep",
                                                      "socket",
                                                      "socketpair",
                                                      "symlink",
                                                      "syncfs",
                                                      "thrd_create",
                                                      "tmpfile",
                                                      "tmpfile64",
                                                      "truncate",
                                                      "truncate64",
                                                      "umount",
                                                      "unlink",
                                                      "unlinkat",
                                                      "usleep",
                                                      "wait",
                                                      "wait4",
                                                      "waitpid"};

/// Functions of other libraries that take longer still: they ask a server and
/// wait for it, agree on keys, or read a whole database or document.
inline constexpr llvm::StringLiteral LongCalls[] = {
    "PQconnectdb",      "PQconnectdbParams",
    "PQexec",           "PQexecParams",
    "PQexecPrepared",   "PQprepare",
    "PQreset",          "PQsetdbLogin",
    "SQLConnect",       "SQLDriverConnect",
    "SQLExecDirect",    "SQLExecute",
    "SSL_CTX_new",      "SSL_accept",
    "SSL_connect",      "curl_easy_perform",
    "gnutls_handshake", "mysql_ping",
    "mysql_query",      "mysql_real_connect",
    "mysql_real_query", "mysql_stmt_execute",
    "res_query",        "res_search",
    "sqlite3_exec",     "sqlite3_open",
    "sqlite3_open_v2",  "xmlParseFile",
    "xmlParseMemory",   "xmlReadFile",
    "xmlReadMemory"};

inline bool isCostly(llvm::StringRef Callee) {
  return llvm::is_contained(CostlyCalls, Callee) ||
         llvm::is_contained(LongCalls, Callee);
}

/// Whether a word in a function's name says that it starts or ends a module.
inline bool isStartOrEnd(llvm::StringRef Word) {
  static constexpr llvm::StringLiteral Words[] = {
      "bootstrap",  "cleanup",     "configure",  "daemonize", "deinit",
      "exit",       "finalize",    "fini",       "getopt",    "init",
      "initialise", "initialized", "initialize", "quit",      "setup",
      "shutdown",   "startup",     "teardown",   "terminate", "termination"};
  return llvm::is_contained(Words, Word);
}

/// The same, that it makes something known to a module, for good.
inline bool isRegistration(llvm::StringRef Word) {
  static constexpr llvm::StringLiteral Words[] = {"install", "register",
                                                  "unregister"};
  return llvm::is_contained(Words, Word);
}

} // namespace linesman::facts

#endif // LINESMAN_FACTS_LIFECYCLE_H
