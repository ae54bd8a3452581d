// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words of an object whose names say that they are two sides' of one thing:
//
//     stats->rx_packets++;  in receive()    stats->tx_packets++;  in send()
//
// Nothing in the unit says that different threads run the two functions; where
// they do, each count makes the other's next one a miss. The names have to be
// the same but for the side, so that the two are counts of one kind. A unit has
// many such pairs in one record, and one is reported.

#include "AdjacentWritersCheck.h"
#include "Analysis/Accesses/FieldRoles.h"
#include "Analysis/Locks/LockUses.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Names/WordSwitch.h"
#include "LineReader.h"
#include "clang/AST/ASTContext.h"

using namespace clang;

namespace linesman::tidy {

namespace {

struct Side {
  unsigned Family = 0;
  bool IsFirst = false;

  bool isOpposite(const Side &Other) const {
    return Family != 0 && Family == Other.Family && IsFirst != Other.IsFirst;
  }
};

Side sideOf(llvm::StringRef Word) {
  const unsigned Number =
      WordSwitch<unsigned>(Word)
          .Case("rx", 2)
          .Case("tx", 3)
          .Cases({"recv", "received", "receive"}, 4)
          .Cases({"send", "sent"}, 5)
          .Cases({"in", "input", "inbound"}, 6)
          .Cases({"out", "output", "outbound"}, 7)
          .Cases({"read", "reads", "reader"}, 8)
          .Cases({"write", "writes", "written", "writer"}, 9)
          .Cases({"enqueue", "enqueued"}, 10)
          .Cases({"dequeue", "dequeued"}, 11)
          .Cases({"produced", "producer", "push"}, 12)
          .Cases({"consumed", "consumer", "pop"}, 13)
          .Default(0);
  return {Number / 2, Number % 2 == 0};
}

/// The names are the same but for one word, which is one side's in each.
bool areTwoSides(llvm::StringRef A, llvm::StringRef B) {
  const auto OfA = wordsOf(A), OfB = wordsOf(B);
  if (OfA.size() != OfB.size())
    return false;
  bool AreOpposite = false;
  for (size_t I = 0; I != OfA.size(); ++I) {
    if (OfA[I] == OfB[I])
      continue;
    if (AreOpposite || !sideOf(OfA[I]).isOpposite(sideOf(OfB[I])))
      return false;
    AreOpposite = true;
  }
  return AreOpposite;
}

} // namespace

class AdjacentWritersCheck::SideReader : LineReader {
public:
  SideReader(AdjacentWritersCheck &Check, ASTContext &Unit)
      : LineReader(Check, Unit), Check(Check), Roles(Hot, Kinds, Unit) {}

  void read() {
    for (const RecordDecl *Record : Accesses.records())
      if (!Check.common().isAccepted(*Record) && checkRecord(*Record))
        return;
  }

private:
  /// Counted on the spot by operations, without a lock, and not set back by
  /// them: a position in a buffer is moved both ways by whoever has it.
  bool isCount(const FieldDecl &Field) {
    if (!Field.getType()->isIntegerType() && !Kinds.isAtomic(Field.getType()))
      return false;
    bool IsCounted = false;
    for (unsigned Index : Accesses.of(Field)) {
      const Access &Use = Accesses.all()[Index];
      if (Use.Object.field() != &Field || !Use.writes() || Use.IsConstruction)
        continue;
      if (Use.Object.Root || Use.Object.Index || Use.Object.IsLocalObject)
        return false;
      if (!Hot.isOnOperationPath(Use))
        continue;
      if (Hot.isLocked(Use) ||
          !(HotAccesses::isPlainCounting(Use) ||
            Hot.operationOf(Use) == AtomicOperation::FetchModify))
        return false;
      IsCounted |= Accesses.isUsedHere(*Use.Function);
    }
    return IsCounted;
  }

  bool checkRecord(const RecordDecl &Record) {
    llvm::SmallVector<const FieldDecl *, 8> Counts;
    for (const FieldDecl *Field : Record.fields())
      if (Field->getIdentifier() && !Field->isBitField() &&
          !Check.common().isAccepted(*Field) &&
          !Accesses.isNamedInBrokenCode(*Field) &&
          !Check.analyses().Named.contains(Field->getLocation()) &&
          llvm::any_of(
              wordsOf(Field->getName()),
              [](llvm::StringRef Word) { return sideOf(Word).Family != 0; }) &&
          isCount(*Field))
        Counts.push_back(Field);
    if (Counts.size() < 2)
      return false;
    std::optional<RecordLines> Lines = RecordLines::build(Record, Unit, Line);
    if (!Lines || Lines->isolatesDeliberately())
      return false;
    for (const FieldDecl *A : Counts)
      for (const FieldDecl *B : Counts) {
        std::optional<FieldSpan> OfA = Lines->find(*A), OfB = Lines->find(*B);
        if (OfA && OfB && OfA->Offset < OfB->Offset &&
            areTwoSides(A->getName(), B->getName()) &&
            haveNoneInCommon(Roles.of(*A).Writers, Roles.of(*B).Writers) &&
            Lines->sharing(*OfA, *OfB) != LineSharing::Never)
          return report(*OfA, *OfB, Lines->sharing(*OfA, *OfB));
      }
    return false;
  }

  bool report(const FieldSpan &A, const FieldSpan &B, LineSharing Sharing) {
    const Access &First = *Roles.of(*A.Field).Write;
    const Access &Second = *Roles.of(*B.Field).Write;
    Check.warn(B.Field->getLocation(),
               {.Subject = *B.Field,
                .Function = Second.Function,
                .Neighbour = A.Field},
               "'%0' (offset %1) and '%2' (offset %3) %select{may be|are}4 on "
               "one cache line, and '%5' counts in one, '%6' in the other: if "
               "one thread runs the first and another the second for the same "
               "object, each count makes the other's next one a miss; keep "
               "what the two sides write a line apart")
        << fieldName(*A.Field) << unsigned(A.Offset) << fieldName(*B.Field)
        << unsigned(B.Offset) << (Sharing == LineSharing::Certain)
        << plainName(*First.Function) << plainName(*Second.Function);
    return true;
  }

  AdjacentWritersCheck &Check;
  FieldRoles Roles;
};

void AdjacentWritersCheck::checkRest(ASTContext &Unit) {
  SideReader(*this, Unit).read();
}

} // namespace linesman::tidy
