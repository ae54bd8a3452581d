// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results: on stdout, or in a file that appears only when it is complete. What
// they quote is printable.

#ifndef LINESMAN_GUARD_OUTPUT_H
#define LINESMAN_GUARD_OUTPUT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::guard {

/// Fails for a path that writeOutput could not write to: for commands that take
/// long.
llvm::Error checkOutput(llvm::StringRef Path);

/// Writes a whole result to stdout, or to a file that appears only when it is
/// complete. An empty path or "-" is stdout. Fails where the file is a program,
/// an object or an archive.
llvm::Error writeOutput(llvm::StringRef Path,
                        llvm::function_ref<void(llvm::raw_ostream &)> Write);

/// Writes \p Text to stdout with the sequences for a terminal that are in it:
/// what it quotes has been made printable before.
llvm::Error writeSequences(llvm::StringRef Text);

/// Fails where something that was printed did not arrive.
llvm::Error flushStdout();

} // namespace linesman::guard

#endif // LINESMAN_GUARD_OUTPUT_H
