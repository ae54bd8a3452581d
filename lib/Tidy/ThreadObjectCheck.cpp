// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worker's own object, into which the other workers look:
//
//     struct Worker { std::atomic<Task **> head; Task *current; };
//
//     run():   own->current = next;             the owner, all the time
//     steal(): workers[victim]->head = at + 1;  another thread
//
// Which thread an access belongs to, the way to its object tells
// (ObjectOwners). One report a record: the word that others write, or look at,
// with the neighbour that its owner uses most and others leave alone.

#include "ThreadObjectCheck.h"
#include "Analysis/Accesses/FieldRoles.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Code/StmtPath.h"
#include "Analysis/Locks/LockUses.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Threads/ObjectOwners.h"
#include "LineReader.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

namespace {

/// Who uses one field, of those that operations run.
struct FieldUse {
  /// By another thread than the object's: the first write, and the first read
  /// whose value decides something.
  const Access *OtherWrite = nullptr;
  const Access *OtherRead = nullptr;
  bool IsUsedByOthers = false;
  /// By its thread, without a lock.
  llvm::SmallVector<const Access *, 8> Own;
  /// Functions that are at it on every way through them.
  FunctionSet Always;
};

/// T, for `T`, `T *`, `T &`, `T[8]` and smart pointers to T.
const RecordDecl *recordBehind(QualType Type) {
  for (;;) {
    Type = Type.getNonReferenceType();
    if (const auto *Array = Type->getAsArrayTypeUnsafe())
      Type = Array->getElementType();
    else if (Type->isPointerType())
      Type = Type->getPointeeType();
    else
      break;
  }
  const auto *Special = dyn_cast_if_present<ClassTemplateSpecializationDecl>(
      Type->getAsRecordDecl());
  if (Special && Special->getIdentifier() &&
      (Special->getName() == "unique_ptr" ||
       Special->getName() == "shared_ptr") &&
      Special->getTemplateArgs().size() != 0 &&
      Special->getTemplateArgs()[0].getKind() == TemplateArgument::Type)
    Type = Special->getTemplateArgs()[0].getAsType();
  const RecordDecl *Record = Type->getAsRecordDecl();
  return Record ? Record->getDefinition() : nullptr;
}

/// Added up or printed: a statistic, whose readers come now and then.
bool isOnlyAddedUp(const Access &Use) {
  StmtPath Path;
  if (!findPath(*Use.Function->getBody(), *Use.Site, Path))
    return false;
  return llvm::any_of(llvm::drop_end(Path), [](const Stmt *S) {
    if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(S))
      return Operator->getOperator() == OO_LessLess ||
             Operator->getOperator() == OO_PlusEqual;
    const auto *Call = dyn_cast<CallExpr>(S);
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    return isa<CompoundAssignOperator>(S) || (Callee && Callee->isVariadic());
  });
}

} // namespace

class ThreadObjectCheck::UnitReader : LineReader {
public:
  UnitReader(ThreadObjectCheck &Check, ASTContext &Unit)
      : LineReader(Check, Unit), Check(Check), Starts(Accesses),
        Origin(Accesses, Kinds, Starts), Owners(Accesses, Starts, Origin) {}

  void read() {
    findOwnRecords();
    for (const RecordDecl *Record : Accesses.records())
      if (OwnRecords.contains(Record) && !Check.common().isAccepted(*Record))
        checkRecord(*Record);
  }

private:
  using UseMap = llvm::MapVector<const FieldDecl *, FieldUse>;

  struct Finding {
    FieldSpan Word, Neighbour;
    const Access *Others = nullptr;
    const Access *Own = nullptr;
    double Fraction = 0;
    unsigned Strength = 0;
    bool OthersWrite = false;

    bool isBetterThan(const Finding &Other) const {
      return std::tie(OthersWrite, Fraction, Strength) >
             std::tie(Other.OthersWrite, Other.Fraction, Other.Strength);
    }
  };

  /// Each thread has one of them, or a part of one.
  void addOwnRecord(const RecordDecl *Record, unsigned Depth = 0) {
    constexpr unsigned MaxDepth = 3;
    if (!Record || Depth == MaxDepth || !OwnRecords.insert(Record).second)
      return;
    for (const FieldDecl *Field : Record->fields())
      if (Field->getType()->isRecordType())
        addOwnRecord(recordBehind(Field->getType()), Depth + 1);
  }

  void findOwnRecords() {
    for (const VarDecl *Var : Accesses.statics())
      if (isPerThread(*Var))
        addOwnRecord(recordBehind(Var->getType()));
    for (const Access &Use : Accesses.all())
      for (const Element &Part : Use.Object.elements())
        if (!Part.Type.isNull() && recordBehind(Part.Type) &&
            Origin.isThreadNumber(*Part.Index, Use.Function))
          addOwnRecord(recordBehind(Part.Type));
  }

