// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starting a program that ends with this one.

#ifndef LINESMAN_PROCESS_LAUNCH_H
#define LINESMAN_PROCESS_LAUNCH_H

#include "linesman/Process/Ids.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <utility>

namespace linesman::process {

/// Waits for the end of \p Child, a process that this one has forked, but no
/// longer than \p Milliseconds. Returns whether it has ended.
bool awaitEnd(ProcessId Child, int Milliseconds);

/// When a program that was launched begins.
enum class Begin {
  AtOnce,
  /// At its release: until then it stands at its entry point, with its
  /// libraries loaded; what a launcher starts (skipLaunchers), at the entry
  /// point of that. Where the system refuses ptrace, and on other machines
  /// than x86-64, it begins at once.
  AtRelease
};

/// A child of this process, which is ended when this goes away: by SIGTERM, and
/// when it does not care for two seconds, by SIGKILL. That also comes when this
/// process dies, in whatever way.
class Child {
public:
  Child(Child &&Other) noexcept
      : Process(std::exchange(Other.Process, {})), IsHeld(Other.IsHeld) {}
  Child &operator=(Child &&) = delete;
  ~Child();

  ProcessId process() const { return Process; }

  /// Lets it begin. Only the thread that launched it may do this.
  void release();

  /// Waits until it ends by itself.
  void wait();

private:
  friend llvm::Expected<Child> launch(llvm::ArrayRef<std::string> Command,
                                      Begin Wanted);
  Child(ProcessId Process, bool IsHeld) : Process(Process), IsHeld(IsHeld) {}
  ProcessId Process;
  bool IsHeld;
};

/// Executes \p Command, found in PATH. Its standard output goes to our standard
/// error, because our own standard output is the report.
llvm::Expected<Child> launch(llvm::ArrayRef<std::string> Command, Begin Wanted);

} // namespace linesman::process

#endif // LINESMAN_PROCESS_LAUNCH_H
