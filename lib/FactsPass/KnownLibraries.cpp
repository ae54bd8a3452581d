// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Library functions that neither start threads nor run callbacks
// (linesman/Facts/KnownThreads.h has those that do), by name.

#include "ModuleFacts.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace linesman::facts;

/// What POSIX adds to the functions that LLVM knows: the common ones, because
/// an edge that stays costs some bytes and one that is dropped wrongly makes
/// its callee one that nobody is known to call.
static bool isOfPosix(StringRef Callee) {
  static constexpr StringLiteral Names[] = {
      "accept",   "accept4",     "bind",       "clock_gettime", "close",
      "connect",  "epoll_ctl",   "epoll_wait", "exit",          "fcntl",
      "getopt",   "getopt_long", "getpid",     "getrlimit",     "getsockopt",
      "ioctl",    "listen",      "mmap",       "munmap",        "nanosleep",
      "poll",     "read",        "recv",       "recvfrom",      "recvmsg",
      "select",   "send",        "sendmsg",    "sendto",        "setsockopt",
      "shutdown", "sigaction",   "signal",     "sleep",         "socket",
      "strerror", "syscall",     "usleep",     "write",         "writev"};
  return is_contained(Names, Callee);
}

bool linesman::facts::isKnownLibrary(StringRef Callee) {
  // The C++ library and its support; what a program instantiates of std is
  // defined in the module.
  static constexpr StringLiteral Prefixes[] = {
      "_ZNSt",     "_ZNKSt",   "_ZSt",
      "_Zn",       "_Zd",      "__cxa_",
      "_ZNSa",     "_ZNSs",    "_ZNSi",
      "_ZNSo",     "__gxx_",   "_Unwind_",
      "__clang_",  "__kmpc_",  "GOMP_",
      "__atomic",  "__assert", "__stack_chk",
      "__glibcxx", "__isoc",   "_ZTVN10__cxxabiv1",
      "_ZTVNSt",   "_ZTVSt",   "__ctype_",
      "__errno_",  "pthread_"};
  return any_of(Prefixes, [&](StringRef P) { return Callee.starts_with(P); }) ||
         isOfPosix(Callee);
}
