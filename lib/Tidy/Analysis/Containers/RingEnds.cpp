// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Containers/RingEnds.h"
#include "Analysis/Code/LocalValues.h"
#include "Analysis/Code/VisibleBody.h"

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

void RingEnds::addSums(const FunctionDecl &Function) {
  const FunctionDecl *Definition = nullptr;
  if (visibleBody(Function, Definition) && Read.insert(Definition).second)
    addSums(*Definition->getBody(), *Definition);
}

void RingEnds::addSums(const Stmt &S, const FunctionDecl &Function) {
  if (const auto *Binary = dyn_cast<BinaryOperator>(&S);
      Binary && Binary->getOpcode() == BO_Add &&
      Binary->getType()->isPointerType() &&
      !Binary->getType()->getPointeeType().isConstQualified()) {
    const bool IsLeft = Binary->getLHS()->getType()->isPointerType();
    const auto *Member = dyn_cast<MemberExpr>(
        (IsLeft ? Binary->getLHS() : Binary->getRHS())->IgnoreParenCasts());
    if (const auto *Array = dyn_cast_if_present<FieldDecl>(
            Member ? Member->getMemberDecl() : nullptr)) {
      FieldSet Sources;
      addSources(IsLeft ? Binary->getRHS() : Binary->getLHS(), Function,
                 Sources);
      for (const FieldDecl *Field : Sources)
        if (Field != Array)
          Arrays[Field].insert(Array);
    }
  }
  for (const Stmt *Child : S.children())
    if (Child)
      addSums(*Child, Function);
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

llvm::SmallVector<const FieldDecl *, 2>
RingEnds::positionsIn(const FieldDecl &Array) const {
  llvm::SmallVector<const FieldDecl *, 2> Positions;
  for (const auto &[Field, OfField] : Arrays)
    if (OfField.contains(&Array))
      Positions.push_back(Field);
  llvm::sort(Positions, [](const FieldDecl *A, const FieldDecl *B) {
    return std::make_pair(A->getParent()->getLocation(), A->getFieldIndex()) <
           std::make_pair(B->getParent()->getLocation(), B->getFieldIndex());
  });
  return Positions;
}

bool RingEnds::pickFromOneArray(const FieldDecl &A, const FieldDecl &B) const {
  auto OfA = Arrays.find(&A), OfB = Arrays.find(&B);
  return OfA != Arrays.end() && OfB != Arrays.end() &&
         llvm::any_of(OfA->second, [&](const ValueDecl *Array) {
           return OfB->second.contains(Array);
         });
}

} // namespace linesman::tidy
