// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_INPUT_UNITPATHS_H
#define LINESMAN_INPUT_UNITPATHS_H

#include "linesman/Input/ReadBinary.h"

namespace linesman::input {

/// The whole paths of the sources that \p File was compiled from, each unit's
/// main one, as its debug information has them; none where it has none, or
/// where it is damaged.
std::vector<std::string> readUnitPaths(const Binary &File);

} // namespace linesman::input

#endif // LINESMAN_INPUT_UNITPATHS_H
