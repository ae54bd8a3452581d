// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Library functions that matter for who runs what, by name: those that start
// threads, those that run callbacks, and the many that do neither.

#include "ModuleFacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace linesman::facts;

std::optional<ThreadStart> linesman::facts::startedBy(StringRef Callee) {
  // GOMP_parallel, GOMP_parallel_loop_dynamic and so on: function, data, ...
  if (Callee.starts_with("GOMP_parallel") || Callee == "GOMP_task" ||
      Callee == "GOMP_teams_reg")
    return ThreadStart{0, true};
  return StringSwitch<std::optional<ThreadStart>>(Callee)
      .Case("pthread_create", ThreadStart{2, false})
      .Case("thrd_create", ThreadStart{1, false})
      .Case("__kmpc_fork_call", ThreadStart{2, true})
      .Case("__kmpc_fork_call_if", ThreadStart{2, true})
      .Case("__kmpc_fork_teams", ThreadStart{2, true})
      .Case("__kmpc_omp_task_alloc", ThreadStart{5, true})
      .Default(std::nullopt);
}

bool linesman::facts::runsCallbacks(StringRef Callee) {
  // libevent, libev, libuv, GLib.
  static constexpr StringLiteral Loops[] = {"event_base_loop",
                                            "event_base_dispatch",
                                            "event_dispatch",
                                            "event_loop",
                                            "ev_run",
                                            "ev_loop",
                                            "uv_run",
                                            "g_main_loop_run",
                                            "g_main_context_iteration"};
  return is_contained(Loops, Callee);
}

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
