// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The process that is watched: its state, its threads and its owner, all from
// /proc, because nothing else works on a process that one is not the parent of.

#ifndef LINESMAN_WATCH_PROCESS_H
#define LINESMAN_WATCH_PROCESS_H

#include "linesman/Watch/Evidence.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace linesman::watch {

enum class ProcessState : uint8_t {
  Live,
  /// By a signal or by a debugger: it touches nothing.
  Stopped,
  /// Exited, or not there at all.
  Gone
};

/// The state of \p Process as a whole.
ProcessState stateOf(ProcessId Process);

/// Fails with a message that says what is wrong when \p Process cannot be
/// watched: there is none, it has exited, it is stopped, or another user owns
/// it and this one may not look into it.
llvm::Error checkWatchable(ProcessId Process);

/// The threads that \p Process has now, in ascending order; empty when it is
/// gone.
std::vector<ThreadId> listThreads(ProcessId Process);

/// \p Thread exists, and has not begun to end.
bool isRunning(ProcessId Process, ThreadId Thread);

/// The main thread of \p Process, or another one that runs when it has ended.
/// Then /proc shows the process's memory only through that one's number.
ProcessId runningThread(ProcessId Process);

/// The clock of \p Thread; zeros when the kernel does not say.
ThreadClock clockOf(ProcessId Process, ThreadId Thread);

/// The time for which all threads of \p Process together have run, of those
/// that have ended as well, in nanoseconds; 0 when the kernel does not say.
uint64_t runTimeOf(ProcessId Process);

/// \p Thread runs, or waits for a processor.
bool isReady(ProcessId Process, ThreadId Thread);

/// The name that the thread gave itself (15 characters at most), or "".
std::string threadName(ProcessId Process, ThreadId Thread);

/// The process that traces \p Thread (a debugger), or 0.
ProcessId tracerOf(ThreadId Thread);

/// The process of \p Thread ignores \p Signal.
bool ignoresSignal(ThreadId Thread, int Signal);

/// What execve changes and nothing else: the auxiliary vector, in which the
/// kernel notes where it put the program, its stack and AT_RANDOM. Bytes to
/// compare; "" when it is not known, as of a process that is gone.
std::string executionMark(ProcessId Process);

/// The program that \p Process executes, as a path, or "".
std::string programOf(ProcessId Process);

} // namespace linesman::watch

#endif // LINESMAN_WATCH_PROCESS_H
