// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function does with the pointers that it is handed, as far as identity
// goes:
//
//     bool is(const Node &n) const { return p == &n; }   tests p against n
//     Ref(Node *n) : p(n) {}                             stores n in p
//     void fill(Ref &r) { r = new Node; }                gives r a value,
//     always
//
// What a test, a default or an assignment says where it is written it says as
// well one call away. A summary is made once a unit, when a call is first asked
// about, and both the evidence and the guards read it.

#ifndef LINESMAN_TIDY_ANALYSIS_ADDRESSES_FUNCTIONSUMMARIES_H
#define LINESMAN_TIDY_ANALYSIS_ADDRESSES_FUNCTIONSUMMARIES_H

#include "Analysis/Addresses/AccessPath.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>

namespace linesman::tidy {

struct FunctionSummary {
  /// A place is compared for equality with what a parameter names or points to.
  struct Test {
    AccessPath Place;
    const clang::ParmVarDecl *Other = nullptr;
  };
  /// A place that the caller can name gets a value: a part of *this (no root),
  /// what a parameter refers to, or a part of that.
  struct Store {
    AccessPath Place;
    /// In the words of Function; null when it is not one expression.
    const clang::Expr *Value = nullptr;
    const clang::FunctionDecl *Function = nullptr;
    /// On every way through the summarised function.
    bool IsCertain = false;
  };
  llvm::SmallVector<Test, 1> Tests;
  llvm::SmallVector<Store, 1> Stores;
};

class FunctionSummaries {
public:
  /// Empty for a function without a visible body.
  const FunctionSummary &of(const clang::FunctionDecl &Function);

private:
  class Reader;
  llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<FunctionSummary>>
      Known;
};

/// The path of a pointer: a class of one pointer stands for the pointer, so
/// that r, r.p and what r's own methods call p are one place.
std::optional<AccessPath> pointerPathOf(const clang::Expr &E);
AccessPath withoutWrapping(AccessPath Path);

/// A call or construction, with what it works on.
struct CallParts {
  const clang::FunctionDecl *Callee = nullptr;
  /// What the method is called for; null for functions, and for a constructor,
  /// whose object has no name here.
  const clang::Expr *Object = nullptr;
  bool IsConstruction = false;
  llvm::ArrayRef<clang::Expr *> Arguments;

  /// The caller's expression for a parameter of the callee; null if there is
  /// none.
  const clang::Expr *argumentFor(const clang::ValueDecl *Parameter) const;
  /// What the caller calls a parameter of the callee, or its *this for null.
  std::optional<AccessPath> rootOf(const clang::ValueDecl *Inner) const;
  /// What the caller calls \p Inner, a place in the callee's words.
  std::optional<AccessPath> placeOf(const AccessPath &Inner) const;
};
std::optional<CallParts> callParts(const clang::Stmt &Call);

/// The static object whose address a construction or call keeps in what it
/// makes or works on: "nil" for Ref(&nil), r = &nil, r.set(&nil). Also for the
/// address by itself. Null when it does not.
const clang::VarDecl *keptStatic(const clang::Expr &E,
                                 FunctionSummaries &Summaries);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_ADDRESSES_FUNCTIONSUMMARIES_H
