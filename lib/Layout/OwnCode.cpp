// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OwnCode.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linesman::layout {

/// What calls main comes first of a C library. Of libstdc++'s functions, those
/// that nobody else can have a copy of, as templates: its own classes. Cold
/// parts are elsewhere.
static bool isLibraryFunction(StringRef Name) {
  static constexpr StringLiteral Begins[] = {"__libc_start_", "_ZN10__cxxabiv1",
                                             "_ZNSt6locale5_Impl",
                                             "_ZNSt8ios_base4Init"};
  return any_of(Begins,
                [&](StringRef Begin) { return Name.starts_with(Begin); }) &&
         !Name.ends_with(".cold");
}

OwnCode::OwnCode(const AccessTable &Table) : Table(Table) {
  for (const Function &F : Table.functions())
    if (isLibraryFunction(F.Name))
      Libraries = std::min(Libraries, F.Address);
}

size_t OwnCode::countFunctions() const {
  return count_if(Table.functions(),
                  [&](const Function &F) { return F.Address < Libraries; });
}

bool OwnCode::uses(const AccessedObject &Object) const {
  return any_of(Object.Accesses, [&](const ObjectAccess &A) {
    const Function &User = Table.functions()[A.Function];
    return User.Address < Libraries && !User.Name.ends_with(".cold") &&
           !Table.isDoubtful(A) && Table.isConcurrent(A);
  });
}

bool OwnCode::uses(ArrayRef<LineOccupant> Occupants) const {
  return any_of(Occupants, [&](const LineOccupant &Place) {
    return Place.Object && uses(*Place.Object);
  });
}

} // namespace linesman::layout
