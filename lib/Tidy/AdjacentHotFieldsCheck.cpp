// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At most one report for each region of a record, its best pair: whoever
// separates that pair looks at the region anyway.

#include "AdjacentHotFieldsCheck.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/LocalValues.h"
#include "Analysis/Code/StmtPath.h"
#include "Analysis/Locks/LockUses.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Names/ReferenceCounts.h"
#include "clang/AST/ASTContext.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallSet.h"
#include <map>

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

namespace {

struct Finding {
  HotPair Pair;
  const Access *Writer = nullptr;
  /// Functions that write it, twice for those that always do.
  unsigned Writers = 0;
  /// Other hot words beside the pair: who moves only the named one still has
  /// these there.
  llvm::SmallVector<FieldSpan, 2> Others;
  /// The region's other pairs, on lines that this one has no part of.
  llvm::SmallVector<HotPair, 1> OtherPairs;

  bool isBetterThan(const Finding &Other) const {
    // Many writers beat many readers: a rare error's counter beside a field
    // that all read is not what costs.
    auto Rank = [](const Finding &F) {
      return std::make_tuple(F.Pair.Fraction, std::min(F.Pair.Strength, 2u),
                             F.Writers, F.Pair.Strength);
    };
    return Rank(*this) > Rank(Other);
  }
};

/// How sure are we that writes to it are traffic between cores?
enum class Heat { Cold, Counter, Atomic };

class RecordReader {
public:
  RecordReader(HotAccesses &Hot, const TypeKinds &Kinds,
               const CommonOptions &Common, const ASTContext &Unit,
               const llvm::DenseSet<const Decl *> &Named)
      : Hot(Hot), Roles(Hot, Kinds, Unit), Kinds(Kinds), Common(Common),
        Unit(Unit), Named(Named) {}

  /// The best pair of each region.
  std::vector<Finding> find(const RecordDecl &Record) {
    if (Common.isAccepted(Record))
      return {};
    std::optional<RecordLines> Lines =
        RecordLines::build(Record, Unit, Common.CacheLineSize);
    if (!Lines)
      return {};
    std::map<unsigned, Finding> Best;
    std::map<unsigned, llvm::SmallVector<FieldSpan, 4>> HotWords;
    std::map<unsigned, llvm::SmallVector<HotPair, 4>> Pairs;
    for (const FieldSpan &Span : wordsOf(*Lines)) {
      if (Named.contains(Span.Field))
        continue;
      const unsigned Region = Lines->regionOf(Span);
      if (hottestWrite(*Span.Field))
        HotWords[Region].push_back(Span);
      std::optional<Finding> New = findFor(Span, *Lines);
      if (!New)
        continue;
      Pairs[Region].push_back(New->Pair);
      auto [Place, IsFirst] = Best.try_emplace(Region, *New);
      if (!IsFirst && New->isBetterThan(Place->second))
        Place->second = *New;
    }
    std::vector<Finding> All;
    for (auto &[Region, Entry] : Best) {
      addOthers(Entry, HotWords[Region], Pairs[Region], *Lines);
      All.push_back(Entry);
    }
    return All;
  }

private:
  /// The record's fields, and those of the records that are among them:
  /// `stats.hits` is as near to the others as if it were one of them.
  llvm::SmallVector<FieldSpan, 16> wordsOf(const RecordLines &Lines) const {
    llvm::SmallVector<FieldSpan, 16> Words(Lines.fields());
    for (const FieldSpan &Span : Lines.fields()) {
      const RecordDecl *Record = Span.Field->getType()->getAsRecordDecl();
      Record = Record ? Record->getDefinition() : nullptr;
      if (!Record || Kinds.isAtomic(Span.Field->getType()) ||
          Kinds.isSynchronization(Span.Field->getType()) ||
          isPaddingField(*Span.Field) || Common.isAccepted(*Span.Field) ||
          Common.isAccepted(*Record) ||
          Unit.getSourceManager().isInSystemHeader(Record->getLocation()))
        continue;
      std::optional<RecordLines> Inner =
          RecordLines::build(*Record, Unit, Common.CacheLineSize);
      // One that thought of lines, or of one word, speaks for itself.
      if (!Inner || Inner->isolatesDeliberately() ||
          Inner->fields().size() < 2 ||
          Inner->alignment() >= Common.CacheLineSize)
        continue;
      for (const FieldSpan &Part : Inner->fields())
        if (!isLink(*Part.Field) && isReachedThrough(*Part.Field, *Span.Field))
          Words.push_back({Part.Field, Span.Offset + Part.Offset, Part.Size});
    }
    return Words;
  }

