// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who has the debug registers of a process, that watch needs.

#ifndef LINESMAN_DRIVE_REGISTERHOLDERS_H
#define LINESMAN_DRIVE_REGISTERHOLDERS_H

#include "linesman/Drive/Machine.h"

namespace linesman::drive {

/// A process, as a person would look for it.
struct NamedProcess {
  int Number = 0;
  std::string Name;
};

struct RegisterHolders {
  /// Watchpoints that could be set on the main thread just now, of the four
  /// that x86 and most AArch64 processors have; nothing when none may be set
  /// for another reason.
  std::optional<unsigned> Free;
  /// Traces the process: a debugger, or an earlier watch by ptrace.
  std::optional<NamedProcess> Tracer;
  /// Have perf events, which may be watchpoints on it; the kernel does not say
  /// of whom. Only those of processes that we may look at.
  std::vector<NamedProcess> WithEvents;
};

/// Changes nothing: what is set is closed again at once. Fails when there is no
/// such process below \p Root.
llvm::Expected<RegisterHolders> findRegisterHolders(int Process,
                                                    llvm::StringRef Root = "/");

std::vector<Advice> diagnose(const RegisterHolders &Holders);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_REGISTERHOLDERS_H
