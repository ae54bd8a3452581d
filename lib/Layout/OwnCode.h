// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which code is the program's own, and which is of the standard libraries that
// are inside of it. What those share with themselves comes behind the program.

#ifndef LINESMAN_LIB_LAYOUT_OWNCODE_H
#define LINESMAN_LIB_LAYOUT_OWNCODE_H

#include "linesman/Layout/Finding.h"

namespace linesman::layout {

class OwnCode {
public:
  OwnCode(const Image &Program, const AccessTable &Table);

  /// How many functions that touch static objects are not of libraries that
  /// are known by symbols.
  size_t countFunctions() const;
  /// Whether the program itself uses one of them, while threads run, and the
  /// \p Head of the line is not called as statics of the standard library are.
  /// What malloc returns may be an object of the library's, too, as far as
  /// machine code tells.
  bool isPrograms(uint32_t Head, llvm::ArrayRef<LineOccupant> Occupants) const;

private:
  const Image &Program;
  const AccessTable &Table;
  /// Where the libraries of C++ and C begin in a binary that has them inside,
  /// with symbols: behind the program and its other libraries, as linkers place
  /// archives.
  LinkAddress Libraries{UINT64_MAX};

  bool uses(const AccessedObject &Object) const;
};

} // namespace linesman::layout

#endif // LINESMAN_LIB_LAYOUT_OWNCODE_H
