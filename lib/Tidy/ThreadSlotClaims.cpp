// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman-thread-slot where no number says whose an element is: a thread looks
// for a free one, takes it, and has its address from then on.
//
//     for (Slot &each : slots)
//       if (!each.used.exchange(true)) return &each;      the claim
//     slot->epoch.store(now);                             the owner's writes
//
// Or an element says whose it is:
//
//     while (pools[i].owner != thread_id()) ++i;          who looks for it
//     pools[i].owner = thread_id();                       the mark
//     pools[i].used += size;                              the owner's writes

#include "Analysis/Accesses/PlaceResolver.h"
#include "Analysis/Containers/ElementGaps.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Names/RecordLines.h"
#include "Analysis/Threads/IndexOrigin.h"
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
      : LineReader(Check, Unit), Check(Check), Starts(Accesses),
        Origin(Accesses, Kinds, Starts) {}

  void read() {
    for (const Access &Use : Accesses.all())
      if (Use.Loop && isClaim(Use))
        checkClaim(Use);
      else if (isMark(Use))
        checkMark(Use);
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

  /// pools[i].owner = thread_id(), where others look for theirs.
  bool isMark(const Access &Use) const {
    const FieldDecl *Mark = Use.Object.field();
    if (Use.Kind != AccessKind::Write || !Mark || !Use.Function ||
        !Use.Object.Index || !Mark->getType()->isIntegerType())
      return false;
    const auto *Store = dyn_cast<BinaryOperator>(Use.Site->IgnoreParens());
    return Store && Store->getOpcode() == BO_Assign &&
           Origin.isThreadNumber(*Store->getRHS(), Use.Function) &&
           llvm::any_of(Accesses.of(*Mark), [&](unsigned Index) {
             const Access &Look = Accesses.all()[Index];
             return Look.Kind == AccessKind::Read && Look.IsInCondition &&
                    Look.Loop && Look.Object.Index &&
                    Look.Object.field() == Mark;
           });
  }

  /// Another word of the element, counted by who has found its own.
  const Access *ownersCount(const Access &Mark) const {
    for (const Access &Use : Accesses.all()) {
      const FieldDecl *Field = Use.Object.field();
      if (Field && Field != Mark.Object.field() && Use.Object.Index &&
          Use.Object.Array == Mark.Object.Array &&
          Field->getParent() == Mark.Object.field()->getParent() &&
          Hot.kindOf(Use) == AccessKind::Update && Hot.isHotWrite(Use))
        return &Use;
    }
    return nullptr;
  }

  void checkMark(const Access &Mark) {
    const Element Part = Mark.Object.elements().back();
    const RecordDecl *Record = Mark.Object.field()->getParent();
    if (!Part.Array || Part.Type.isNull() ||
        Part.Type->getAsRecordDecl() != Record ||
        Check.common().isAccepted(*Part.Array) ||
        Check.common().isAccepted(*Record))
      return;
    const std::optional<uint64_t> Stride = crowdedStrideOf(*Record, Part);
    const Access *Use = Stride ? ownersCount(Mark) : nullptr;
    if (!Use || !Check.Reported.insert(Part.Array->getLocation()).second)
      return;
    Check.warn(
        Check.place(*Use), {.Subject = *Part.Array, .Function = Use->Function},
        "'%1' of each element of '%0' says whose thread's it is, and its "
        "owner writes it here, in '%2', but elements are %3 bytes apart "
        "and a cache line has %4: neighbours that different threads "
        "have write the same line; give the element type alignas(%4)")
        << plainName(*Part.Array) << fieldName(*Mark.Object.field())
        << plainName(*Use->Function) << unsigned(*Stride) << unsigned(Line);
    Check.noteElement(Part, Unit);
  }

  /// From one element to the next, where neighbours share lines.
  std::optional<uint64_t> crowdedStrideOf(const RecordDecl &Record,
                                          const Element &Part) const {
    const std::optional<RecordLines> Lines =
        Record.getDefinition() ? RecordLines::build(Record, Unit, Line)
                               : std::nullopt;
    if (!Lines || Lines->size() % Line == 0)
      return std::nullopt;
    const std::optional<uint64_t> Gap =
        gapBetween(Part.Type, Lines->size(), Line, Unit,
                   [](const FieldDecl &F) { return !isPaddingField(F); });
    if (!Gap || keepsApart(*Gap, Part.Type, Line, Unit))
      return std::nullopt;
    return Lines->size();
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
    const std::optional<uint64_t> Stride = crowdedStrideOf(*Record, Part);
    if (!Stride)
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
        << plainName(*Use->Function) << unsigned(*Stride) << unsigned(Line);
    Check.noteElement(Part, Unit);
  }

  ThreadSlotCheck &Check;
  ThreadStarts Starts;
  IndexOrigin Origin;
};

void ThreadSlotCheck::checkClaims(ASTContext &Unit) {
  ClaimReader(*this, Unit).read();
}

} // namespace linesman::tidy