  /// The next of a list, whatever lists it is in.
  static bool isLink(const FieldDecl &Field) {
    QualType Pointee = Field.getType()->getPointeeType();
    return !Pointee.isNull() && Pointee->getAsRecordDecl() == Field.getParent();
  }

  /// Somebody counts in outer.part, atomically.
  bool isReachedThrough(const FieldDecl &Part, const FieldDecl &Outer) const {
    return llvm::any_of(Hot.accesses().of(Part), [&](unsigned Index) {
      const Access &Use = Hot.accesses().all()[Index];
      const auto &Path = Use.Object.Path;
      return Use.writes() && Hot.isAtomic(Use) && !Use.Object.Index &&
             Path.size() > 1 && Path.back() == &Part &&
             Path[Path.size() - 2] == &Outer;
    });
  }

  static void addOthers(Finding &Found, llvm::ArrayRef<FieldSpan> HotWords,
                        llvm::ArrayRef<HotPair> Pairs,
                        const RecordLines &Lines) {
    const HotPair &Named = Found.Pair;
    auto IsThere = [&](const FieldSpan &Word) {
      return std::max(Lines.sharingFraction(Word, Named.Read),
                      Lines.sharingFraction(Word, Named.Written)) >= 0.5;
    };
    for (const FieldSpan &Word : HotWords)
      if (Word.Field != Named.Written.Field && Word.Field != Named.Read.Field &&
          IsThere(Word))
        Found.Others.push_back(Word);
    for (const HotPair &Pair : Pairs)
      if (Pair.Written.Field != Named.Written.Field && !IsThere(Pair.Written))
        Found.OtherPairs.push_back(Pair);
  }

  std::optional<Finding> findFor(const FieldSpan &Word,
                                 const RecordLines &Lines) {
    // Of an array of several lines, only the ends have neighbours.
    if (Word.Size > 2 * Lines.lineSize() &&
        Word.Field->getType()->isArrayType())
      return std::nullopt;
    const Access *Writer = hottestWrite(*Word.Field);
    std::optional<HotPair> Pair;
    if (Writer) {
      Pair = Roles.victimOf(Lines, Word);
      if (Pair && !isWorthReporting(*Pair, Lines, *Writer))
        return std::nullopt;
    } else if (isOwnersWord(*Word.Field) && Lines.isolatesDeliberately()) {
      Pair = Roles.otherPartysVictim(Lines, Word);
      Writer = Roles.of(*Word.Field).Write;
    }
    if (!Pair || Common.isAccepted(*Pair->Read.Field))
      return std::nullopt;
    return Finding{*Pair, Writer, writersOf(*Word.Field), {}, {}};
  }

  /// A word that operations write plainly: one thread's, if anything is right.
  bool isOwnersWord(const FieldDecl &Field) {
    if (Common.isAccepted(Field) || isPaddingField(Field) ||
        !Field.getType()->isScalarType() || isLockField(Field, Kinds))
      return false;
    const Role &Word = Roles.of(Field);
    return Word.Write && !Word.WritesAreAtomic && !Word.Write->Object.Index;
  }

  bool isWorthReporting(const HotPair &Pair, const RecordLines &Lines,
                        const Access &Writer) {
    if (Common.Strict)
      return true;
    // A pair that shares a line for one base in four is usually apart.
    if (Pair.Fraction < 0.5)
      return false;
    // Elements of exactly a line: each object has what its author gave it.
    if (Writer.Object.Index && Lines.alignment() >= Lines.lineSize() &&
        Lines.size() == Lines.lineSize())
      return false;
    // Who split a record into regions knew what he put into one; and what is
    // written in one place and under a condition may be rare.
    unsigned Needed = Lines.isolatesOwnFields() ? 2 : 1;
    const Role &Written = Roles.of(*Pair.Written.Field);
    if (Writer.IsConditional && !Writer.Loop && Pair.IsReadOnly &&
        Written.HotWriters.size() == 1 && !isWrittenEitherWay(Writer))
      Needed = 3;
    return Pair.Strength >= Needed;
  }

