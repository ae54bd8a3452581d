// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman-thread-slot where no number says whose an element is: a thread looks
// for a free one, takes it, and has its address from then on.
//
//     for (Slot &each : slots)
//       if (!each.used.exchange(true)) return &each;      the claim
//     slot->epoch.store(now);                             the owner's writes

#include "Analysis/Accesses/PlaceResolver.h"
#include "Analysis/Containers/ElementGaps.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Names/RecordLines.h"
#include "Analysis/Threads/ThreadStarts.h"
#include "LineReader.h"
#include "ThreadSlotCheck.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

class ThreadSlotCheck::ClaimReader : LineReader {
public:
  ClaimReader(ThreadSlotCheck &Check, ASTContext &Unit)
      : LineReader(Check, Unit), Check(Check) {}

  void read() {
    for (const Access &Use : Accesses.all())
      if (Use.Loop && isClaim(Use))
        checkClaim(Use);
  }

private:
  bool isClaim(const Access &Use) const {
    switch (Hot.operationOf(Use)) {
    case AtomicOperation::Exchange:
    case AtomicOperation::CompareExchange:
    case AtomicOperation::TestAndSet:
      return Use.Function && Use.Object.field() && Use.IsInCondition;
    default:
      return false;
    }
  }

  /// The array that the loop goes through.
  Element elementOf(const Access &Use) const {
    if (Use.Object.Index)
      return {Use.Object.Array, nullptr, Use.Object.ElementType};
    const auto *Loop = dyn_cast<CXXForRangeStmt>(Use.Loop);
    if (!Loop || !Loop->getRangeInit() ||
        !isContiguous(Loop->getRangeInit()->getType()))
      return {};
    const Place Container = PlaceResolver().ofObject(*Loop->getRangeInit());
    const ValueDecl *Name = Container.field();
    if (!Name)
      Name = Container.Root ? Container.Root : Container.Base;
    return {Name, nullptr,
            Loop->getLoopVariable()->getType().getNonReferenceType()};
  }

  /// Who calls it gets the element, or its number.
  static bool handsOut(const FunctionDecl &Function,
                       const RecordDecl &Element) {
    QualType Type = Function.getReturnType();
    if (Type->isPointerType() || Type->isReferenceType())
      Type = Type->getPointeeType();
    const RecordDecl *Record = Type->getAsRecordDecl();
    return Record && Record->getCanonicalDecl() == Element.getCanonicalDecl();
  }

  /// What the owner writes for others to see, again and again.
  const Access *ownersWrite(const RecordDecl &Element,
                            const Access &Claim) const {
    for (const FieldDecl *Field : Element.fields()) {
      if (Field == Claim.Object.field())
        continue;
      for (unsigned Index : Accesses.of(*Field)) {
        const Access &Use = Accesses.all()[Index];
        if (Use.Object.field() == Field && Use.Function != Claim.Function &&
            !Use.Loop && !Use.Object.Index && Hot.isHotWrite(Use) &&
            (Hot.isAtomic(Use) || HotAccesses::isVolatile(Use)))
          return &Use;
      }
    }
    return nullptr;
  }

  void checkClaim(const Access &Claim) {
    const RecordDecl *Record = Claim.Object.field()->getParent();
    const Element Part = elementOf(Claim);
    const ValueDecl *Array = Part.Array;
    if (!Array || Part.Type.isNull() || !Record->getDefinition() ||
        Check.common().isAccepted(*Array) ||
        Check.common().isAccepted(*Record) ||
        !handsOut(*Claim.Function, *Record))
      return;
    std::optional<RecordLines> Lines = RecordLines::build(*Record, Unit, Line);
    if (!Lines || Lines->size() % Line == 0)
      return;
    std::optional<uint64_t> Gap =
        gapBetween(Part.Type, Lines->size(), Line, Unit,
                   [](const FieldDecl &F) { return !isPaddingField(F); });
    if (!Gap || keepsApart(*Gap, Part.Type, Line, Unit))
      return;
    const Access *Use = ownersWrite(*Record, Claim);
    if (!Use || !Check.Reported.insert(Array->getLocation()).second)
      return;
    Check.warn(Check.place(*Use),
               {.Subject = *Array, .Function = Use->Function},
               "whoever takes an element of '%0' in '%1' writes it here, in "
               "'%2', but elements are %3 bytes apart and a cache line has %4: "
               "neighbours that different threads have write the same line; "
               "give the element type alignas(%4)")
        << plainName(*Array) << plainName(*Claim.Function)
        << plainName(*Use->Function) << unsigned(Lines->size())
        << unsigned(Line);
    Check.noteElement(Part, Unit);
  }

  ThreadSlotCheck &Check;
};

void ThreadSlotCheck::checkClaims(ASTContext &Unit) {
  ClaimReader(*this, Unit).read();
}

} // namespace linesman::tidy
