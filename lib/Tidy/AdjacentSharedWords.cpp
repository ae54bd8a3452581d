// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words that are written for reasons of which the unit says less: under a lock
// that lies elsewhere, or for each reference to the object.
//
//     { guard g(m); ++queued; }      threads wait for m, and its line
//     if (limit > n) ...             who reads limit waits for queued's line
//
// That takes more readers than an atomic word does, and the messages say what
// has to hold. One report a record, and none where a likelier pair is named.

#include "AdjacentHotFieldsCheck.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Locks/LockUses.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Names/ReferenceCounts.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// How many others read beside it.
constexpr unsigned FewestReaders = 3;

/// The first update of \p Word that \p Function makes.
const Access *updateOf(const FieldDecl &Word, HotAccesses &Hot) {
  for (unsigned Index : Hot.accesses().of(Word)) {
    const Access &Use = Hot.accesses().all()[Index];
    if (Use.Object.field() == &Word && Use.Function &&
        Hot.kindOf(Use) == AccessKind::Update && Hot.isOnOperationPath(Use) &&
        !setsBits(*Use.Site) && Hot.accesses().isUsedHere(*Use.Function))
      return &Use;
  }
  return nullptr;
}

/// Counted behind a lock, always, and in several functions.
bool isLockedCount(const FieldDecl &Word, const Role &Used) {
  return Word.getType()->isArithmeticType() && !Used.Writers.empty() &&
         Used.HotWriters.empty() && Used.Updaters.size() > 1;
}

/// The lock is there as well: that is linesman-lock-neighbour's.
bool isBesideLock(const FieldSpan &Word, const RecordLines &Lines,
                  const TypeKinds &Kinds) {
  return llvm::any_of(Lines.fieldsNear(Word), [&](const FieldSpan &Other) {
    return Lines.sharingFraction(Word, Other) > 0 &&
           (isLockField(*Other.Field, Kinds) ||
            Kinds.isSynchronization(Other.Field->getType()));
  });
}

bool isReferenceCount(const FieldDecl &Word, const Role &Used,
                      const TypeKinds &Kinds) {
  return Kinds.isAtomic(Word.getType()) && Used.Updaters.size() > 1 &&
         isReferenceCountName(Word.getName());
}

} // namespace

void AdjacentHotFieldsCheck::checkSharedWords(const RecordDecl &Record,
                                              HotAccesses &Hot,
                                              FieldRoles &Roles,
                                              const TypeKinds &Kinds,
                                              const ASTContext &Unit) {
  if (common().isAccepted(Record))
    return;
  std::optional<RecordLines> Lines =
      RecordLines::build(Record, Unit, common().CacheLineSize);
  if (!Lines || Lines->isolatesDeliberately())
    return;
  for (const FieldSpan &Word : Lines->fields()) {
    const Role &Used = Roles.of(*Word.Field);
    const bool IsReference = isReferenceCount(*Word.Field, Used, Kinds);
    if (isPaddingField(*Word.Field) || common().isAccepted(*Word.Field) ||
        analyses().ReportedWords.contains(Word.Field) ||
        !(IsReference || (isLockedCount(*Word.Field, Used) &&
                          !isBesideLock(Word, *Lines, Kinds))))
      continue;
    std::optional<HotPair> Pair = Roles.victimOf(*Lines, Word);
    const Access *Update = updateOf(*Word.Field, Hot);
    if (!Pair || !Update || !Pair->IsReadOnly || Pair->Fraction < 0.5 ||
        Pair->ReadingFunctions < FewestReaders ||
        common().isAccepted(*Pair->Read.Field))
      continue;
    analyses().ReportedWords.insert(Word.Field);
    warn(
        place(*Update),
        {.Subject = *Word.Field,
         .Function = Update->Function,
         .Neighbour = Pair->Read.Field},
        "'%0' (offset %1) is updated here, in '%2', %select{under a lock|for a "
        "reference to the object}3, and %select{may share|shares}4 its cache "
        "line with '%5' (offset %6), which %7 functions read %select{without "
        "one|without counting}3 and no operation of this unit changes: where "
        "several threads have the object at once, each update makes the "
        "other cores' next read a miss; keep them a line apart")
        << fieldName(*Word.Field) << unsigned(Word.Offset)
        << plainName(*Update->Function) << IsReference << (Pair->Fraction == 1)
        << fieldName(*Pair->Read.Field) << unsigned(Pair->Read.Offset)
        << Pair->ReadingFunctions;
    diag(place(*Pair->Reader), "'%0' is read here, in '%1'",
         DiagnosticIDs::Note)
        << fieldName(*Pair->Read.Field) << plainName(*Pair->Reader->Function);
    return;
  }
}

} // namespace linesman::tidy