  /// if (size < 0) used -= -size; else used += size;
  /// if (found) stats.hits++; else stats.misses++;
  bool isWrittenEitherWay(const Access &Writer) {
    const FieldDecl &Field = *Writer.Object.field();
    const Stmt &Body = *Writer.Function->getBody();
    StmtPath Path;
    if (!findPath(Body, *Writer.Site, Path))
      return false;
    for (size_t I = 0; I + 1 < Path.size(); ++I) {
      const auto *If = dyn_cast<IfStmt>(Path[I]);
      if (!If)
        continue;
      const Stmt *Other = Path[I + 1] == If->getThen()   ? If->getElse()
                          : Path[I + 1] == If->getElse() ? If->getThen()
                                                         : nullptr;
      StmtPath Rest;
      return Other &&
             llvm::any_of(
                 Hot.accesses().in(*Writer.Function), [&](unsigned Index) {
                   const Access &Use = Hot.accesses().all()[Index];
                   const FieldDecl *Neighbour = Use.Object.field();
                   return Neighbour && Use.writes() &&
                          (Use.Object.isSameAs(Writer.Object) ||
                           (Neighbour->getParent() == Field.getParent() &&
                            heatOf(Use) == Heat::Atomic)) &&
                          findPath(*Other, *Use.Site, Rest);
                 });
    }
    return false;
  }

  unsigned writersOf(const FieldDecl &Field) {
    FunctionSet Any, Always;
    for (unsigned Index : Hot.accesses().of(Field)) {
      const Access &Use = Hot.accesses().all()[Index];
      if (Use.Object.field() != &Field || !Use.writes() || !Hot.isHotWrite(Use))
        continue;
      Any.insert(Use.Function->getCanonicalDecl());
      if (!Use.IsConditional)
        Always.insert(Use.Function->getCanonicalDecl());
    }
    return Any.size() + Always.size();
  }

  Heat heatOf(const Access &Use) {
    const FieldDecl &Field = *Use.Object.field();
    if (isLockField(Field, Kinds))
      return Heat::Cold; // Locks are linesman-lock-neighbour's.
    AccessKind Kind = Hot.kindOf(Use);
    if (Kind == AccessKind::Update && Hot.isAtomic(Use)) {
      // Claiming something once (a refresh, a key rotation) is rare; trying to
      // in a loop is not.
      AtomicOperation Operation = Hot.operationOf(Use);
      bool IsClaim = Operation == AtomicOperation::CompareExchange ||
                     Operation == AtomicOperation::Exchange ||
                     Operation == AtomicOperation::TestAndSet;
      if (IsClaim && !takesPosition(Use) && (!Use.Loop || keepsExtreme(Use)))
        return Heat::Cold;
      return setsFlags(Use) && !Use.Loop ? Heat::Cold : Heat::Atomic;
    }
    if (Kind == AccessKind::Write && Hot.isAtomic(Use) &&
        (Use.Loop ? !Hot.isReadBefore(Use) : publishesProgress(Use)))
      return Heat::Atomic;
    if (Kind == AccessKind::Update && isShared(Use) &&
        HotAccesses::isPlainCounting(Use))
      return Heat::Counter;
    return Heat::Cold;
  }

  /// compare_exchange(at, at + 1): the next position of a queue, also where the
  /// sum has a name.
  static bool takesPosition(const Access &Use) {
    auto Operands = atomicOperands(*Use.Site);
    if (Operands.size() < 2)
      return false;
    const auto *Expected =
        dyn_cast<DeclRefExpr>(Operands[0]->IgnoreParenCasts());
    const Expr *Desired = Operands[1]->IgnoreParenImpCasts();
    if (const auto *Named = dyn_cast<DeclRefExpr>(Desired))
      if (const auto *Local = dyn_cast<VarDecl>(Named->getDecl());
          Local && Local->hasLocalStorage() && !isa<ParmVarDecl>(Local) &&
          Local->hasInit() && !Local->getInit()->isValueDependent())
        Desired = Local->getInit()->IgnoreParenImpCasts();
    const auto *Next = dyn_cast<BinaryOperator>(Desired);
    const auto *Source =
        Next && Next->getOpcode() == BO_Add
            ? dyn_cast<DeclRefExpr>(Next->getLHS()->IgnoreParenCasts())
            : nullptr;
    return Expected && Source && Expected->getDecl() == Source->getDecl();
  }

  /// next = done + n; done.store(next): a position, for others to look at.
  bool publishesProgress(const Access &Use) {
    auto Operands = atomicOperands(*Use.Site);
    if (Operands.empty() || !isStep(*Operands[0], *Use.Function) ||
        !Hot.isReadBefore(Use))
      return false;
    const Role &Word = Roles.of(*Use.Object.field());
    return llvm::any_of(Word.Readers, [&](const FunctionDecl *Reader) {
      return !Word.Writers.contains(Reader);
    });
  }

