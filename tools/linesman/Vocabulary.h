// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the commands' options have in common, as tables, and what is said of a
// command besides its options.

#ifndef LINESMAN_TOOLS_VOCABULARY_H
#define LINESMAN_TOOLS_VOCABULARY_H

#include "options/Describe.h"
#include "options/Parse.h"

namespace linesman::tool {

llvm::ArrayRef<options::Grouping> groupings();
llvm::ArrayRef<options::Habit> habits();
const options::OutputOptions &outputOptions();
/// At least one for each command.
llvm::ArrayRef<options::Example> examplesOf(llvm::StringRef Command);

/// \p Overview is the purpose with the command's name before it.
options::CommandPage pageOf(llvm::StringRef Command, llvm::StringRef Overview);

} // namespace linesman::tool

#endif // LINESMAN_TOOLS_VOCABULARY_H
