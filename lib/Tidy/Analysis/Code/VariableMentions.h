// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every place of a unit that names a variable, whatever it is part of: default
// arguments, bounds of arrays, clauses of OpenMP, Objective-C's methods and
// blocks, patterns of templates. UnitAccesses follows what runs; this is for
// who must not overlook anything.

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_VARIABLEMENTIONS_H
#define LINESMAN_TIDY_ANALYSIS_CODE_VARIABLEMENTIONS_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace linesman::tidy {

/// Where names are in the code. An instantiation's are where its pattern's are.
using MentionSet = llvm::SmallDenseSet<clang::SourceLocation, 4>;

class VariableMentions {
public:
  /// One walk over the unit, system headers excluded, for all \p Variables.
  VariableMentions(clang::ASTContext &Unit,
                   llvm::ArrayRef<const clang::VarDecl *> Variables);

  const MentionSet &of(const clang::VarDecl &Variable) const;

private:
  class Visitor;

  llvm::DenseMap<const clang::VarDecl *, MentionSet> Mentions;
};

/// Adds where \p Variable is named as (a part of) what the assignment,
/// increment, atomic operation or call of a method works on: not in an index on
/// the way, and not in its operands.
void addTargetMentions(const clang::Expr &Site, const clang::VarDecl &Variable,
                       MentionSet &Targets);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_VARIABLEMENTIONS_H
