// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One pass over the accesses of a field, remembered: each field of a record is
// asked about once for each of its neighbours.

#include "Analysis/Accesses/FieldRoles.h"
#include "Analysis/Code/ParallelRegions.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace linesman::tidy {

namespace {

bool hasComparison(const Expr &Condition) {
  const auto *Binary =
      dyn_cast<BinaryOperator>(Condition.IgnoreParenImpCasts());
  return Binary &&
         (Binary->isRelationalOp() || (Binary->getOpcode() == BO_LAnd &&
                                       (hasComparison(*Binary->getLHS()) ||
                                        hasComparison(*Binary->getRHS()))));
}

} // namespace

bool keepsExtreme(const Access &Use) {
  const Expr *Condition = nullptr;
  if (const auto *While = dyn_cast_if_present<WhileStmt>(Use.Loop))
    Condition = While->getCond();
  else if (const auto *Do = dyn_cast_if_present<DoStmt>(Use.Loop))
    Condition = Do->getCond();
  else if (const auto *For = dyn_cast_if_present<ForStmt>(Use.Loop))
    Condition = For->getCond();
  return Condition && hasComparison(*Condition);
}

bool isBehindField(const Access &Use, const FieldDecl &Field) {
  if (Use.Object.IsPointee && Use.Object.field() == &Field)
    return true;
  if (!Use.Object.Index || Use.Object.Array != &Field ||
      Use.Object.field() != &Field || Field.getType()->isArrayType())
    return false;
  const auto *Class = Field.getType()->getAsCXXRecordDecl();
  return !Class || !Class->getIdentifier() || Class->getName() != "array";
}

bool haveNoneInCommon(const FunctionSet &A, const FunctionSet &B) {
  return llvm::none_of(A, [&](const FunctionDecl *F) { return B.contains(F); });
}

const Role &FieldRoles::of(const FieldDecl &Field) {
  auto Found = Known.find(&Field);
  if (Found != Known.end())
    return Found->second;
  return Known[&Field] = read(Hot.accesses().of(Field));
}

const Role &FieldRoles::of(const VarDecl &Static) {
  auto Found = Known.find(&Static);
  if (Found != Known.end())
    return Found->second;
  return Known[&Static] = read(Hot.accesses().of(Static));
}

namespace {

/// Reached through a thread's own variable: no other thread is there.
bool isOwnThreads(const Place &Object) {
  for (const VarDecl *Var : {Object.Root, Object.Base})
    if (Var && isPerThread(*Var))
      return true;
  return false;
}

} // namespace

Role FieldRoles::read(llvm::ArrayRef<unsigned> Indices) {
  Role Result;
  for (unsigned Index : Indices) {
    const Access &Use = Hot.accesses().all()[Index];
    const FieldDecl *Last = Use.Object.field();
    if (!Hot.isOnOperationPath(Use) || isOwnThreads(Use.Object))
      continue;
    // What a reference stands for is somewhere else.
    if (Last && Last->getType()->isReferenceType() && Use.writes())
      continue;
    const FunctionDecl *Function = Use.Function->getCanonicalDecl();
    AccessKind Kind = Hot.kindOf(Use);
    if (Last && isBehindField(Use, *Last))
      Kind = AccessKind::Read;
    bool Writes = Kind != AccessKind::Read && Kind != AccessKind::Address;
    if (Writes || Kind == AccessKind::Address) {
      Result.Writers.insert(Function);
      Result.WritesAreAtomic &= Kind == AccessKind::Address ||
                                HotAccesses::isVolatile(Use) ||
                                Hot.isAtomic(Use);
    }
    if (Writes && !Hot.isLocked(Use)) {
      Result.HotWriters.insert(Function);
      if (!Result.Write)
        Result.Write = &Use;
    }
    if (Kind == AccessKind::Update) {
      Result.Updaters.insert(Function);
      Result.Steers |= Use.Loop &&
                       Use.Atomic == AtomicOperation::CompareExchange &&
                       !keepsExtreme(Use);
    }
    bool IsRead = Kind == AccessKind::Read ||
                  (Kind == AccessKind::Update && Use.IsResultUsed);
    if (!IsRead)
      continue;
    Result.IsUsed |= Use.IsInCondition || Use.IsResultUsed;
    if (Kind == AccessKind::Read && !Hot.isLocked(Use)) {
      Result.Readers.insert(Function);
      Result.IsTested |= Use.IsInCondition;
      Result.Reads.push_back(&Use);
    }
  }
  // An address that is taken and nothing else says nothing of atomics.
  if (!Result.Write)
    Result.WritesAreAtomic &= Result.Writers.empty();
  return Result;
}

