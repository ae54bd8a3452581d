// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of some of a binary's objects, from its DWARF. A report prints some
// dozens of objects, and debug information is by far the largest part of a
// binary: of each unit only the variables are looked at, of those only the
// wanted ones have their types read, and then the unit is forgotten.

#ifndef LINESMAN_INPUT_READTYPES_H
#define LINESMAN_INPUT_READTYPES_H

#include "linesman/Input/ReadBinary.h"
#include "linesman/Layout/Members.h"

namespace linesman::input {

/// What reading types met; reports say it.
struct TypeCounts {
  /// Units of debug information.
  uint64_t Units = 0;
  /// Whether any of them has variables: -g1 leaves them out.
  bool HasVariables = false;
  /// Units that may have a wanted object, but in a file (.dwo, .dwp) that is
  /// missing, and the first of these files.
  uint64_t MissingSplit = 0;
  std::string FirstMissing;
  /// What LLVM's reader complained about, and the first of it.
  uint64_t Problems = 0;
  std::string FirstProblem;
};

struct TypesRead {
  layout::ObjectTypes Types;
  TypeCounts Counts;
};

/// Reads the types of the objects \p Wanted, indices of symbols. What has no
/// type in the debug information, or in damaged one, is not in the result.
TypesRead readTypes(const Binary &File, llvm::ArrayRef<uint32_t> Wanted);

} // namespace linesman::input

#endif // LINESMAN_INPUT_READTYPES_H