  bool isSharedWord(const Access &Use, const FieldDecl &Field) {
    return Field.getType().isVolatileQualified() || Hot.isAtomic(Use);
  }

  UseMap usesOf(const RecordLines &Lines) {
    UseMap Uses;
    for (const FieldSpan &Span : Lines.fields()) {
      const FieldDecl &Field = *Span.Field;
      FieldUse &Use = Uses[&Field];
      for (unsigned Index : Accesses.of(Field)) {
        const Access &Touch = Accesses.all()[Index];
        if (Touch.Function && Hot.isOnOperationPath(Touch))
          addUse(Touch, Field, Use);
      }
    }
    return Uses;
  }

  void addUse(const Access &Touch, const FieldDecl &Field, FieldUse &Use) {
    const FunctionDecl *Function = Touch.Function->getCanonicalDecl();
    if (!Touch.IsConditional)
      Use.Always.insert(Function);
    const Parties Users = Owners.partiesOf(Touch, Field);
    Use.IsUsedByOthers |= Users.HasOther;
    if (!Users.HasOther) {
      if ((Users.HasOwner || ObjectOwners::isCallers(Touch, Field)) &&
          !Hot.isLocked(Touch))
        Use.Own.push_back(&Touch);
      return;
    }
    if (Users.HasOwner || Touch.Object.field() != &Field ||
        isBehindField(Touch, Field) || !isSharedWord(Touch, Field))
      return;
    const AccessKind Kind = Hot.kindOf(Touch);
    if (Kind == AccessKind::Read) {
      if (!Use.OtherRead && !isOnlyAddedUp(Touch) &&
          isAtOwnObject(*Touch.Function))
        Use.OtherRead = &Touch;
    } else if (Touch.writes() && !Use.OtherWrite &&
               (Kind != AccessKind::Write || !storesConstant(Touch))) {
      Use.OtherWrite = &Touch;
    }
  }

  /// A flag that is raised for another thread, and lowered again, is rare.
  static bool storesConstant(const Access &Use) {
    const Expr *Site = Use.Site->IgnoreParenImpCasts();
    const Expr *Value = nullptr;
    if (const auto *Binary = dyn_cast<BinaryOperator>(Site))
      Value = Binary->getRHS();
    else if (const auto *Call = dyn_cast<CallExpr>(Site);
             Call && Call->getNumArgs() != 0)
      Value = Call->getArg(isa<CXXMemberCallExpr>(Call) ? 0
                           : Call->getNumArgs() > 1     ? 1
                                                        : 0);
    else if (const auto *Atomic = dyn_cast<AtomicExpr>(Site))
      Value = Atomic->getNumSubExprs() > 2 ? Atomic->getVal1() : nullptr;
    if (!Value)
      return false;
    const Expr *Inner = Value->IgnoreParenCasts();
    const auto *Ref = dyn_cast<DeclRefExpr>(Inner);
    return isa<IntegerLiteral, CXXBoolLiteralExpr, CXXNullPtrLiteralExpr>(
               Inner) ||
           (Ref && isa<EnumConstantDecl>(Ref->getDecl()));
  }

  /// It is a worker's: it also uses its own object, or one that it was given.
  bool isAtOwnObject(const FunctionDecl &Function) {
    return llvm::any_of(Accesses.in(Function), [&](unsigned Index) {
      const Access &Use = Accesses.all()[Index];
      for (const FieldDecl *Field : Use.Object.Path)
        if (OwnRecords.contains(Field->getParent())) {
          const Parties Users = Owners.partiesOf(Use, *Field);
          if (!Users.HasOther &&
              (Users.HasOwner || ObjectOwners::isCallers(Use, *Field)))
            return true;
        }
      return false;
    });
  }

  bool isCandidate(const FieldDecl &Field) const {
    return !Field.isBitField() && !isPaddingField(Field) &&
           !isLockField(Field, Kinds) &&
           !Kinds.isSynchronization(Field.getType()) &&
           !Check.common().isAccepted(Field);
  }

  void checkRecord(const RecordDecl &Record) {
    std::optional<RecordLines> Lines = RecordLines::build(Record, Unit, Line);
    if (!Lines)
      return;
    const UseMap Uses = usesOf(*Lines);
    std::optional<Finding> Best;
    for (const FieldSpan &Word : Lines->fields()) {
      const FieldUse &Use = Uses.find(Word.Field)->second;
      if (!(Use.OtherWrite || Use.OtherRead) || !isCandidate(*Word.Field) ||
          Check.analyses().ReportedWords.contains(Word.Field))
        continue;
      for (const FieldSpan &Neighbour : Lines->fields()) {
        if (Neighbour.Field == Word.Field || !isCandidate(*Neighbour.Field))
          continue;
        std::optional<Finding> New = judge(
            Word, Use, Neighbour, Uses.find(Neighbour.Field)->second, *Lines);
        if (New && (!Best || New->isBetterThan(*Best)))
          Best = New;
      }
    }
    if (Best)
      report(*Best, Record);
  }

