// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parameter that is no pointer or reference to const, in a function that only
// reads through it all the same:
//
//     Wide load(Wide &from) { return {__atomic_load_n(&from.a, order), ...}; }
//
// Whoever calls it looks at the object, and does not write it.

#ifndef LINESMAN_TIDY_ANALYSIS_ACCESSES_PARAMETERUSES_H
#define LINESMAN_TIDY_ANALYSIS_ACCESSES_PARAMETERUSES_H

#include "Analysis/Names/TypeKinds.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/DenseMap.h"

namespace linesman::tidy {

class ParameterUses {
public:
  explicit ParameterUses(const TypeKinds &Kinds) : Kinds(Kinds) {}

  /// \p Callee has a visible body of a few statements, which loads what its
  /// parameter \p Index leads to, and does nothing else with it.
  bool onlyReads(const clang::FunctionDecl &Callee, unsigned Index);

private:
  const TypeKinds &Kinds;
  llvm::DenseMap<const clang::ParmVarDecl *, bool> Known;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_ACCESSES_PARAMETERUSES_H
