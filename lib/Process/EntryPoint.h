// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Holding a program at its entry point: its libraries are loaded and relocated,
// so every symbol has its address, and main has not begun.

#ifndef LINESMAN_LIB_PROCESS_ENTRYPOINT_H
#define LINESMAN_LIB_PROCESS_ENTRYPOINT_H

#include "linesman/Process/Ids.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace linesman::process {

/// Has \p Process, a child of this one, stop when it executes a program.
/// Returns whether it will: the system may refuse ptrace.
bool holdAtExecution(ProcessId Process);

/// Lets \p Process, which is to stop at its execution, run to the program's
/// entry point. It is an error when it ends before; it is reaped then. Programs
/// that are one of \p Launchers, in their order, are run through: they execute
/// the next one.
llvm::Error runToEntryPoint(ProcessId Process,
                            llvm::ArrayRef<std::string> Launchers);

/// Lets \p Process run on by itself. The thread that held it must call this.
void releaseHeld(ProcessId Process);

} // namespace linesman::process

#endif // LINESMAN_LIB_PROCESS_ENTRYPOINT_H
