// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/RingEnds.h"
#include "Analysis/LocalValues.h"

using namespace clang;

namespace linesman::tidy {

RingEnds::RingEnds(const UnitAccesses &Accesses) {
  for (const Access &Use : Accesses.all()) {
    if (!Use.Function)
      continue;
    for (const Element &Part : Use.Object.elements()) {
      // A table of names or constants is no ring.
      if (!isa_and_nonnull<FieldDecl>(Part.Array) || !Part.Index ||
          Part.Index->isValueDependent() || Part.Type.isConstQualified())
        continue;
      FieldSet Sources;
      addSources(Part.Index, *Use.Function, Sources);
      for (const FieldDecl *Field : Sources)
        if (Field != Part.Array)
          Arrays[Field].insert(Part.Array);
    }
  }
}

void RingEnds::addSources(const Stmt *E, const FunctionDecl &Function,
                          FieldSet &Sources) {
  if (!E)
    return;
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    if (const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl()))
      Sources.insert(Field);
  if (const auto *Ref = dyn_cast<DeclRefExpr>(E))
    if (const auto *Local = dyn_cast<VarDecl>(Ref->getDecl());
        Local && Local->hasLocalStorage() && !isa<ParmVarDecl>(Local)) {
      const FieldSet &Own = sourcesOf(*Local, Function);
      if (&Own != &Sources)
        Sources.insert(Own.begin(), Own.end());
    }
  for (const Stmt *Child : E->children())
    addSources(Child, Function, Sources);
}

const RingEnds::FieldSet &RingEnds::sourcesOf(const VarDecl &Local,
                                              const FunctionDecl &Function) {
  auto Found = OfLocals.find(&Local);
  if (Found != OfLocals.end())
    return *Found->second;
  auto Made = std::make_unique<FieldSet>();
  FieldSet &Sources = *Made;
  OfLocals[&Local] = std::move(Made);
  for (const Expr *Value : valuesOf(Local, Function))
    addSources(Value, Function, Sources);
  return Sources;
}

bool RingEnds::picks(const FieldDecl &Word) const {
  auto Found = Arrays.find(&Word);
  return Found != Arrays.end() &&
         llvm::any_of(Found->second, [&](const ValueDecl *Array) {
           return cast<FieldDecl>(Array)->getParent() == Word.getParent();
         });
}

bool RingEnds::pickFromOneArray(const FieldDecl &A, const FieldDecl &B) const {
  auto OfA = Arrays.find(&A), OfB = Arrays.find(&B);
  return OfA != Arrays.end() && OfB != Arrays.end() &&
         llvm::any_of(OfA->second, [&](const ValueDecl *Array) {
           return OfB->second.contains(Array);
         });
}

} // namespace linesman::tidy