  /// done + n, (at + 1) & mask, a local that was counted up.
  static bool isStep(const Expr &Value, const FunctionDecl &Function,
                     unsigned Depth = 0) {
    constexpr unsigned MaxDepth = 2;
    const Expr *Inner = Value.IgnoreParenImpCasts();
    if (const auto *Unary = dyn_cast<UnaryOperator>(Inner))
      return Unary->isIncrementDecrementOp();
    if (const auto *Binary = dyn_cast<BinaryOperator>(Inner))
      return Binary->isAdditiveOp() ||
             (!Binary->isComparisonOp() &&
              isStep(*Binary->getLHS(), Function, Depth));
    const auto *Ref = dyn_cast<DeclRefExpr>(Inner);
    const auto *Local = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    if (!Local || !Local->hasLocalStorage() || isa<ParmVarDecl>(Local) ||
        Depth == MaxDepth)
      return false;
    auto Values = valuesOf(*Local, Function);
    Values.append(assignmentsOf(*Local, Function));
    return llvm::any_of(Values, [&](const Expr *Part) {
      return isStep(*Part, Function, Depth + 1);
    });
  }

  /// fetch_or and fetch_and: events, where counting is traffic.
  static bool setsFlags(const Access &Use) {
    const Expr *Site = Use.Site->IgnoreParenImpCasts();
    llvm::StringRef Name;
    std::string Builtin;
    if (const auto *Atomic = dyn_cast<AtomicExpr>(Site)) {
      Builtin = Atomic->getOpAsString().str();
      Name = Builtin;
    } else if (const auto *Call = dyn_cast<CallExpr>(Site)) {
      if (const FunctionDecl *Callee = Call->getDirectCallee();
          Callee && Callee->getIdentifier())
        Name = Callee->getName();
    } else if (const auto *Binary = dyn_cast<BinaryOperator>(Site)) {
      return Binary->getOpcode() == BO_OrAssign ||
             Binary->getOpcode() == BO_AndAssign;
    }
    return Name.contains("fetch_or") || Name.contains("fetch_and_explicit") ||
           Name.ends_with("fetch_and") || Name.contains("fetch_and_n") ||
           Name.contains("or_fetch") || Name.contains("_and_fetch") ||
           Name.contains("__atomic_fetch_and") || Name == "fetch_and";
  }

  /// A plain counter is only traffic if its object is everybody's. That a
  /// pointer to it came from somewhere says nothing, and static storage little:
  /// both of redis's findings by static storage alone were its main thread's.
  /// A record that has an atomic or a lock was made for several threads.
  bool isShared(const Access &Use) const {
    const RecordDecl &Record = *Use.Object.field()->getParent();
    if (!Common.Strict && llvm::none_of(Record.fields(), [&](FieldDecl *Field) {
          return Kinds.isAtomic(Field->getType()) ||
                 Kinds.isSynchronization(Field->getType());
        }))
      return false;
    if (!Use.Object.Root || Use.Object.Index ||
        Use.Object.Root->getType()->isIncompleteType())
      return false;
    QualType Type = Use.Object.Root->getType().getNonReferenceType();
    return Unit.getTypeSizeInChars(Type).getQuantity() <=
           int64_t(HotAccesses::MaxPlainRecordLines * Common.CacheLineSize);
  }

  const Access *hottestWrite(const FieldDecl &Field) {
    if (Common.isAccepted(Field) || isPaddingField(Field) || isReleased(Field))
      return nullptr;
    const Access *Hottest = nullptr;
    Heat HottestHeat = Heat::Cold;
    bool OnlyCountsReferences = true;
    for (unsigned Index : Hot.accesses().of(Field)) {
      const Access &Use = Hot.accesses().all()[Index];
      if (Use.Object.field() != &Field || !Use.writes() ||
          isBehindField(Use, Field))
        continue;
      Heat Own = heatOf(Use);
      // The role leaves out what a thread does to its own object.
      if (Own == Heat::Cold || !Hot.isHotWrite(Use) ||
          !Roles.of(Field).HotWriters.contains(
              Use.Function->getCanonicalDecl()))
        continue;
      OnlyCountsReferences &=
          (Hot.operationOf(Use) == AtomicOperation::FetchModify ||
           Hot.callsAtomicUpdate(Use)) &&
          soundsLikeReferenceCount(Field.getName());
      if (Own > HottestHeat) {
        Hottest = &Use;
        HottestHeat = Own;
      }
    }
    return OnlyCountsReferences ? nullptr : Hottest;
  }

