// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/RingEnds.h"
#include "Analysis/LocalValues.h"

using namespace clang;

namespace linesman::tidy {

RingEnds::RingEnds(const UnitAccesses &Accesses) {
  for (const Access &Each : Accesses.all()) {
    if (!Each.Function)
      continue;
    for (const Element &Part : Each.Object.elements())
      if (Part.Array && Part.Index && !Part.Index->isValueDependent())
        addSources(Part.Index, *Each.Function, *Part.Array, /*Depth=*/0);
  }
}

void RingEnds::addSources(const Stmt *E, const FunctionDecl &Function,
                          const ValueDecl &Array, unsigned Depth) {
  // A position that is masked, and kept in a local before.
  constexpr unsigned MaxDepth = 3;
  if (!E || Depth > MaxDepth)
    return;
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    if (const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
        Field && Field != &Array)
      Arrays[Field].insert(&Array);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    if (const auto *Local = dyn_cast<VarDecl>(Ref->getDecl());
        Local && Local->hasLocalStorage() && !isa<ParmVarDecl>(Local))
      for (const Expr *Value : valuesOf(*Local, Function))
        addSources(Value, Function, Array, Depth + 1);
  for (const Stmt *Child : E->children())
    addSources(Child, Function, Array, Depth);
}

bool RingEnds::pickFromOneArray(const FieldDecl &A, const FieldDecl &B) const {
  auto OfA = Arrays.find(&A), OfB = Arrays.find(&B);
  return OfA != Arrays.end() && OfB != Arrays.end() &&
         llvm::any_of(OfA->second, [&](const ValueDecl *Array) {
           return OfB->second.contains(Array);
         });
}

} // namespace linesman::tidy
