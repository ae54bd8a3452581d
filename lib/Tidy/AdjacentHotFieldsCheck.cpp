// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At most one report a record, its best pair: whoever separates that pair looks
// at the layout anyway.

#include "AdjacentHotFieldsCheck.h"
#include "Analysis/HotAccesses.h"
#include "Analysis/PlainName.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

namespace {

struct Finding {
  HotPair Pair;
  const Access *Writer = nullptr;
};

/// How sure are we that writes to it are traffic between cores?
enum class Heat { Cold, Counter, Atomic };

class RecordReader {
public:
  RecordReader(HotAccesses &Hot, const TypeKinds &Kinds,
               const CommonOptions &Common, const ASTContext &Unit)
      : Hot(Hot), Kinds(Kinds), Common(Common), Unit(Unit) {}

  std::optional<Finding> find(const RecordDecl &Record) {
    if (Common.isAccepted(Record))
      return std::nullopt;
    std::optional<RecordLines> Lines =
        RecordLines::build(Record, Unit, Common.CacheLineSize);
    if (!Lines || Lines->isolatesDeliberately())
      return std::nullopt;
    std::optional<Finding> Best;
    for (const FieldSpan &Span : Lines->fields()) {
      const Access *Writer = hottestWrite(*Span.Field);
      if (!Writer)
        continue;
      std::optional<HotPair> Pair =
          Hot.readMostlyNeighbour(*Lines, *Span.Field);
      if (!Pair || !isWorthReporting(*Pair) ||
          Common.isAccepted(*Pair->Read.Field))
        continue;
      if (!Best ||
          std::tie(Pair->Fraction, Pair->ReadingFunctions) >
              std::tie(Best->Pair.Fraction, Best->Pair.ReadingFunctions))
        Best = Finding{*Pair, Writer};
    }
    return Best;
  }

private:
  bool isWorthReporting(const HotPair &Pair) const {
    // A pair that shares a line for one base in four is usually apart.
    if (Pair.Fraction < 0.5 && !Common.Strict)
      return false;
    // One reader may be the writer's own operation, which has the line anyway.
    return Pair.ReadingFunctions > 0;
  }

  Heat heatOf(const Access &Each) {
    const FieldDecl &Field = *Each.Object.field();
    if (Kinds.isLock(Field.getType()))
      return Heat::Cold; // Decided by who holds it, below.
    AccessKind Kind = Hot.kindOf(Each);
    if (Kind == AccessKind::Update && Hot.isAtomic(Each)) {
      // Claiming something once (a refresh, a key rotation) is rare; trying to
      // in a loop is not.
      AtomicOperation Operation = Hot.operationOf(Each);
      bool IsClaim = Operation == AtomicOperation::CompareExchange ||
                     Operation == AtomicOperation::Exchange ||
                     Operation == AtomicOperation::TestAndSet;
      return IsClaim && !Each.Loop ? Heat::Cold : Heat::Atomic;
    }
    if (Kind == AccessKind::Write && Hot.isAtomic(Each) && Each.Loop &&
        !Hot.isReadBefore(Each))
      return Heat::Atomic;
    if (Kind == AccessKind::Update && isShared(Each) &&
        HotAccesses::isPlainCounting(Each))
      return Heat::Counter;
    return Heat::Cold;
  }

  /// A plain counter is only traffic if its object is everybody's. That a
  /// pointer to it came from somewhere says nothing, and static storage little:
  /// both of redis's findings by static storage alone were its main thread's.
  /// A record that has an atomic or a lock was made for several threads.
  bool isShared(const Access &Each) const {
    const RecordDecl &Record = *Each.Object.field()->getParent();
    if (!Common.Strict && llvm::none_of(Record.fields(), [&](FieldDecl *Field) {
          return Kinds.isAtomic(Field->getType()) ||
                 Kinds.isSynchronization(Field->getType());
        }))
      return false;
    if (!Each.Object.Root || Each.Object.Index ||
        Each.Object.Root->getType()->isIncompleteType())
      return false;
    QualType Type = Each.Object.Root->getType().getNonReferenceType();
    return Unit.getTypeSizeInChars(Type).getQuantity() <=
           int64_t(HotAccesses::MaxPlainRecordLines * Common.CacheLineSize);
  }

