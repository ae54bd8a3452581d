// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asked only about candidates, so locks and callers are looked up lazily.

#include "Analysis/HotAccesses.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace linesman::tidy {

AccessKind HotAccesses::kindOf(const Access &Each) const {
  if (Each.Kind != AccessKind::Mutate)
    return Each.Kind;
  const FieldDecl *Field = Each.Object.field();
  QualType Type = Field              ? Field->getType()
                  : Each.Object.Root ? Each.Object.Root->getType()
                                     : QualType();
  if (Type.isNull())
    return Each.Kind;
  if (Kinds.isSynchronization(Type))
    return AccessKind::Update;
  if (Kinds.isAtomic(Type)) {
    switch (Kinds.operationOf(*Each.Site)) {
    case AtomicOperation::Load:
      return AccessKind::Read;
    case AtomicOperation::Store:
    case AtomicOperation::Clear:
      return AccessKind::Write;
    default:
      return AccessKind::Update;
    }
  }
  return Each.Kind;
}

bool HotAccesses::isAtomic(const Access &Each) const {
  if (Each.Atomic != AtomicOperation::None)
    return true;
  const FieldDecl *Field = Each.Object.field();
  if (Field)
    return Kinds.isAtomic(Field->getType());
  return Each.Object.Root && Kinds.isAtomic(Each.Object.Root->getType());
}

bool HotAccesses::isOnOperationPath(const Access &Each) {
  return !Each.IsConstruction && Paths.isOperation(Each.Function);
}

bool HotAccesses::isLocked(const Access &Each) {
  if (Each.Object.Root && LockEvidence::isGuarded(*Each.Object.Root))
    return true;
  for (const FieldDecl *Field : Each.Object.Path)
    if (LockEvidence::isGuarded(*Field))
      return true;
  return !Locks
              .heldAt(Each.code(),
                      [&](const FunctionDecl &Function) {
                        return Accesses.callersOf(Function);
                      })
              .empty();
}

bool HotAccesses::isReadBefore(const Access &Each) const {
  if (!Each.Function)
    return false;
  for (unsigned Index : Accesses.in(*Each.Function)) {
    const Access &Other = Accesses.all()[Index];
    if (&Other == &Each)
      return false;
    if ((Other.Kind == AccessKind::Read || Other.IsResultUsed) &&
        Other.Kind != AccessKind::Address && Other.Object.isSameAs(Each.Object))
      return true;
  }
  return false;
}

bool HotAccesses::isReadMostly(const FieldDecl &Field, const Access *&Reader,
                               unsigned &Functions) {
  if (isPaddingField(Field) || Kinds.isSynchronization(Field.getType()))
    return false;
  Reader = nullptr;
  llvm::SmallPtrSet<const FunctionDecl *, 4> Readers;
  for (unsigned Index : Accesses.of(Field)) {
    const Access &Each = Accesses.all()[Index];
    if (!isOnOperationPath(Each))
      continue;
    if (Each.writes() || Each.Kind == AccessKind::Address)
      return false;
    if (isLocked(Each))
      continue;
    if (!Reader)
      Reader = &Each;
    Readers.insert(Each.Function->getCanonicalDecl());
  }
  Functions = Readers.size();
  return Reader;
}

std::optional<HotPair>
HotAccesses::readMostlyNeighbour(const RecordLines &Lines,
                                 const FieldDecl &Written) {
  std::optional<FieldSpan> Span = Lines.find(Written);
  if (!Span)
    return std::nullopt;
  std::optional<HotPair> Best;
  for (const FieldSpan &Other : Lines.fields()) {
    if (Other.Field == &Written)
      continue;
    HotPair Pair{*Span, Other, Lines.sharingFraction(*Span, Other)};
    if (Pair.Fraction == 0 || (Best && Pair.Fraction < Best->Fraction) ||
        !isReadMostly(*Other.Field, Pair.Reader, Pair.ReadingFunctions))
      continue;
    if (!Best || Pair.Fraction > Best->Fraction ||
        Pair.ReadingFunctions > Best->ReadingFunctions)
      Best = Pair;
  }
  return Best;
}

} // namespace linesman::tidy
