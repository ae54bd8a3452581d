// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What /proc says of a process and of its threads, because nothing else works
// on a process that one is not the parent of.

#ifndef LINESMAN_PROCESS_STATE_H
#define LINESMAN_PROCESS_STATE_H

#include "linesman/Process/Ids.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace linesman::process {

enum class ProcessState : uint8_t {
  Live,
  /// By a signal or by a debugger: it touches nothing.
  Stopped,
  /// Exited, or not there at all.
  Gone
};

/// The state of \p Process as a whole.
ProcessState stateOf(ProcessId Process);

/// Fails when there is no such process (std::errc::no_such_process), when this
/// user may not look into it (permission_denied), and when there is nothing to
/// see: a thread of the kernel, or a process that has ended and that nobody has
/// waited for yet.
llvm::Error checkReadable(ProcessId Process);

/// \p E, unless it says that the process is gone (no_such_process).
llvm::Error ignoreGone(llvm::Error E);

/// The path of the file that \p Process executes. Fails as checkReadable does.
llvm::Expected<std::string> executablePath(ProcessId Process);

/// What execve changes and nothing else: the auxiliary vector, in which the
/// kernel notes where it put the program, its stack and AT_RANDOM. Bytes to
/// compare; "" when it is not known, as of a process that is gone.
std::string executionMark(ProcessId Process);

/// The time for which all threads of \p Process together have run, of those
/// that have ended as well, in nanoseconds; 0 when the kernel does not say.
uint64_t runTimeOf(ProcessId Process);

/// The threads that \p Process has now, in ascending order; empty when it is
/// gone.
std::vector<ThreadId> listThreads(ProcessId Process);

/// \p Thread exists, and has not begun to end.
bool isRunning(ProcessId Process, ThreadId Thread);

/// The main thread of \p Process, or another one that runs when it has ended.
/// Then /proc shows the process's memory only through that one's number.
ProcessId runningThread(ProcessId Process);

/// \p Thread runs, or waits for a processor.
bool isReady(ProcessId Process, ThreadId Thread);

/// Nanoseconds and numbers since the thread began, as the scheduler counts.
struct ThreadClock {
  /// On a processor.
  uint64_t Ran = 0;
  /// Ready, and waiting for one.
  uint64_t Waited = 0;
  /// How often it was given one.
  uint64_t Slices = 0;

  friend bool operator==(ThreadClock, ThreadClock) = default;
};

/// The clock of \p Thread; zeros when the kernel does not say.
ThreadClock clockOf(ProcessId Process, ThreadId Thread);

/// The name that the thread gave itself (15 characters at most), or "".
std::string threadName(ProcessId Process, ThreadId Thread);

/// The process that traces \p Thread (a debugger), or 0.
ProcessId tracerOf(ThreadId Thread);

/// The process of \p Thread ignores \p Signal.
bool ignoresSignal(ThreadId Thread, int Signal);

/// Bytes of a page of this machine.
uint64_t pageSize();

} // namespace linesman::process

#endif // LINESMAN_PROCESS_STATE_H
