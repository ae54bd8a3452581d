// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Library functions that matter for who runs what, by name: those that start
// threads, and those that run callbacks. Both producers of facts ask here, so
// that they agree; header only, as KnownCalls.h is.

#ifndef LINESMAN_FACTS_KNOWNTHREADS_H
#define LINESMAN_FACTS_KNOWNTHREADS_H

#include "linesman/Facts/NameWords.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include <optional>

namespace linesman::facts {

/// Which argument of a library function it starts threads at.
struct ThreadStart {
  unsigned Argument;
  /// A team of threads at once.
  bool IsTeam;
};

inline std::optional<ThreadStart> startedBy(llvm::StringRef Callee) {
  // GOMP_parallel, GOMP_parallel_loop_dynamic and so on: function, data, ...
  if (Callee.starts_with("GOMP_parallel") || Callee == "GOMP_task" ||
      Callee == "GOMP_teams_reg")
    return ThreadStart{0, true};
  return llvm::StringSwitch<std::optional<ThreadStart>>(Callee)
      .Case("pthread_create", ThreadStart{2, false})
      .Case("thrd_create", ThreadStart{1, false})
      .Case("__kmpc_fork_call", ThreadStart{2, true})
      .Case("__kmpc_fork_call_if", ThreadStart{2, true})
      .Case("__kmpc_fork_teams", ThreadStart{2, true})
      .Case("__kmpc_omp_task_alloc", ThreadStart{5, true})
      .Default(std::nullopt);
}

/// How often what runs once in a process, or now and then (a signal's handler),
/// runs per operation: LLVM's ratio of an unreachable branch.
inline constexpr double OnceShare = 1.0 / (1 << 20);

/// Which arguments of a library function it calls, once in a process however
/// often it is asked, at the end, when it forks, or when a signal arrives.
struct RareCallees {
  unsigned First, Count = 1;
  bool contains(unsigned Argument) const { return Argument - First < Count; }
};
inline std::optional<RareCallees> runRarelyBy(llvm::StringRef Callee) {
  using Result = std::optional<RareCallees>;
  return llvm::StringSwitch<Result>(Callee)
      .Case("pthread_once", RareCallees{1})
      .Case("__pthread_once", RareCallees{1})
      .Case("call_once", RareCallees{1})
      .Case("uv_once", RareCallees{1})
      .Case("CRYPTO_THREAD_run_once", RareCallees{1})
      .Case("g_once_impl", RareCallees{1})
      .Case("apr_thread_once", RareCallees{1})
      .Case("PR_CallOnce", RareCallees{1})
      .Case("PR_CallOnceWithArg", RareCallees{1})
      .Case("atexit", RareCallees{0})
      .Case("__cxa_atexit", RareCallees{0})
      .Case("on_exit", RareCallees{0})
      .Case("at_quick_exit", RareCallees{0})
      .Case("pthread_atfork", RareCallees{0, 3})
      .Case("__register_atfork", RareCallees{0, 3})
      .Case("signal", RareCallees{1})
      .Case("__sysv_signal", RareCallees{1})
      .Case("bsd_signal", RareCallees{1})
      .Case("sigset", RareCallees{1})
      .Case("g_unix_signal_add", RareCallees{1})
      // llvm::sys::SetInterruptFunction, SetInfoSignalFunction,
      // AddSignalHandler.
      .Case("_ZN4llvm3sys20SetInterruptFunctionEPFvvE", RareCallees{0})
      .Case("_ZN4llvm3sys21SetInfoSignalFunctionEPFvvE", RareCallees{0})
      .Case("_ZN4llvm3sys16AddSignalHandlerEPFvPvES1_", RareCallees{0})
      // libc++'s std::call_once.
      .Case("_ZNSt3__111__call_onceERVmPvPFvS2_E", RareCallees{2})
      .Default(std::nullopt);
}

/// Whether a library function is given a record with a handler of signals.
inline bool takesHandlerRecord(llvm::StringRef Callee) {
  return Callee == "sigaction" || Callee == "__sigaction";
}

/// Whether a library function only fills in a part of such a record.
inline bool fillsHandlerRecord(llvm::StringRef Callee) {
  static constexpr llvm::StringLiteral Names[] = {
      "sigemptyset", "sigfillset", "sigaddset",
      "sigdelset",   "memset",     "__memset_chk"};
  return llvm::is_contained(Names, Callee);
}

/// Whether a library function calls what it is given before it returns, and
/// forgets it.
inline bool callsAtOnce(llvm::StringRef Callee) {
  static constexpr llvm::StringLiteral Names[] = {
      "qsort",   "qsort_r", "bsearch", "lfind", "lsearch",
      "tsearch", "tfind",   "tdelete", "twalk", "tdestroy",
      "ftw",     "nftw",    "scandir", "glob",  "dl_iterate_phdr"};
  return llvm::is_contained(Names, Callee);
}

/// Whether a call asks if the caller is the first to initialise something: what
/// follows it runs once.
inline bool asksForFirst(llvm::StringRef Callee) {
  return llvm::StringSwitch<bool>(Callee)
      .Case("__cxa_guard_acquire", true)
      .Case("g_once_init_enter", true)
      .Case("g_once_init_enter_impl", true)
      .Case("g_once_init_enter_pointer", true)
      .Default(false);
}

/// Whether a call waits for a signal: what follows it is as rare as a handler.
inline bool waitsForSignal(llvm::StringRef Callee) {
  return Callee == "sigwait" || Callee == "sigwaitinfo";
}

/// Whether a call sends a signal to the process that makes it, or to its
/// thread.
inline bool raisesSignal(llvm::StringRef Callee) {
  return Callee == "raise" || Callee == "gsignal";
}
/// The same, to the process or thread that it is given.
inline bool sendsSignal(llvm::StringRef Callee) {
  return Callee == "kill" || Callee == "pthread_kill" || Callee == "tgkill";
}
/// Whether a call returns the process or thread that makes it.
inline bool asksForProcess(llvm::StringRef Callee) {
  return Callee == "getpid" || Callee == "pthread_self" || Callee == "gettid";
}

/// Whether a call waits for some time, whatever others do: usleep, DS_Sleep,
/// sleep_for and QThread::msleep of any library. Not what sets how long, nor
/// what asks whether somebody does or may (might_sleep).
inline bool waitsForTime(llvm::StringRef Callee) {
  if (Callee == "SDL_Delay")
    return true;
  // Most names are done with here.
  if (!Callee.contains_insensitive("sleep"))
    return false;
  bool Sleeps = false, IsAbout = false;
  visitWords(Callee, llvm::isAlpha, [&](llvm::StringRef Word) {
    for (llvm::StringRef Other :
         {"can", "get", "is", "may", "might", "no", "set"})
      IsAbout |= Word.equals_insensitive(Other);
    // A mangled name goes on with what it is given.
    const llvm::StringRef Rest =
        Callee.substr(Word.data() + Word.size() - Callee.data());
    Sleeps |= Word.ends_with_insensitive("sleep") &&
              (Rest.empty() || Rest.starts_with("_for") ||
               Rest.starts_with("_until") ||
               (Callee.starts_with("_Z") && Rest.starts_with("E")));
  });
  return Sleeps && !IsAbout;
}

/// Whether a call lets other threads go first, as in a loop that spins.
inline bool yields(llvm::StringRef Callee) {
  static constexpr llvm::StringLiteral Names[] = {
      "sched_yield", "pthread_yield", "thrd_yield"};
  return llvm::is_contained(Names, Callee);
}

/// Whether a call says what went wrong.
inline bool reportsError(llvm::StringRef Callee) {
  static constexpr llvm::StringLiteral Names[] = {"perror", "warn", "warnx",
                                                  "vwarn", "vwarnx"};
  return llvm::is_contained(Names, Callee);
}

/// Whether a call writes to a stream: to stderr, it says what went wrong.
inline bool writesToStream(llvm::StringRef Callee) {
  static constexpr llvm::StringLiteral Names[] = {
      "fprintf", "__fprintf_chk", "vfprintf", "__vfprintf_chk", "fputs",
      "fwrite",  "fputc",         "putc",     "_IO_putc"};
  return llvm::is_contained(Names, Callee);
}

/// Library functions that wait until somebody has something to do for the
/// thread. A loop around one is what the thread is there for, and a turn of it
/// is one operation; what comes before and behind it is done once.
inline constexpr llvm::StringLiteral WaitsForWork[] = {
    "accept",
    "accept4",
    "apr_thread_cond_timedwait",
    "apr_thread_cond_wait",
    "cnd_timedwait",
    "cnd_wait",
    "epoll_pwait",
    "epoll_wait",
    "g_async_queue_pop",
    "g_cond_wait",
    "g_cond_wait_until",
    "kevent",
    "mq_receive",
    "mq_timedreceive",
    "msgrcv",
    "poll",
    "__poll_chk",
    "ppoll",
    "PR_WaitCondVar",
    "pselect",
    "pthread_cond_clockwait",
    "pthread_cond_timedwait",
    "pthread_cond_wait",
    "read",
    "__read_chk",
    "recv",
    "__recv_chk",
    "recvfrom",
    "recvmsg",
    "select",
    "SDL_CondWait",
    "SDL_CondWaitTimeout",
    "sem_wait",
    "uv_cond_timedwait",
    "uv_cond_wait",
    "uv_sem_wait",
    "_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE",
    "_ZNSt3__118condition_variable4waitERNS_11unique_lockINS_5mutexEEE"};
inline bool waitsForWork(llvm::StringRef Callee) {
  return llvm::is_contained(WaitsForWork, Callee);
}

/// Library functions that set a program up: they ask for the environment, look
/// for a function by its name, choose a folder, begin to listen, or start
/// another program. Nobody does that for each operation.
inline constexpr llvm::StringLiteral SetUpCalls[] = {
    "chdir",           "chroot",      "clearenv",     "dlsym",    "dlvsym",
    "execv",           "execve",      "execvp",       "fork",     "g_getenv",
    "g_module_symbol", "g_setenv",    "getenv",       "listen",   "openlog",
    "popen",           "posix_spawn", "posix_spawnp", "putenv",   "res_init",
    "secure_getenv",   "setenv",      "system",       "unsetenv", "vfork"};
inline bool isSetUp(llvm::StringRef Callee) {
  return llvm::is_contained(SetUpCalls, Callee);
}

/// The variable that who asks for all of the environment reads.
inline bool isEnvironment(llvm::StringRef Variable) {
  return Variable == "environ" || Variable == "__environ";
}

/// Library functions that wait for a thread's end, or bring it about: that is
/// as rare as its start.
inline constexpr llvm::StringLiteral ThreadEnds[] = {"g_thread_join",
                                                     "pthread_cancel",
                                                     "pthread_clockjoin_np",
                                                     "pthread_detach",
                                                     "pthread_join",
                                                     "pthread_timedjoin_np",
                                                     "pthread_tryjoin_np",
                                                     "PR_JoinThread",
                                                     "SDL_WaitThread",
                                                     "thrd_detach",
                                                     "thrd_join",
                                                     "uv_thread_join",
                                                     "_ZNSt6thread4joinEv",
                                                     "_ZNSt6thread6detachEv"};
inline bool endsThreads(llvm::StringRef Callee) {
  return llvm::is_contained(ThreadEnds, Callee);
}
/// Of these, the ones behind which the thread is gone.
inline constexpr llvm::StringLiteral ThreadJoins[] = {
    "g_thread_join", "pthread_join",   "PR_JoinThread",      "SDL_WaitThread",
    "thrd_join",     "uv_thread_join", "_ZNSt6thread4joinEv"};

/// Whether a library function makes what it is given, or gives it back: of a
/// static object that is done where a module starts and ends.
inline bool makesOrEnds(llvm::StringRef Callee) {
  static constexpr llvm::StringLiteral Kinds[] = {
      "cnd_",           "g_cond_",          "g_mutex_",      "g_rec_mutex_",
      "mtx_",           "pthread_barrier_", "pthread_cond_", "pthread_key_",
      "pthread_mutex_", "pthread_rwlock_",  "pthread_spin_", "sem_",
      "tss_",           "uv_cond_",         "uv_key_",       "uv_mutex_"};
  static constexpr llvm::StringLiteral Verbs[] = {"clear", "create", "delete",
                                                  "destroy", "init"};
  return llvm::any_of(Kinds, [&](llvm::StringRef Kind) {
    return Callee.consume_front(Kind) && llvm::is_contained(Verbs, Callee);
  });
}
/// The name under which such a call stands among SetUpCalls.
inline constexpr llvm::StringLiteral StaticMade = "(a static object is made)";

/// Whether a library function takes a lock, or leaves one, to judge by its
/// name: pthread_rwlock_wrlock, g_mutex_lock, CRYPTO_THREAD_unlock, PR_Lock.
/// What waits for a condition has the lock before and afterwards.
enum class LockUse : uint8_t { None, Takes, Leaves };
inline LockUse soundsLikeLock(llvm::StringRef Callee) {
  // Most names are done with here.
  if (!Callee.contains("ock") && !Callee.contains("LOCK") &&
      !Callee.contains("Monitor"))
    return LockUse::None;
  auto Has = [&](llvm::StringRef Word) {
    return Callee.contains_insensitive(Word);
  };
  static constexpr llvm::StringLiteral Others[] = {
      "clock", "block", "flock", "init", "destroy", "new",  "free",
      "alloc", "mlock", "attr",  "file", "memory",  "lockf"};
  if (Callee == "PR_EnterMonitor")
    return LockUse::Takes;
  if (Callee == "PR_ExitMonitor")
    return LockUse::Leaves;
  if (!Has("lock") || llvm::any_of(Others, Has))
    return LockUse::None;
  return Has("unlock") ? LockUse::Leaves : LockUse::Takes;
}

/// Whether a library function that locks is given the lock as its first
/// argument, to judge by its name. What C++ calls a guard is another object.
inline bool isGivenItsLock(llvm::StringRef Callee) {
  auto Has = [&](llvm::StringRef Word) {
    return Callee.contains_insensitive(Word);
  };
  static constexpr llvm::StringLiteral Kinds[] = {"mutex", "mtx_", "rwlock",
                                                  "spin", "PR_"};
  static constexpr llvm::StringLiteral Guards[] = {"guard", "unique", "scoped"};
  return soundsLikeLock(Callee) != LockUse::None && llvm::any_of(Kinds, Has) &&
         llvm::none_of(Guards, Has);
}

/// Whether a library function waits for a condition: it leaves a lock
/// meanwhile.
inline bool waitsForCondition(llvm::StringRef Callee) {
  return Callee == "PR_WaitCondVar" ||
         (Callee.contains("wait") &&
          (Callee.contains("cond") || Callee.contains("cnd_")));
}

/// Whether who comes back from a call that takes a lock holds it, and nobody
/// else does; any call that leaves one is fine.
inline bool holdsAlone(llvm::StringRef Callee) {
  if (soundsLikeLock(Callee) == LockUse::Leaves)
    return true;
  static constexpr llvm::StringLiteral Others[] = {"try",   "timed",  "rdlock",
                                                   "_read", "reader", "shared"};
  return llvm::none_of(
      Others, [&](llvm::StringRef Word) { return Callee.contains(Word); });
}

/// libstdc++'s start of a thread, at an object that the name does not tell.
inline constexpr llvm::StringLiteral StdThreadStart =
    "_ZNSt6thread15_M_start_thread";

/// Whether a library function that is given a function runs it on a thread, to
/// judge by its name: g_thread_new, uv_thread_create, a pool's submit. Only for
/// functions of other modules: what a binary defines is followed.
inline bool soundsLikeThreadStart(llvm::StringRef Callee) {
  if (!Callee.contains_insensitive("thread"))
    return false;
  static constexpr llvm::StringLiteral Verbs[] = {
      "create", "new", "start", "spawn", "submit", "push", "queue", "run"};
  // They run when a thread ends, forks, or is the first.
  static constexpr llvm::StringLiteral Others[] = {"key", "once", "atfork",
                                                   "local", "cleanup"};
  auto Has = [&](llvm::StringRef Word) {
    return Callee.contains_insensitive(Word);
  };
  return llvm::any_of(Verbs, Has) && llvm::none_of(Others, Has);
}

/// Whether a library function runs the callbacks that were registered before.
inline bool runsCallbacks(llvm::StringRef Callee) {
  // libevent, libev, libuv, GLib.
  static constexpr llvm::StringLiteral Loops[] = {"event_base_loop",
                                                  "event_base_dispatch",
                                                  "event_dispatch",
                                                  "event_loop",
                                                  "ev_run",
                                                  "ev_loop",
                                                  "uv_run",
                                                  "g_main_loop_run",
                                                  "g_main_context_iteration"};
  return llvm::is_contained(Loops, Callee);
}

} // namespace linesman::facts

#endif // LINESMAN_FACTS_KNOWNTHREADS_H
