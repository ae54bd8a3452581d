// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the commands' options have in common, as tables.

#ifndef LINESMAN_TOOLS_VOCABULARY_H
#define LINESMAN_TOOLS_VOCABULARY_H

#include "options/Parse.h"

namespace linesman::tool {

llvm::ArrayRef<options::Grouping> groupings();
llvm::ArrayRef<options::Habit> habits();
const options::OutputOptions &outputOptions();
} // namespace linesman::tool

#endif // LINESMAN_TOOLS_VOCABULARY_H
