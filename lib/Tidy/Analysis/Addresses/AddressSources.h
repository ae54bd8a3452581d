// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where does the address that an expression gives come from?
//
//     c ? &nil : std::exchange(o.p, q)   ->  the object nil, the slot Ref::p
//
// A slot is what can keep an address: a variable, a parameter, a field (one for
// all objects of its type), what a function returns, a method's this. Smart
// pointers and atomic pointers are slots like plain ones.

#ifndef LINESMAN_TIDY_ANALYSIS_ADDRESSES_ADDRESSSOURCES_H
#define LINESMAN_TIDY_ANALYSIS_ADDRESSES_ADDRESSSOURCES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/PointerIntPair.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace linesman::tidy {

/// A declaration, or with the bit set the this of a method.
using Slot = llvm::PointerIntPair<const clang::Decl *, 1, bool>;

struct AddressSource {
  /// A shared static record, or null: then the slot.
  const clang::VarDecl *Object = nullptr;
  Slot Origin;
  /// The name of either in the code: guards are asked for here.
  const clang::Expr *Leaf = nullptr;
};

using AddressSources = llvm::SmallVector<AddressSource, 2>;

/// \p Function is the definition that the expression is in (for this); null at
/// namespace scope.
AddressSources sourcesOf(const clang::Expr &E,
                         const clang::FunctionDecl *Function);

/// The slot that an assignment to this expression changes.
std::optional<Slot> slotOf(const clang::Expr &Target);

/// A pointer, a reference to an object, std::atomic of a pointer, or a class
/// with operator->: its slot holds addresses.
bool holdsAddress(clang::QualType Type);

/// A class that stands for a pointer.
bool isPointerWrapper(clang::QualType Type);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_ADDRESSES_ADDRESSSOURCES_H
