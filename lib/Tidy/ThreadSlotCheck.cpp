// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An index that names the thread says what the author wanted: an element for
// each thread. The stride says whether each got a line as well. One report an
// array.

#include "ThreadSlotCheck.h"
#include "Analysis/HotAccesses.h"
#include "Analysis/PlainName.h"
#include "Analysis/ThreadStarts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/SmallSet.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

namespace {

/// The element as its author wrote it: `stats[id].hits` is one of stats.
uint64_t strideOf(QualType Element, const ASTContext &Unit) {
  if (Element.isNull() || Element->isIncompleteType() ||
      Element->isDependentType() || Element->isVoidType() ||
      Element->isFunctionType())
    return 0;
  return Unit.getTypeSizeInChars(Element.getNonReferenceType()).getQuantity();
}

/// A record that can be given an attribute; std::atomic cannot.
bool isOwnRecord(QualType Element, const ASTContext &Unit) {
  const RecordDecl *Record = Element->getAsRecordDecl();
  return Record &&
         !Unit.getSourceManager().isInSystemHeader(Record->getLocation());
}

} // namespace

void ThreadSlotCheck::checkUnit(ASTContext &Unit) {
  TypeKinds Kinds = typeKinds();
  const UnitAccesses &Accesses = accesses(Unit);
  HotAccesses Hot(Accesses, Kinds);
  ThreadStarts Starts(Accesses);
  llvm::SmallSet<SourceLocation, 8> Reported;

  auto IsCrowded = [&](const Place &Object) {
    uint64_t Stride = strideOf(Object.ElementType, Unit);
    return Stride != 0 && Stride % common().CacheLineSize != 0 &&
           Object.Array && !common().isAccepted(*Object.Array) &&
           Object.Array->getType()->isReferenceType() == false;
  };

  for (const Access &Each : Accesses.all()) {
    const Place &Object = Each.Object;
    if (!Object.Index || !Each.writes() || !IsCrowded(Object))
      continue;
    bool IsOwnSlot = Kinds.isThreadIdentity(*Object.Index) ||
                     Starts.isThreadNumber(*Object.Index, Each.Function);
    if (!IsOwnSlot || !isRepeated(Each, Hot) ||
        !Reported.insert(Object.Array->getLocation()).second)
      continue;
    diag(place(Each),
         "each thread writes its own element of '%0' here, but elements are %1 "
         "bytes apart and a cache line has %2: neighbouring threads write the "
         "same line; %select{make the element a record with|give the element "
         "type}3 alignas(%2)")
        << plainName(*Object.Array)
        << unsigned(strideOf(Object.ElementType, Unit))
        << common().CacheLineSize << isOwnRecord(Object.ElementType, Unit);
    noteElement(Object, Unit);
  }

  for (const ThreadStarts::HandedElement &Each : Starts.handedElements()) {
    if (!IsCrowded(Each.Object) || !Starts.isWrittenByThreads(Each) ||
        !Reported.insert(Each.Object.Array->getLocation()).second)
      continue;
    diag(Each.Argument->getBeginLoc(),
         "each thread that this loop starts gets its own element of '%0' to "
         "write, but elements are %1 bytes apart and a cache line has %2: "
         "neighbouring threads write the same line; %select{make the element "
         "a record with|give the element type}3 alignas(%2)")
        << plainName(*Each.Object.Array)
        << unsigned(strideOf(Each.Object.ElementType, Unit))
        << common().CacheLineSize << isOwnRecord(Each.Object.ElementType, Unit);
    noteElement(Each.Object, Unit);
  }
}

bool ThreadSlotCheck::isRepeated(const Access &Each, HotAccesses &Hot) const {
  if (!Hot.isOnOperationPath(Each))
    return false;
  if (Hot.kindOf(Each) == AccessKind::Update || common().Strict || Each.Loop)
    return true;
  // `slots[id] = new Slot` happens once a thread, and so does what is done to a
  // container or an object of its own: only plain words are per-operation
  // state.
  const FieldDecl *Field = Each.Object.field();
  QualType Type = !Field || Field == Each.Object.Array ? Each.Object.ElementType
                                                       : Field->getType();
  Type = Type.getNonReferenceType();
  return Hot.kindOf(Each) == AccessKind::Write &&
         (Type->isArithmeticType() || Hot.isAtomic(Each));
}

void ThreadSlotCheck::noteElement(const Place &Object, const ASTContext &Unit) {
  diag(Object.Array->getLocation(), "'%0' is declared here",
       DiagnosticIDs::Note)
      << plainName(*Object.Array);
  const RecordDecl *Element = Object.ElementType->getAsRecordDecl();
  if (!isOwnRecord(Object.ElementType, Unit) || !Element->getDefinition())
    return;
  Element = Element->getDefinition();
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Element))
    if (const CXXRecordDecl *Pattern = Class->getTemplateInstantiationPattern())
      Element = Pattern;
  DiagnosticBuilder Note =
      diag(Element->getLocation(),
           "aligned to a line, each '%0' has its lines to itself; the type "
           "grows, and its ABI changes",
           DiagnosticIDs::Note);
  Note << plainName(*Element);
  // `struct alignas(64) Slot` needs a name to stand before.
  if (Unit.getLangOpts().CPlusPlus11 && Element->getIdentifier() &&
      !Element->getLocation().isMacroID())
    Note << FixItHint::CreateInsertion(
        Element->getLocation(),
        "alignas(" + std::to_string(common().CacheLineSize) + ") ");
}

} // namespace linesman::tidy
