// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program of this kind owes its caller before it does anything: files 0
// to 2 that are its own, signals as the caller wants them, and a failure when
// its output is lost.

#ifndef LINESMAN_TOOLS_TERMINAL_STARTUP_H
#define LINESMAN_TOOLS_TERMINAL_STARTUP_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <system_error>

namespace linesman::terminal {

/// What every command returns.
enum ExitCode : int {
  Success = 0,
  /// --fail-on found something.
  Found = 1,
  Failure = 2,
};

/// A file that is opened as number 1 would be taken for stdout, so all three
/// are taken. What is written to a closed stdout is lost, and has to fail:
/// here, and in a program that inherits it.
std::error_code prepareStandardFiles();

/// What the caller had ignored (nohup, a shell's background job), but for
/// SIGCHLD: LLVM's handlers would end that, here and in a program that is
/// started.
class IgnoredSignals {
public:
  /// As they are now.
  IgnoredSignals();
  void restore() const;

private:
  llvm::SmallVector<int> Signals;
};

/// SIGQUIT is a wish, and an input that becomes shorter while it is read is no
/// defect of this program. What was \p Ignored stays so.
void handleSignals(const IgnoredSignals &Ignored);

/// Prints "linesman: error: ..." for each error and returns Failure.
int fail(llvm::Error E);

/// At exit, as --help exits by itself, and before the streams go, which would
/// end the program with a message about a crash and 1, "found".
void checkStreamsAtExit();

/// Ends this process with \p Code, or with a failure if output was lost,
/// without the destructors of what is global: the system takes that back in
/// less time.
[[noreturn]] void endProcess(int Code);

} // namespace linesman::terminal

#endif // LINESMAN_TOOLS_TERMINAL_STARTUP_H
