// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starting the program to watch. The child is watched from its first own
// instruction on: it exists, with its memory mapped, when launch() returns.

#ifndef LINESMAN_WATCH_LAUNCH_H
#define LINESMAN_WATCH_LAUNCH_H

#include "linesman/Watch/Address.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace linesman::watch {

/// A child of this process, which is ended (SIGTERM) and waited for when this
/// goes away.
class Child {
public:
  Child(Child &&Other) noexcept : Process(Other.Process) { Other.Process = {}; }
  Child &operator=(Child &&) = delete;
  ~Child();

  ProcessId process() const { return Process; }

  /// Waits until it ends by itself.
  void wait();

private:
  friend llvm::Expected<Child> launch(llvm::ArrayRef<std::string> Command);
  explicit Child(ProcessId Process) : Process(Process) {}
  ProcessId Process;
};

/// Executes \p Command, found in PATH. Its standard output goes to our standard
/// error, because our own standard output is the report.
llvm::Expected<Child> launch(llvm::ArrayRef<std::string> Command);

} // namespace linesman::watch

#endif // LINESMAN_WATCH_LAUNCH_H