  /// Counted down by Release(), unref() or the like, whatever its own name is.
  bool isReleased(const FieldDecl &Field) {
    return llvm::any_of(Hot.accesses().of(Field), [&](unsigned Index) {
      const Access &Use = Hot.accesses().all()[Index];
      if (Use.Object.field() != &Field || !Use.Function ||
          Hot.kindOf(Use) != AccessKind::Update || !Use.IsResultUsed)
        return false;
      const std::string Name = Use.Function->getNameAsString();
      return llvm::StringRef(Name).equals_insensitive("release") ||
             isReferenceCountingName(Name);
    });
  }

  /// Sharing an object costs its count's line whatever lies beside it.
  static bool soundsLikeReferenceCount(llvm::StringRef Name) {
    if (isReferenceCountName(Name))
      return true;
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
  FieldRoles Roles;
  const TypeKinds &Kinds;
  const CommonOptions &Common;
  const ASTContext &Unit;
  /// Written fields that another check has named.
  const llvm::DenseSet<const Decl *> &Named;
};

/// One cause, however many instantiations: the line in the source.
} // namespace

/// "; also updated there: 'Cache::misses' (offset 8)", and how many more there
/// are: some records have thousands.
static std::string listOf(const Finding &Found) {
  constexpr size_t MaxListed = 8;
  auto Name = [](const FieldSpan &Span) {
    return "'" + fieldName(*Span.Field) + "' (offset " +
           std::to_string(Span.Offset) + ")";
  };
  std::string Text;
  auto AddRest = [&](size_t All, llvm::StringRef Kind) {
    if (All > MaxListed)
      Text +=
          (", and " + Kind + std::to_string(All - MaxListed) + " more").str();
  };
  for (const FieldSpan &Span :
       llvm::ArrayRef(Found.Others).take_front(MaxListed))
    Text += (Text.empty() ? "; also updated there: " : ", ") + Name(Span);
  AddRest(Found.Others.size(), "");
  for (const HotPair &Pair :
       llvm::ArrayRef(Found.OtherPairs).take_front(MaxListed))
    Text += "; the same holds for " + Name(Pair.Written) + " beside " +
            Name(Pair.Read);
  AddRest(Found.OtherPairs.size(), "for ");
  return Text;
}

void AdjacentHotFieldsCheck::checkUnit(ASTContext &Unit) {
  TypeKinds Kinds = typeKinds();
  const UnitAccesses &Accesses = accesses(Unit);
  HotAccesses Hot(Accesses, Kinds);
  RecordReader Reader(Hot, Kinds, common(), Unit, analyses().ReportedWords);
  llvm::SmallSet<SourceLocation, 8> Reported;
  for (const RecordDecl *Record : Accesses.records()) {
    std::vector<Finding> Found = Reader.find(*Record);
    if (Found.empty() ||
        !Reported.insert(templatePattern(*Record).getLocation()).second)
      continue;
    for (const Finding &Result : Found)
      report(Result.Pair, *Result.Writer, listOf(Result), Unit);
  }
  FieldRoles Roles(Hot, Kinds, Unit);
  for (const RecordDecl *Record : Accesses.records())
    if (Reported.insert(templatePattern(*Record).getLocation()).second)
      checkSharedWords(*Record, Hot, Roles, Kinds, Unit);
}

void AdjacentHotFieldsCheck::report(const HotPair &Pair, const Access &Writer,
                                    llvm::StringRef Others,
                                    const ASTContext &Unit) {
  const FieldDecl &Written = *Pair.Written.Field, &Read = *Pair.Read.Field;
  analyses().ReportedWords.insert(&Written);
  // linesman-global-write would say this of the same write.
  if (Writer.Object.Root)
    analyses().ReportedParts.insert({Writer.Object.Root, &Written});
  warn(place(Writer),
       {.Subject = Written, .Function = Writer.Function, .Neighbour = &Read},
       "'%0' (offset %1) is updated here, in '%2', and "
       "%select{may share|shares}3 its cache line with '%4' (offset %5), which "
       "%6 %select{without changing it|and no operation of this unit "
       "changes}7: each update makes the other cores' next read a miss; keep "
       "them a line apart%8%select{|; the word itself moves between the cores "
       "that update it, too: one copy per thread ends both}9")
      << fieldName(Written) << unsigned(Pair.Written.Offset)
      << plainName(*Writer.Function) << (Pair.Fraction == 1) << fieldName(Read)
      << unsigned(Pair.Read.Offset)
      << (Pair.ReadingFunctions == 1
              ? "'" + plainName(*Pair.Reader->Function) + "' reads"
              : std::to_string(Pair.ReadingFunctions) + " functions read")
      << Pair.IsReadOnly << Others << (Writer.Object.Root != nullptr);
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
