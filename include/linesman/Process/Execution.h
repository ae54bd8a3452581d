// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between fork and the program: what all that start one have in common. They
// differ in what a program is started for, and are:
//
//     launch            a program to look at, held at its entry point
//     Command           a part of a measurement, in a group of its own
//     control::Launch   a program under the shim, in its environment
//     runAndCapture     a tool whose output is wanted
//
// What only runs to its end, with our standard files or none (a linker, a
// build, debuginfod), needs no more than LLVM's ExecuteAndWait.

#ifndef LINESMAN_PROCESS_EXECUTION_H
#define LINESMAN_PROCESS_EXECUTION_H

#include "linesman/Process/Descriptor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace linesman::process {

/// \p Words as execve takes them: with a null at the end. They point into
/// \p Words. Made before the fork, after which no memory may be asked for.
std::vector<char *> wordsForExecution(llvm::ArrayRef<std::string> Words);

/// Tells the parent whether its child has become the program: the pipe closes
/// when it has, and carries the reason when it could not.
class ExecutionPipe {
public:
  static llvm::Expected<ExecutionPipe> make();

  /// In the child, after execve returned: sends errno, and ends it with 127.
  [[noreturn]] void fail() const;

  /// In the parent: 0 once the child is the program, else the errno.
  int await();

private:
  Descriptor Read, Write;
};

} // namespace linesman::process

#endif // LINESMAN_PROCESS_EXECUTION_H
