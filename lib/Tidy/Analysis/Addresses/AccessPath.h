// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which object does an expression name, as far as names tell?
//
//     this->list.head->next, (*list.head).next   ->  this . list . head . next
//     std::move(o).p                             ->  o . p
//
// Dereferences, casts and std::move do not count: "p", "*p" and "&r" are the
// same place for a test of identity. Two expressions with equal paths name the
// same object as long as nobody assigns to one of the steps in between.

#ifndef LINESMAN_TIDY_ANALYSIS_ADDRESSES_ACCESSPATH_H
#define LINESMAN_TIDY_ANALYSIS_ADDRESSES_ACCESSPATH_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace linesman::tidy {

struct AccessPath {
  /// A variable or parameter, a function (its result), or nothing for *this.
  const clang::ValueDecl *Root = nullptr;
  /// Fields, and methods that are called without arguments.
  llvm::SmallVector<const clang::ValueDecl *, 4> Steps;

  bool operator==(const AccessPath &Other) const {
    return Root == Other.Root && Steps == Other.Steps;
  }
  bool operator!=(const AccessPath &Other) const { return !(*this == Other); }
  /// A place that changes when \p Prefix is assigned to.
  bool startsWith(const AccessPath &Prefix) const;
};

/// Nothing for an expression without a name: array elements, arithmetic,
/// temporaries.
std::optional<AccessPath> pathOf(const clang::Expr &E);

/// Strips what does not change which object is named: parentheses, casts, the
/// wrapping of temporaries, std::move, std::forward, std::as_const.
const clang::Expr *stripSameObject(const clang::Expr *E);

/// What the assignment, increment, atomic operation or call of a method works
/// on: an lvalue, or the address of one. Null for anything else.
const clang::Expr *operatedObject(const clang::Expr &Site);

/// std::move and its kin: a call that names its argument.
bool isSameObjectCall(const clang::CallExpr &Call);
/// A function of namespace std (or a builtin of clang) with this name.
bool isStandardFunction(const clang::FunctionDecl *Function,
                        llvm::StringRef Name);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_ADDRESSES_ACCESSPATH_H
