// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is a place known not to be a certain object where a statement runs?
//
//     if (p != &nil)             the edge to the write establishes it,
//       p->back = this;          and it holds here
//     p = q;                     an assignment ends it
//     p->back = this;            not known any more
//
// A must-analysis over clang's CFG: a fact holds in front of a block when it
// holds on every edge into it. Dominance by a test alone would accept a pointer
// that is assigned anew in between, as in every loop over a list. Short-circuit
// operators, early returns and asserts need nothing special, because the CFG
// has them as edges. A call tests and assigns what its callee's summary says.

#ifndef LINESMAN_TIDY_ANALYSIS_ADDRESSES_IDENTITYGUARD_H
#define LINESMAN_TIDY_ANALYSIS_ADDRESSES_IDENTITYGUARD_H

#include "Analysis/Addresses/AccessPath.h"
#include "Analysis/Addresses/FunctionSummaries.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <memory>

namespace linesman::tidy {

/// May the pointer (or reference) that this expression gives, in this function,
/// be to the object?
using MayHoldFunction = llvm::function_ref<bool(
    const clang::Expr &, const clang::FunctionDecl *, const clang::VarDecl &)>;

/// "This place is not that object", where it is asked.
struct IdentityQuestion {
  /// The definition that the site is in.
  const clang::FunctionDecl *Function = nullptr;
  const clang::Stmt *Site = nullptr;
  AccessPath Place;
  const clang::VarDecl *Object = nullptr;
};

class IdentityGuard {
public:
  /// \p Summaries outlives this.
  IdentityGuard(clang::ASTContext &Unit, FunctionSummaries &Summaries);
  ~IdentityGuard();

  /// True when on every way to the site a test or an assignment excludes the
  /// object. \p MayHold judges what is assigned.
  bool excludes(const IdentityQuestion &Question, MayHoldFunction MayHold);

private:
  struct Graph;

  Graph &graphOf(const clang::FunctionDecl &Function);

  clang::ASTContext &Unit;
  FunctionSummaries &Summaries;
  llvm::DenseMap<const clang::FunctionDecl *, std::unique_ptr<Graph>> Graphs;
};

/// Does \p Condition, being \p Outcome, say that \p Place is not \p Object?
/// Looks into functions whose body is such a test.
bool impliesDifferent(const clang::Expr &Condition, bool Outcome,
                      const AccessPath &Place, const clang::VarDecl &Object);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_ADDRESSES_IDENTITYGUARD_H