  std::optional<Finding> judge(const FieldSpan &Word, const FieldUse &Use,
                               const FieldSpan &Neighbour,
                               const FieldUse &OfOwner,
                               const RecordLines &Lines) {
    Finding New{Word, Neighbour};
    New.Fraction = Lines.sharingFraction(Word, Neighbour);
    New.OthersWrite = Use.OtherWrite != nullptr;
    New.Others = New.OthersWrite ? Use.OtherWrite : Use.OtherRead;
    if (New.Fraction < 0.5 || OfOwner.IsUsedByOthers)
      return std::nullopt;
    FunctionSet Functions;
    bool IsRepeated = false;
    for (const Access *Touch : OfOwner.Own) {
      const AccessKind Kind = isBehindField(*Touch, *Neighbour.Field)
                                  ? AccessKind::Read
                                  : Hot.kindOf(*Touch);
      // What others only read, the owner has to write to disturb them; and
      // whoever is at the word itself needs its line anyway.
      if (Kind == AccessKind::Address ||
          (!New.OthersWrite && Kind == AccessKind::Read) ||
          Use.Always.contains(Touch->Function->getCanonicalDecl()))
        continue;
      Functions.insert(Touch->Function->getCanonicalDecl());
      IsRepeated |= Kind == AccessKind::Update || Touch->Loop ||
                    (New.OthersWrite && !Touch->IsConditional);
      if (!New.Own || (Kind != AccessKind::Read && !New.Own->writes()))
        New.Own = Touch;
    }
    New.Strength = Functions.size() + IsRepeated;
    return New.Strength >= 2 ? std::optional(New) : std::nullopt;
  }

  void report(const Finding &Best, const RecordDecl &Record) {
    const FieldDecl &Word = *Best.Word.Field,
                    &Neighbour = *Best.Neighbour.Field;
    Check.analyses().ReportedWords.insert(&Word);
    Check.warn(
        Check.place(*Best.Others),
        {.Subject = Word,
         .Function = Best.Others->Function,
         .Neighbour = &Neighbour},
        "each thread has a '%0' of its own, and '%1' (offset %2) of another "
        "thread's is %select{looked at|written}3 here, in '%4'; it %select{may "
        "share|shares}5 its cache line with '%6' (offset %7), which the owner "
        "%select{uses|writes}8 in '%9': "
        "%select{each write of the owner makes the others' next look|each "
        "write from outside makes the owner's next access}3 a miss; keep what "
        "other threads use a line apart from what is the owner's alone")
        << plainName(Record) << fieldName(Word) << unsigned(Best.Word.Offset)
        << Best.OthersWrite << plainName(*Best.Others->Function)
        << (Best.Fraction == 1) << fieldName(Neighbour)
        << unsigned(Best.Neighbour.Offset) << Best.Own->writes()
        << plainName(*Best.Own->Function);
    Check.diag(Check.place(*Best.Own),
               "'%0' is used by the owner here, in '%1'", DiagnosticIDs::Note)
        << fieldName(Neighbour) << plainName(*Best.Own->Function);
    noteAlignment(Best.Word.Offset > Best.Neighbour.Offset ? Word : Neighbour);
  }

  void noteAlignment(const FieldDecl &Later) {
    const LangOptions &Language = Unit.getLangOpts();
    DiagnosticBuilder Note = Check.diag(
        Later.getLocation(),
        "aligning '%0' to a line of its own separates them; the record grows, "
        "and its ABI changes",
        DiagnosticIDs::Note);
    Note << fieldName(Later);
    const SourceLocation Start = Later.getBeginLoc();
    if (!Start.isMacroID() && (Language.CPlusPlus11 || Language.C11))
      Note << FixItHint::CreateInsertion(
          Start, (Language.CPlusPlus11 ? "alignas(" : "_Alignas(") +
                     std::to_string(Line) + ") ");
  }

  ThreadObjectCheck &Check;
  ThreadStarts Starts;
  IndexOrigin Origin;
  ObjectOwners Owners;
  llvm::DenseSet<const RecordDecl *> OwnRecords;
};

void ThreadObjectCheck::checkUnit(ASTContext &Unit) {
  UnitReader(*this, Unit).read();
}

} // namespace linesman::tidy