unsigned FieldRoles::strengthOf(const Role &Read, const FunctionSet &Excluded,
                                HotPair &Pair) const {
  const SourceManager &Sources = Unit.getSourceManager();
  FunctionSet Seen, Looping;
  Pair.Strength = 0;
  Pair.Reader = nullptr;
  Pair.IsReadInHeader = false;
  for (const Access *Use : Read.Reads) {
    const FunctionDecl *Function = Use->Function->getCanonicalDecl();
    if (Excluded.contains(Function))
      continue;
    if (!Pair.Reader)
      Pair.Reader = Use;
    if (Seen.insert(Function).second) {
      SourceLocation Place =
          Sources.getExpansionLoc(Use->Function->getLocation());
      bool IsInHeader =
          Use->Function->isInlined() && !Sources.isInMainFile(Place);
      Pair.Strength += IsInHeader ? 2 : 1;
      Pair.IsReadInHeader |= IsInHeader;
    }
    if (Use->Loop && Looping.insert(Function).second)
      ++Pair.Strength;
  }
  Pair.ReadingFunctions = Seen.size();
  return Pair.Strength;
}

/// void set_level(int l) { level.store(l); }: now and then, whoever calls it.
static bool isSetter(const FunctionDecl &Function) {
  static constexpr llvm::StringLiteral Verbs[] = {"set", "resize", "configure",
                                                  "enable", "disable"};
  const auto *Body = dyn_cast_or_null<CompoundStmt>(Function.getBody());
  return Body && Body->size() <= 2 && Function.getIdentifier() &&
         llvm::any_of(Verbs, [&](llvm::StringRef Verb) {
           return Function.getName().starts_with_insensitive(Verb);
         });
}

bool isOnlySet(const Role &Word) {
  return Word.Updaters.empty() &&
         llvm::all_of(Word.Writers, [](const FunctionDecl *Writer) {
           const FunctionDecl *Definition = Writer->getDefinition();
           return Definition && isSetter(*Definition);
         });
}

/// Stored plainly by one function, and read without a lock by others: where
/// threads have the object at once, as the atomic word beside it says, all else
/// than a store now and then would be a race.
static bool isHardlyWritten(const Role &Word) {
  return Word.Writers.size() == 1 && Word.Updaters.empty() &&
         !Word.WritesAreAtomic && Word.Write && !Word.Write->Loop;
}

