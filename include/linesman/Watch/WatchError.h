// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Why watching failed, for callers that must tell the reasons apart: a thread
// that has died is skipped, a refusal of perf says which setting allows it, and
// everything else ends the session with its message.

#ifndef LINESMAN_WATCH_WATCHERROR_H
#define LINESMAN_WATCH_WATCHERROR_H

#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"

namespace linesman::watch {

enum class Refusal : uint8_t {
  /// The thread or process is not there (any more).
  Gone,
  /// No free debug register: a debugger or another watcher has them.
  RegistersTaken,
  /// The kernel or a seccomp filter does not let this user do it.
  NotPermitted,
  /// This machine or kernel has no hardware watchpoints.
  NotSupported,
  /// A limit of this process (descriptors, locked memory) is used up.
  LimitReached,
  /// The address cannot be watched.
  BadAddress,
  /// No module that the process has loaded so far has it.
  NotLoaded,
  /// The canary was not seen: zeros of this machine mean nothing.
  DeadInstrument,
  /// Anything else.
  Other
};

class WatchError : public llvm::ErrorInfo<WatchError> {
public:
  static char ID;
  WatchError(Refusal Reason, const llvm::Twine &Message)
      : Reason(Reason), Message(Message.str()) {}

  Refusal reason() const { return Reason; }
  void log(llvm::raw_ostream &OS) const override;
  std::error_code convertToErrorCode() const override;

private:
  Refusal Reason;
  std::string Message;
};

/// The reason of \p E, which is handed on in \p Rest; Other for foreign errors.
Refusal reasonOf(llvm::Error E, llvm::Error &Rest);

} // namespace linesman::watch

#endif // LINESMAN_WATCH_WATCHERROR_H
