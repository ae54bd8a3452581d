// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who has the debug registers that watch needs: those of a process, or those of
// the machine.

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

/// Who may have debug registers, whoever's process they are of.
struct RegisterUsers {
  /// As RegisterHolders::Free, of this thread: what is missing is held on whole
  /// processors, or of all children of somebody.
  std::optional<unsigned> Free;
  std::vector<NamedProcess> WithEvents;
  struct Trace {
    NamedProcess Tracer, Traced;
  };
  std::vector<Trace> Traces;
  /// Whether there are processes that we may not look at.
  bool HasHidden = false;
};

/// Changes nothing, as findRegisterHolders. \p Root is where /proc is looked
/// for.
RegisterUsers findRegisterUsers(llvm::StringRef Root = "/");

std::vector<Advice> diagnose(const RegisterUsers &Users);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_REGISTERHOLDERS_H
