// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TOOLS_OPTIONS_HELP_H
#define LINESMAN_TOOLS_OPTIONS_HELP_H

#include "options/Describe.h"

namespace linesman::options {

/// Purpose, usage, options in groups, examples, on stdout.
void writeHelp(const OptionTable &Table, const CommandPage &Page);

} // namespace linesman::options

#endif // LINESMAN_TOOLS_OPTIONS_HELP_H
