// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the words of a command line to the options that a table has:
//
//     --name=VALUE  --name VALUE  -name VALUE     one or two dashes are alike
//     --                                          the rest are no options
//     -                                           stdin, no option
//     @FILE                                       the words of a file

#ifndef LINESMAN_TOOLS_OPTIONS_PARSE_H
#define LINESMAN_TOOLS_OPTIONS_PARSE_H

#include "options/OptionTable.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/Error.h"

namespace linesman::options {

using Words = llvm::ArrayRef<const char *>;

/// An option of other tools, and what it is here: "json" is "format=json".
struct Habit {
  llvm::StringLiteral Typed, Meant;
};

/// Puts the words of FILE in the place of @FILE. They live in \p Memory.
llvm::Error expandFiles(llvm::SmallVectorImpl<const char *> &Line,
                        llvm::BumpPtrAllocator &Memory);

/// Hands every word of \p Line to an option of \p Table. The error says what is
/// wrong with the first bad one, and what was meant where that can be told; the
/// options before it have their values then.
llvm::Error parse(const OptionTable &Table, Words Line,
                  llvm::ArrayRef<Habit> Habits);

/// Names of options.
struct OutputOptions {
  /// Their value is a file that is written.
  std::initializer_list<llvm::StringLiteral> Written;
  /// The same of a file that an earlier run may have left, and that is gone on
  /// with.
  std::initializer_list<llvm::StringLiteral> Kept;
  /// Their value may be the name of such a file.
  std::initializer_list<llvm::StringLiteral> MayName;
};

/// Fails where an option of \p Outputs names a file that another word of
/// \p Line names: nothing is overwritten that is read. Of what follows "--",
/// that is the program alone: the output of a link may be made again.
llvm::Error checkOverwrites(const OptionTable &Table, Words Line,
                            const OutputOptions &Outputs);

} // namespace linesman::options

#endif // LINESMAN_TOOLS_OPTIONS_PARSE_H
