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
  Aligned.clear();

  auto IsCrowded = [&](const Element &Part) {
    uint64_t Stride = strideOf(Part.Type, Unit);
    return Stride != 0 && Stride % common().CacheLineSize != 0 && Part.Array &&
           !common().isAccepted(*Part.Array) &&
           !Part.Array->getType()->isReferenceType();
  };

  for (const Access &Each : Accesses.all()) {
    if (!Each.Object.Index || !Each.writes())
      continue;
    // The outermost is as much as the thread has to itself.
    const auto Elements = Each.Object.elements();
    const Element *Own = llvm::find_if(Elements, [&](const Element &Part) {
      return Kinds.isThreadIdentity(*Part.Index) ||
             Starts.isThreadNumber(*Part.Index, Each.Function);
    });
    if (Own == Elements.end() || !IsCrowded(*Own) || !isRepeated(Each, Hot) ||
        !Reported.insert(Own->Array->getLocation()).second)
      continue;
    diag(place(Each),
         "each thread writes its own element of '%0' here, but elements are %1 "
         "bytes apart and a cache line has %2: neighbouring threads write the "
         "same line; %select{make the element a record with|give the element "
         "type}3 alignas(%2)")
        << plainName(*Own->Array) << unsigned(strideOf(Own->Type, Unit))
        << common().CacheLineSize << isOwnRecord(Own->Type, Unit);
    noteElement(*Own, Unit);
  }

  for (const ThreadStarts::HandedElement &Each : Starts.handedElements()) {
    const Element Handed = Each.Object.elements().back();
    if (!IsCrowded(Handed) || !Starts.isWrittenByThreads(Each) ||
        !Reported.insert(Handed.Array->getLocation()).second)
      continue;
    diag(Each.Argument->getBeginLoc(),
         "each thread that this loop starts gets its own element of '%0' to "
         "write, but elements are %1 bytes apart and a cache line has %2: "
         "neighbouring threads write the same line; %select{make the element "
         "a record with|give the element type}3 alignas(%2)")
        << plainName(*Handed.Array) << unsigned(strideOf(Handed.Type, Unit))
        << common().CacheLineSize << isOwnRecord(Handed.Type, Unit);
    noteElement(Handed, Unit);
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

void ThreadSlotCheck::noteElement(const Element &Crowded,
                                  const ASTContext &Unit) {
  diag(Crowded.Array->getLocation(), "'%0' is declared here",
       DiagnosticIDs::Note)
      << plainName(*Crowded.Array);
  const RecordDecl *Record = Crowded.Type->getAsRecordDecl();
  if (!isOwnRecord(Crowded.Type, Unit) || !Record->getDefinition())
    return;
  Record = Record->getDefinition();
  if (const auto *Class = dyn_cast<CXXRecordDecl>(Record))
    if (const CXXRecordDecl *Pattern = Class->getTemplateInstantiationPattern())
      Record = Pattern;
  DiagnosticBuilder Note =
      diag(Record->getLocation(),
           "aligned to a line, each '%0' has its lines to itself; the type "
           "grows, and its ABI changes",
           DiagnosticIDs::Note);
  Note << plainName(*Record);
  // `struct alignas(64) Slot` needs a name to stand before, once for all
  // arrays.
  if (Unit.getLangOpts().CPlusPlus11 && Record->getIdentifier() &&
      !Record->getLocation().isMacroID() &&
      Aligned.insert(Record->getLocation()).second)
    Note << FixItHint::CreateInsertion(
        Record->getLocation(),
        "alignas(" + std::to_string(common().CacheLineSize) + ") ");
}

} // namespace linesman::tidy
