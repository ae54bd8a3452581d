// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TOOLS_HELP_H
#define LINESMAN_TOOLS_HELP_H

#include "options/Describe.h"

namespace linesman::tool {

/// Purpose, usage, options in groups, examples, on stdout.
void writeHelp(const options::OptionTable &Table,
               const options::CommandPage &Page);

} // namespace linesman::tool

#endif // LINESMAN_TOOLS_HELP_H