  const Access *hottestWrite(const FieldDecl &Field) {
    if (Common.isAccepted(Field) || isPaddingField(Field))
      return nullptr;
    const Access *Hottest = nullptr;
    Heat HottestHeat = Heat::Cold;
    bool OnlyCountsReferences = true;
    for (unsigned Index : Hot.accesses().of(Field)) {
      const Access &Each = Hot.accesses().all()[Index];
      if (Each.Object.field() != &Field || !Each.writes())
        continue;
      Heat Own = heatOf(Each);
      if (Own == Heat::Cold || !Hot.isHotWrite(Each))
        continue;
      OnlyCountsReferences &=
          Hot.operationOf(Each) == AtomicOperation::FetchModify &&
          soundsLikeReferenceCount(Field.getName());
      if (Own > HottestHeat) {
        Hottest = &Each;
        HottestHeat = Own;
      }
    }
    return OnlyCountsReferences ? nullptr : Hottest;
  }

  /// Sharing an object costs its count's line whatever lies beside it.
  static bool soundsLikeReferenceCount(llvm::StringRef Name) {
    Name = Name.trim("_");
    for (llvm::StringRef Word :
         {"refcount", "ref_count", "refcnt", "ref_cnt", "refs", "usecount",
          "use_count", "references", "nref"})
      if (Name.contains_insensitive(Word))
        return true;
    return Name.equals_insensitive("ref") || Name.equals_insensitive("m_ref") ||
           Name.ends_with_insensitive("_ref") || Name == "rc";
  }

  HotAccesses &Hot;
  const TypeKinds &Kinds;
  const CommonOptions &Common;
  const ASTContext &Unit;
};

/// One cause, however many instantiations: the line in the source.
SourceLocation causeOf(const RecordDecl &Record) {
  if (const auto *Class = dyn_cast<CXXRecordDecl>(&Record))
    if (const CXXRecordDecl *Pattern = Class->getTemplateInstantiationPattern())
      return Pattern->getLocation();
  return Record.getLocation();
}

} // namespace

void AdjacentHotFieldsCheck::checkUnit(ASTContext &Unit) {
  TypeKinds Kinds = typeKinds();
  const UnitAccesses &Accesses = accesses(Unit);
  HotAccesses Hot(Accesses, Kinds);
  RecordReader Reader(Hot, Kinds, common(), Unit);
  llvm::SmallSet<SourceLocation, 8> Reported;
  for (const RecordDecl *Record : Accesses.records()) {
    std::optional<Finding> Found = Reader.find(*Record);
    if (Found && Reported.insert(causeOf(*Record)).second)
      report(Found->Pair, *Found->Writer, Unit);
  }
}

void AdjacentHotFieldsCheck::report(const HotPair &Pair, const Access &Writer,
                                    const ASTContext &Unit) {
  const FieldDecl &Written = *Pair.Written.Field, &Read = *Pair.Read.Field;
  diag(place(Writer),
       "'%0' (offset %1) is updated here, in '%2', and "
       "%select{may share|shares}3 its cache line with '%4' (offset %5), which "
       "%6 and nobody changes: each update makes "
       "the other cores' next read a miss; keep them a line apart")
      << fieldName(Written) << unsigned(Pair.Written.Offset)
      << plainName(*Writer.Function) << (Pair.Fraction == 1) << fieldName(Read)
      << unsigned(Pair.Read.Offset)
      << (Pair.ReadingFunctions == 1
              ? "'" + plainName(*Pair.Reader->Function) + "' reads"
              : std::to_string(Pair.ReadingFunctions) + " functions read");
  diag(place(*Pair.Reader), "'%0' is read here, in '%1'", DiagnosticIDs::Note)
      << fieldName(Read) << plainName(*Pair.Reader->Function);
  // The later of the two starts a line of its own; what was before it stays
  // behind. A note's fix-it, because it changes the size and the ABI.
  const FieldDecl &Later =
      Pair.Written.Offset > Pair.Read.Offset ? Written : Read;
  DiagnosticBuilder Note =
      diag(Later.getLocation(),
           "aligning '%0' to a line of its own separates them; the record "
           "grows, and its ABI changes",
           DiagnosticIDs::Note);
  Note << fieldName(Later);
  SourceLocation Start = Later.getBeginLoc();
  if (Start.isMacroID() || Later.isBitField())
    return;
  std::string Line = std::to_string(common().CacheLineSize);
  const LangOptions &Language = Unit.getLangOpts();
  if (Language.CPlusPlus11)
    Note << FixItHint::CreateInsertion(Start, "alignas(" + Line + ") ");
  else if (Language.C11)
    Note << FixItHint::CreateInsertion(Start, "_Alignas(" + Line + ") ");
}

} // namespace linesman::tidy
