// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman-lock-neighbour where it is not the lock that is beside the others'
// data, but what its holders write:
//
//     lock();  queue = queue->next;  unlock();      push, pop
//     share = 1 + left / workers;                   everybody, without the lock
//
//       -> each push and pop takes the line of `workers` from all who share

#include "Analysis/Accesses/FieldRoles.h"
#include "Analysis/Locks/LockUses.h"
#include "Analysis/Names/PlainName.h"
#include "LineReader.h"
#include "LockNeighbourCheck.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/SmallSet.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

class LockNeighbourCheck::WriteReader : LineReader {
public:
  WriteReader(LockNeighbourCheck &Check, ASTContext &Unit)
      : LineReader(Check, Unit), Check(Check), Roles(Hot, Kinds, Unit) {}

  void read() {
    for (const RecordDecl *Record : Accesses.records())
      if (!Check.common().isAccepted(*Record) &&
          llvm::any_of(Record->fields(), [&](const FieldDecl *Field) {
            return isLockField(*Field, Kinds);
          }))
        checkRecord(*Record);
  }

private:
  struct Pair {
    const FieldSpan *Lock = nullptr, *Written = nullptr, *Neighbour = nullptr;
    const Access *Write = nullptr, *Read = nullptr;
    unsigned Strength = 0;
    double Fraction = 0;
  };

  void checkRecord(const RecordDecl &Record) {
    std::optional<RecordLines> Lines = RecordLines::build(Record, Unit, Line);
    if (!Lines || Lines->size() <= Line)
      return;
    Pair Best;
    for (const FieldSpan &Lock : Lines->fields()) {
      if (!isLockField(*Lock.Field, Kinds) ||
          Check.common().isAccepted(*Lock.Field))
        continue;
      const LockUse Use = findUses(*Lock.Field, Hot, Unit);
      // One object for all, or a class that knows its lock: that of a request's
      // object is taken by who has it.
      if (Use.Takers.size() < 2 || Use.Take->Object.Index ||
          !(Use.Take->Object.Root || Use.Take->Object.IsThis))
        continue;
      for (const FieldSpan &Written : Lines->fields())
        if (const Access *Write = writeOfHolders(*Written.Field, Use))
          findVictim({&Lock, &Written, nullptr, Write}, *Lines, Use, Best);
    }
    if (Best.Neighbour && Reported.insert(Record.getLocation()).second)
      report(Best);
  }

  /// Two or more functions write it, and all of them take the lock.
  const Access *writeOfHolders(const FieldDecl &Field, const LockUse &Use) {
    if (isPaddingField(Field) || isLockField(Field, Kinds) ||
        !Field.getType()->isScalarType() || Check.common().isAccepted(Field))
      return nullptr;
    const Role &Word = Roles.of(Field);
    if (Word.Writers.size() < 2 || !Word.HotWriters.empty() ||
        llvm::any_of(Word.Writers, [&](const FunctionDecl *Writer) {
          return !Use.Takers.contains(Writer);
        }))
      return nullptr;
    for (unsigned Index : Accesses.of(Field)) {
      const Access &Write = Accesses.all()[Index];
      if (Write.writes() && Hot.isOnOperationPath(Write))
        return &Write;
    }
    return nullptr;
  }

  void findVictim(Pair Found, const RecordLines &Lines, const LockUse &Use,
                  Pair &Best) {
    const Role Written = Roles.of(*Found.Written->Field);
    for (const FieldSpan &Neighbour : Lines.fields()) {
      Found.Fraction = Lines.sharingFraction(*Found.Written, Neighbour);
      // Beside the lock itself, it is the lock's finding.
      if (Neighbour.Field == Found.Written->Field ||
          isPaddingField(*Neighbour.Field) ||
          isLockField(*Neighbour.Field, Kinds) ||
          Kinds.isSynchronization(Neighbour.Field->getType()) ||
          Accesses.isNamedInBrokenCode(*Neighbour.Field) ||
          Check.common().isAccepted(*Neighbour.Field) || Found.Fraction < 0.5 ||
          Lines.sharingFraction(*Found.Lock, Neighbour) >= 0.5 ||
          !Roles.of(*Neighbour.Field).Writers.empty())
        continue;
      Found.Neighbour = &Neighbour;
      Found.Strength = 0;
      Found.Read = nullptr;
      FunctionSet Readers;
      for (unsigned Index : Accesses.of(*Neighbour.Field)) {
        const Access &Read = Accesses.all()[Index];
        if (Read.Kind != AccessKind::Read || !Hot.isOnOperationPath(Read))
          continue;
        const FunctionDecl *Reader = Read.Function->getCanonicalDecl();
        if (Use.Takers.contains(Reader) || Written.Writers.contains(Reader) ||
            Written.Readers.contains(Reader) || !Readers.insert(Reader).second)
          continue;
        Found.Strength += 1 + (Read.Loop || isCalledInLoop(*Reader));
        if (!Found.Read)
          Found.Read = &Read;
      }
      const unsigned Needed = Use.Take->Object.Root ? 2 : 4;
      if (Found.Strength >= Needed &&
          std::tie(Found.Strength, Found.Fraction) >
              std::tie(Best.Strength, Best.Fraction))
        Best = Found;
    }
  }

  bool isCalledInLoop(const FunctionDecl &Function) const {
    return llvm::any_of(
        Accesses.calls(), [&](const UnitAccesses::CallSite &Site) {
          const auto *Call = dyn_cast<CallExpr>(Site.Call);
          const FunctionDecl *Callee =
              Call && Site.Loop ? Call->getDirectCallee() : nullptr;
          return Callee && Callee->getCanonicalDecl() == &Function;
        });
  }

  void report(const Pair &Found) {
    Check.warn(Check.place(*Found.Write),
               {.Subject = *Found.Written->Field,
                .Function = Found.Write->Function,
                .Neighbour = Found.Neighbour->Field},
               "'%0' (offset %1) is written here, in '%2', by who holds '%3', "
               "and %select{may share|shares}4 its cache line with '%5' "
               "(offset %6), which '%7' reads without that lock: each write "
               "makes the next such read a miss, whatever the lock keeps "
               "apart; keep them a line apart")
        << fieldName(*Found.Written->Field) << unsigned(Found.Written->Offset)
        << plainName(*Found.Write->Function) << fieldName(*Found.Lock->Field)
        << (Found.Fraction == 1) << fieldName(*Found.Neighbour->Field)
        << unsigned(Found.Neighbour->Offset)
        << plainName(*Found.Read->Function);
    Check.diag(Check.place(*Found.Read), "'%0' is read here, in '%1'",
               DiagnosticIDs::Note)
        << fieldName(*Found.Neighbour->Field)
        << plainName(*Found.Read->Function);
  }

  LockNeighbourCheck &Check;
  FieldRoles Roles;
  llvm::SmallSet<SourceLocation, 4> Reported;
};

void LockNeighbourCheck::checkWrites(ASTContext &Unit) {
  WriteReader(*this, Unit).read();
}

} // namespace linesman::tidy