std::optional<HotPair> FieldRoles::victimOf(const RecordLines &Lines,
                                            const FieldSpan &Written) {
  constexpr unsigned FewestReaders = 3;
  const Role Writer = of(*Written.Field);
  const FunctionSet WrittenBy = Writer.Writers, UsedBy = Writer.Readers;
  std::optional<HotPair> Best;
  for (const FieldSpan &Other : Lines.fieldsNear(Written)) {
    if (Other.Field == Written.Field || isPaddingField(*Other.Field) ||
        Kinds.isSynchronization(Other.Field->getType()) ||
        Hot.accesses().isNamedInBrokenCode(*Other.Field))
      continue;
    HotPair Pair{Written, Other, Lines.sharingFraction(Written, Other)};
    if (Pair.Fraction == 0 || (Best && Pair.Fraction < Best->Fraction))
      continue;
    const Role &Victim = of(*Other.Field);
    Pair.IsReadOnly = Victim.Writers.empty();
    // What a setter stores plainly is set before others read it, or hardly
    // ever: where objects are shared, as the atomic word beside it says, all
    // else is a race.
    const bool IsHardlyWritten = Writer.HotWriters.size() > 1 &&
                                 Writer.WritesAreAtomic &&
                                 isHardlyWritten(Victim);
    const bool IsOnlySet = isOnlySet(Victim) || IsHardlyWritten;
    if (!Pair.IsReadOnly &&
        (!(IsOnlySet || (Victim.WritesAreAtomic && Victim.IsTested)) ||
         !haveNoneInCommon(Victim.Writers, WrittenBy)))
      continue;
    // Whoever touches the written field needs its line anyway.
    FunctionSet Excluded = WrittenBy;
    Excluded.insert(UsedBy.begin(), UsedBy.end());
    Excluded.insert(Victim.Writers.begin(), Victim.Writers.end());
    // A word that others change as well is only worth a report when it is read
    // much more than that, as far as a unit can tell: by a header's function.
    if (strengthOf(Victim, Excluded, Pair) == 0 ||
        (!Pair.IsReadOnly && !Pair.IsReadInHeader && !IsOnlySet) ||
        (IsHardlyWritten && Pair.ReadingFunctions < FewestReaders))
      continue;
    if (!Best || Pair.Fraction > Best->Fraction ||
        Pair.Strength > Best->Strength)
      Best = Pair;
  }
  return Best;
}

FunctionSet FieldRoles::otherParty(const RecordLines &Lines, const Role &Word) {
  const FunctionSet Owners = Word.HotWriters;
  FunctionSet WithOwners, Others;
  bool HaveOwnersAtomic = false;
  for (const FieldSpan &Span : Lines.fields()) {
    const Role &Atomic = of(*Span.Field);
    if (!Atomic.Write || !Atomic.WritesAreAtomic)
      continue;
    if (haveNoneInCommon(Atomic.HotWriters, Owners)) {
      Others.insert(Atomic.HotWriters.begin(), Atomic.HotWriters.end());
      continue;
    }
    HaveOwnersAtomic = true;
    WithOwners.insert(Atomic.Writers.begin(), Atomic.Writers.end());
  }
  if (!HaveOwnersAtomic)
    return {};
  FunctionSet Party;
  for (const FunctionDecl *Function : Others)
    if (!WithOwners.contains(Function) && !Word.Writers.contains(Function) &&
        !Word.Readers.contains(Function))
      Party.insert(Function);
  return Party;
}

std::optional<HotPair> FieldRoles::otherPartysVictim(const RecordLines &Lines,
                                                     const FieldSpan &Word) {
  const Role Owned = of(*Word.Field);
  const FunctionSet Party = otherParty(Lines, Owned);
  std::optional<HotPair> Best;
  if (Party.empty())
    return Best;
  for (const FieldSpan &Other : Lines.fieldsNear(Word)) {
    HotPair Pair{Word, Other, Lines.sharingFraction(Word, Other)};
    if (Other.Field == Word.Field || isPaddingField(*Other.Field) ||
        Hot.accesses().isNamedInBrokenCode(*Other.Field) || Pair.Fraction < 0.5)
      continue;
    const Role &Read = of(*Other.Field);
    if (!Read.Writers.empty())
      continue;
    FunctionSet Readers;
    for (const Access *Use : Read.Reads)
      if (const FunctionDecl *Function = Use->Function->getCanonicalDecl();
          Party.contains(Function) && Readers.insert(Function).second &&
          !Pair.Reader)
        Pair.Reader = Use;
    Pair.ReadingFunctions = Pair.Strength = Readers.size();
    if (!Readers.empty() &&
        (!Best || std::tie(Pair.Fraction, Pair.Strength) >
                      std::tie(Best->Fraction, Best->Strength)))
      Best = Pair;
  }
  return Best;
}

} // namespace linesman::tidy
