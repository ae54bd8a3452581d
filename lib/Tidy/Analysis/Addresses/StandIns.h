// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Static objects that functions hand out in the place of others:
//
//     Blob *makeBlob(size_t n) { return n ? new Blob(n) : &empty_blob; }
//
// Whoever has a Blob may have this one, also in functions that other units
// call.

#ifndef LINESMAN_TIDY_ANALYSIS_ADDRESSES_STANDINS_H
#define LINESMAN_TIDY_ANALYSIS_ADDRESSES_STANDINS_H

#include "Analysis/Addresses/AddressFlow.h"
#include "Analysis/Code/UnitCode.h"
#include "llvm/ADT/MapVector.h"

namespace linesman::tidy {

class StandIns {
public:
  StandIns(const UnitCode &Code, const AddressFlow &Flow);

  /// Those that \p Pointer may be: a parameter of a function that other units
  /// can call, which tests nothing of it but whether it is null.
  llvm::SmallVector<const clang::VarDecl *, 1>
  thatMayBe(const clang::Expr &Pointer,
            const clang::FunctionDecl &Function) const;

  /// Where it is handed out first; null for any other object.
  const clang::Expr *placeOf(const clang::VarDecl &Object) const {
    return Objects.lookup(&Object);
  }

private:
  llvm::MapVector<const clang::VarDecl *, const clang::Expr *> Objects;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_ADDRESSES_STANDINS_H
