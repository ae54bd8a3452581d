// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run of a command, measured from outside: how long, what it printed, an
// event counter, and whether it had the processors it wanted. Sharing shows
// only while the threads that share really run at the same time, so a run that
// other programs kept waiting says nothing about it.

#ifndef LINESMAN_DRIVE_STRETCH_H
#define LINESMAN_DRIVE_STRETCH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>

namespace linesman::drive {

/// An event that the kernel or the processor counts for a process and all that
/// it starts.
struct Event {
  llvm::StringLiteral Name;
  uint32_t Type;
  uint64_t Config;
};

/// What --metric=NAME can count: "cycles", "page-faults" and their kin, as
/// perf names them.
llvm::ArrayRef<Event> countableEvents();

/// The event of that name; null when there is none.
const Event *findEvent(llvm::StringRef Name);

struct StretchConfig {
  /// For the shell.
  std::string Command;
  /// Counted from exec to the end; null for none.
  const Event *Counted = nullptr;
  /// Run beside the command, for the shell, with LINESMAN_PID in its
  /// environment; its output and exit code count in place of the command's,
  /// which is asked to end (SIGTERM) afterwards. Empty for none.
  std::string Probe = {};
};

struct Stretch {
  /// Of the command, or of the probe.
  double Seconds = 0;
  int ExitCode = 0;
  /// Nothing, or the signal that ended it.
  std::optional<int> Signal;
  /// Its stdout.
  std::string Output;
  std::optional<uint64_t> Events;
  /// Seconds on a processor, of all threads of the command and of what it
  /// started.
  double RunSeconds = 0;
  /// Seconds in which a thread was ready and had no processor; sampled, so the
  /// last 20 ms of a thread may be missing.
  double WaitSeconds = 0;
  /// Seconds that processors gave to others meanwhile; the kernel counts them
  /// in hundredths of a second.
  double ForeignSeconds = 0;
};

/// What waiting is held against. Elapsed time holds sleep as well: a command
/// that works for 5 ms in a second and waits for 1 ms of them takes no longer
/// to speak of. What it prints may be about these 5 ms.
enum class WaitBase : uint8_t { Elapsed, Ready };

/// Whether others kept the run waiting: it waited for more than a twentieth of
/// the time it was ready (and, by WaitBase::Elapsed, of the time it took),
/// while others used more than a fiftieth of what it used. A program with more
/// threads than processors waits for itself, which is how it is.
bool isDisturbed(const Stretch &Run, WaitBase Base);

/// Runs \p Config's command to its end, with an empty stdin; its stderr is
/// ours. Asks \p IsUnwanted some fifty times a second; when it is, everything
/// that was started is ended and the result is empty. Fails when the command
/// cannot be started, or the event cannot be counted here (says why).
llvm::Expected<std::optional<Stretch>>
runStretch(const StretchConfig &Config, llvm::function_ref<bool()> IsUnwanted);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_STRETCH_H
