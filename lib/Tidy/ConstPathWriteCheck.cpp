// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ConstPathWriteCheck.h"
#include "Analysis/Accesses/FieldRoles.h"
#include "Analysis/Accesses/LambdaRuns.h"
#include "Analysis/Addresses/AddressSources.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Locks/LockUses.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Names/ReferenceCounts.h"
#include "Analysis/Names/WordSwitch.h"
#include "Analysis/Writes/TestedWrites.h"
#include "LineReader.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// More places say nothing new.
constexpr size_t MaxWriteNotes = 3;

bool isConstMethod(const FunctionDecl *Function) {
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Function);
  return Method && Method->isConst() && !Method->getParent()->isLambda();
}

/// A parameter that promises not to write: const T &, const T *.
bool isConstParameter(const VarDecl *Variable) {
  const auto *Parameter = dyn_cast_or_null<ParmVarDecl>(Variable);
  if (!Parameter)
    return false;
  QualType Type = Parameter->getType();
  return (Type->isReferenceType() || Type->isPointerType()) &&
         Type->getPointeeType().isConstQualified() &&
         Type->getPointeeType()->isRecordType();
}

/// The path stays in the object: behind a pointer another one begins.
bool isOwnField(const Place &Object) {
  if (Object.Path.empty())
    return false;
  for (const FieldDecl *Field : llvm::drop_end(Object.Path))
    if (holdsAddress(Field->getType()))
      return false;
  return true;
}

/// "addEntry", "add_entry", "AddEntry": what it does, in small letters.
std::string verbOf(llvm::StringRef Name) {
  Name = Name.ltrim('_');
  size_t End = std::min<size_t>(1, Name.size());
  while (End < Name.size() && Name[End] != '_' &&
         !(llvm::isUpper(Name[End]) && llvm::isLower(Name[End - 1])))
    ++End;
  return Name.take_front(End).lower();
}

/// Says that it changes the object, whatever its const says: the write is not
/// hidden, and who calls it means it. (dnsdist's SuffixMatchTree has add() and
/// remove() that are const only because the elements of a std::set are.)
bool isMutatorByName(const FunctionDecl &Function) {
  if (!Function.getIdentifier())
    return false;
  return WordSwitch<bool>(verbOf(Function.getName()))
      .Cases({"set", "assign", "put", "store", "replace", "swap", "update"},
             true)
      .Cases({"add", "insert", "emplace", "append", "prepend", "push",
              "enqueue", "attach"},
             true)
      .Cases({"remove", "erase", "delete", "clear", "pop", "dequeue", "detach"},
             true)
      .Default(false);
}

/// A const operator that gives the object back: `m = 1, 2, 3;`.
bool isChainLink(const CXXMethodDecl &Method) {
  QualType Result = Method.getReturnType();
  return Method.isOverloadedOperator() && Method.isConst() &&
         Result->isReferenceType() &&
         Result->getPointeeType()->getAsCXXRecordDecl() == Method.getParent();
}

/// Something that walks over others belongs to whoever walks, and what chains
/// to the expression that it stands in.
bool isWalker(const FieldDecl &Member) {
  const auto *Class = dyn_cast<CXXRecordDecl>(Member.getParent());
  return Class &&
         (!Class
               ->lookup(
                   Class->getASTContext().DeclarationNames.getCXXOperatorName(
                       OO_PlusPlus))
               .empty() ||
          llvm::any_of(Class->methods(), [](const CXXMethodDecl *Method) {
            return isChainLink(*Method);
          }));
}

} // namespace

class ConstPathWriteCheck::UnitReader : LineReader {
public:
  UnitReader(ConstPathWriteCheck &Check, ASTContext &Unit)
      : LineReader(Check, Unit), Check(Check), Lambdas(Accesses) {}

  void read();

private:
  struct WriteSite {
    const FunctionDecl *Function = nullptr;
    const Expr *Site = nullptr;
    const FieldDecl *Field = nullptr;
    /// The member of the function's object that the field is (part of).
    const FieldDecl *Member = nullptr;
    /// The setter that the write is in; null for the function itself.
    const FunctionDecl *Setter = nullptr;
  };

  void checkAccess(const Access &Use);
  /// The object's own part that is written is (in) \p Member.
  void checkConstPath(const Access &Use, const FieldDecl &Member);
  bool isCountBehindPointer(const Access &Use) const;
  /// What a lambda writes that the function around it runs.
  void checkInLambda(const Access &Use);
  /// Memory that a pointer of the object leads to: a terminator behind text.
  void checkOwnedMemory(const FunctionDecl &Function);
  /// One buffer with static storage for all who call the const function.
  void checkScratch(const Access &Use);
  void checkSetter(const UnitAccesses::CallSite &Call);
  /// Whoever calls the function does so where that is tested before.
  bool isFilledOnDemand(const Access &Write);
  bool isQuiet(const Access &Use);
  bool isHandedOver(const Access &Use) const;
  /// The function is there to tell something about the object, not to change
  /// it: neither by its name nor by what it does.
  bool isReader(const Access &Write);
  void add(const WriteSite &Found);
  /// The field that is likeliest to share the written one's line and is only
  /// read on operation paths; its readers may be the writers themselves,
  /// because every core runs them.
  std::optional<HotPair> onlyReadNeighbour(const RecordLines &Lines,
                                           const FieldSpan &Written);
  void report(llvm::ArrayRef<WriteSite> Sites);

  ConstPathWriteCheck &Check;
  const LambdaRuns Lambdas;
  /// By where the field is declared: all instantiations are one cause.
  llvm::MapVector<SourceLocation, llvm::SmallVector<WriteSite, 2>> Found;
  llvm::SmallPtrSet<const VarDecl *, 4> Scratches;
};

void ConstPathWriteCheck::checkUnit(ASTContext &Unit) {
  UnitReader(*this, Unit).read();
}

void ConstPathWriteCheck::UnitReader::read() {
  for (const Access &Use : Accesses.all()) {
    checkAccess(Use);
    checkScratch(Use);
  }
  for (const FunctionDecl *Function : Accesses.functions())
    if (isConstMethod(Function))
      checkOwnedMemory(*Function);
  for (const UnitAccesses::CallSite &Call : Accesses.calls())
    checkSetter(Call);
  for (const auto &[Field, Sites] : Found)
    report(Sites);
}

void ConstPathWriteCheck::UnitReader::checkAccess(const Access &Use) {
  if (!Use.writes() || !Use.Function || Use.Object.Root)
    return;
  if (isCountBehindPointer(Use))
    return checkConstPath(Use, *Use.Object.field());
  if (!isOwnField(Use.Object))
    return;
  if (Use.Object.IsThis && isLambda(Use.Function))
    return checkInLambda(Use);
  const bool IsConstPath =
      Use.Object.IsThis
          ? isConstMethod(Use.Function)
          : isConstParameter(Use.Object.Base) && !Use.Object.IsLocalObject;
  if (IsConstPath)
    checkConstPath(Use, *Use.Object.Path.front());
}

/// for (Node *n = Root; n; n = n->Next) ++n->Visits: what is mutable in nodes
/// that a const method comes to. A mark of one walk is as well, so only what is
/// counted or atomic tells of others.
bool ConstPathWriteCheck::UnitReader::isCountBehindPointer(
    const Access &Use) const {
  const FieldDecl *Field = Use.Object.field();
  if (!Field || !Field->isMutable() || !isConstMethod(Use.Function) ||
      Use.IsConstruction ||
      (Use.Kind != AccessKind::Update && !Kinds.isAtomic(Field->getType())))
    return false;
  // What it is given, and its own parts, are looked at in any case.
  if (Use.Object.IsThis && isOwnField(Use.Object))
    return false;
  const VarDecl *Base = Use.Object.Base;
  return !Base || (Base->hasLocalStorage() && !isa<ParmVarDecl>(Base) &&
                   !Use.Object.IsLocalObject);
}

void ConstPathWriteCheck::UnitReader::checkConstPath(const Access &Use,
                                                     const FieldDecl &Member) {
  if (!isQuiet(Use) && isReader(Use) && Accesses.isUsedHere(*Use.Function) &&
      !isFilledOnDemand(Use))
    add({Use.Function, Use.Site, Use.Object.field(), &Member, nullptr});
}

/// void evaluate() const { if (!Done) { computeSum(); Done = true; } }
bool ConstPathWriteCheck::UnitReader::isFilledOnDemand(const Access &Write) {
  const auto *Method = dyn_cast<CXXMethodDecl>(Write.Function);
  // Nobody else may call it.
  if (!Method || Method->getAccess() == AS_public || !Write.Object.IsThis)
    return false;
  llvm::ArrayRef<CodePlace> Callers = Accesses.callersOf(*Method);
  return !Callers.empty() && llvm::all_of(Callers, [&](const CodePlace &Call) {
    Access AtCall = Write;
    AtCall.Function = Call.Function;
    AtCall.Site = dyn_cast<Expr>(Call.Site);
    return AtCall.Site && isTestedBefore(Accesses, AtCall, Method);
  });
}

void ConstPathWriteCheck::UnitReader::checkOwnedMemory(
    const FunctionDecl &Function) {
  const auto *Body = dyn_cast_or_null<CompoundStmt>(Function.getBody());
  if (!Body || Function.getReturnType()->isVoidType() ||
      !Accesses.isUsedHere(Function))
    return;
  // On every way through: what is behind a test may be there for the first
  // call only.
  for (const Stmt *Node : Body->body()) {
    if (const auto *Cleanups = dyn_cast<ExprWithCleanups>(Node))
      Node = Cleanups->getSubExpr();
    const auto *Store = dyn_cast<BinaryOperator>(Node);
    if (!Store || Store->getOpcode() != BO_Assign)
      continue;
    const Expr *Target = Store->getLHS()->IgnoreParens();
    const Expr *Pointer = nullptr;
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Target))
      Pointer = Subscript->getBase()->IgnoreParenImpCasts();
    else if (const auto *Unary = dyn_cast<UnaryOperator>(Target);
             Unary && Unary->getOpcode() == UO_Deref)
      Pointer = Unary->getSubExpr()->IgnoreParenImpCasts();
    const auto *Member = dyn_cast_if_present<MemberExpr>(Pointer);
    if (!Member || !isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts()))
      continue;
    // A character behind the text is nobody's data; other values may be what
    // the object is for (a view, an output).
    const auto *Field = dyn_cast<FieldDecl>(Member->getMemberDecl());
    if (!Field || !Field->getType()->isPointerType() ||
        !Field->getType()->getPointeeType()->isAnyCharacterType() ||
        !Store->getRHS()->isEvaluatable(Unit) ||
        Check.common().isAccepted(*Field))
      continue;
    Access StoreAccess;
    StoreAccess.Function = &Function;
    StoreAccess.Site = Store;
    if (Hot.isLocked(StoreAccess) || !Hot.isOnOperationPath(StoreAccess))
      continue;
    Check.warn(
        Store->getExprLoc(), {.Subject = *Field, .Function = &Function},
        "'%0' promises not to change the object, but writes what '%1' points "
        "to in every call; all who read the object fight over that cache "
        "line: write it when the object changes, or test before storing")
        << plainName(Function) << fieldName(*Field);
    Check.diag(Field->getLocation(), "'%0' is declared here",
               DiagnosticIDs::Note)
        << fieldName(*Field);
    return;
  }
}

/// `static const char *names[] = {"up", "down"};` handed to whoever looks
/// something up in it: a table, although nothing says const. What is made of
/// zeros, or empty, is to be filled.
static bool isTable(const Access &Use, const ASTContext &Unit) {
  const Expr *Init = Use.Object.Root->getInit();
  if (Use.Kind != AccessKind::Mutate || !Init)
    return false;
  if (const auto *Text = dyn_cast<StringLiteral>(Init->IgnoreParenImpCasts()))
    return Text->getLength() != 0;
  const auto *List = dyn_cast<InitListExpr>(Init);
  return List && llvm::any_of(List->inits(), [&](const Expr *Element) {
           return !isa<ImplicitValueInitExpr>(Element) &&
                  constantOf(Element, Unit) != 0;
         });
}

void ConstPathWriteCheck::UnitReader::checkScratch(const Access &Use) {
  const VarDecl *Var = Use.Object.Root;
  if (!Var || !Use.writes() || !isConstMethod(Use.Function) ||
      !Var->isStaticLocal() || isPerThread(*Var) || Use.IsConditional ||
      isTable(Use, Unit) || Check.common().isAccepted(*Var))
    return;
  QualType Type = Var->getType();
  const auto *Class = Type->getAsCXXRecordDecl();
  const bool IsText =
      Class && Class->getIdentifier() && Class->getName() == "basic_string";
  if (!(Type->isArrayType() || IsText) || Kinds.isSynchronization(Type) ||
      Hot.isReadBefore(Use) || !Hot.isHotWrite(Use) ||
      !Accesses.isUsedHere(*Use.Function) || !Scratches.insert(Var).second)
    return;
  Check.warn(
      Check.place(Use), {.Subject = *Var, .Function = Use.Function},
      "'%0' promises not to change the object, but fills the static '%1' in "
      "every call; it is one buffer for all threads, which take its cache "
      "lines away from each other: use a local or thread_local one")
      << plainName(*Use.Function) << plainName(*Var);
  Check.diag(Var->getLocation(), "'%0' is declared here", DiagnosticIDs::Note)
      << plainName(*Var);
}

void ConstPathWriteCheck::UnitReader::checkInLambda(const Access &Use) {
  Access AtCall = Use;
  // A lambda inside a lambda ends, because functions around it do.
  while (isLambda(AtCall.Function)) {
    const auto *Operator = cast<CXXMethodDecl>(AtCall.Function);
    // [*this] has an object of its own.
    if (llvm::any_of(Operator->getParent()->captures(),
                     [](const LambdaCapture &Capture) {
                       return Capture.getCaptureKind() == LCK_StarThis;
                     }))
      return;
    std::optional<CodePlace> Run = Lambdas.placeOf(*Operator);
    if (!Run)
      return;
    AtCall.Function = Run->Function;
    AtCall.Site = cast<Expr>(Run->Site);
  }
  if (!isConstMethod(AtCall.Function) || isQuiet(Use) || Hot.isLocked(AtCall) ||
      !Hot.isOnOperationPath(AtCall) ||
      isTestedBefore(Accesses, AtCall, Use.Function) || !isReader(AtCall))
    return;
  add({AtCall.Function, Use.Site, Use.Object.field(), Use.Object.Path.front(),
       nullptr});
}

bool ConstPathWriteCheck::UnitReader::isReader(const Access &Write) {
  if (isWalker(*Write.Object.Path.front()))
    return false;
  const FunctionDecl &Function = *Write.Function;
  QualType Result = Function.getReturnType().getNonReferenceType();
  const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
  const auto *Class = Result->getAsCXXRecordDecl();
  const bool ReturnsOwnClass =
      Method && Class &&
      Class->getCanonicalDecl() == Method->getParent()->getCanonicalDecl();
  // Builder &with(int) const { ...; return *this; } tells as little as void.
  const bool IsFluent =
      ReturnsOwnClass && Function.getReturnType()->isReferenceType();
  // Vector add(const Vector &) const: a new object, the old one is only read.
  if (isMutatorByName(Function) && (IsFluent || !ReturnsOwnClass))
    return false;
  if (!Result->isVoidType() && !IsFluent)
    return true;
  // void note_hit(int) const: no reader, but a setter whose const is for others
  // to call it; it is as hot as they are. What it reads only to change it, its
  // container for example, makes no reader of it.
  llvm::SmallPtrSet<const FieldDecl *, 4> Read, Changed;
  for (unsigned Index : Accesses.in(*Write.Function)) {
    const Access &Use = Accesses.all()[Index];
    if (Use.Object.IsThis != Write.Object.IsThis ||
        Use.Object.Base != Write.Object.Base || Use.Object.Path.empty())
      continue;
    if (Use.Kind == AccessKind::Read)
      Read.insert(Use.Object.Path.front());
    else if (Use.writes())
      Changed.insert(Use.Object.Path.front());
  }
  return llvm::any_of(Read, [&](const FieldDecl *Field) {
    return Field != Write.Object.Path.front() && !Changed.contains(Field);
  });
}

/// An atomic behind a T & of somebody else's is read there as likely as
/// written: a formatting operator, emplace_back().
bool ConstPathWriteCheck::UnitReader::isHandedOver(const Access &Use) const {
  return Use.Kind == AccessKind::Mutate &&
         Hot.operationOf(Use) == AtomicOperation::None &&
         !Hot.callsAtomicUpdate(Use) &&
         !isa<CXXMemberCallExpr>(Use.Site->IgnoreParens());
}

bool ConstPathWriteCheck::UnitReader::isQuiet(const Access &Use) {
  const FieldDecl &Field = *Use.Object.field();
  const AccessKind Kind = Hot.kindOf(Use);
  // "May be written": a container's clear(), an out parameter. Only what
  // visibly writes counts.
  if ((Kind != AccessKind::Write && Kind != AccessKind::Update) ||
      isHandedOver(Use))
    return true;
  for (const FieldDecl *Step : Use.Object.Path)
    if (Kinds.isSynchronization(Step->getType()) ||
        Check.common().isAccepted(*Step))
      return true;
  // Who counts references does not read the object.
  if (isReferenceCountName(Field.getName()) ||
      isReferenceCountingName(Use.Function->getNameAsString()))
    return true;
  // Nor does who takes a lock, which has to be written.
  if (const auto *Method = dyn_cast<CXXMethodDecl>(Use.Function);
      Method && Method->isInstance() &&
      isLockType(Method->getFunctionObjectParameterType(), Kinds))
    return true;
  // An element of its own for each thread, or a table: rarely the same line.
  if (!Check.common().Strict &&
      llvm::any_of(Use.Object.elements(), [&](const Element &Part) {
        return !Part.Index->isEvaluatable(Unit);
      }))
    return true;
  return Hot.isLocked(Use) || !Hot.isOnOperationPath(Use) ||
         isTestedBefore(Accesses, Use);
}

void ConstPathWriteCheck::UnitReader::checkSetter(
    const UnitAccesses::CallSite &Call) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(Call.Call);
  if (!Member || !Call.Function)
    return;
  const CXXMethodDecl *Setter = Member->getMethodDecl();
  const Expr *Object = Member->getImplicitObjectArgument();
  if (!Setter || Setter->isStatic() || !Object)
    return;
  // const_cast<T *>(this)->set(), or set() of a mutable member, or one that is
  // const, of a member that has something mutable inside.
  const Expr *Inner = Object->IgnoreParenCasts();
  const auto *MemberObject = dyn_cast<MemberExpr>(Inner);
  const auto *Part = MemberObject
                         ? dyn_cast<FieldDecl>(MemberObject->getMemberDecl())
                         : nullptr;
  const bool IsOwnPart =
      Part && !holdsAddress(Part->getType()) &&
      isa<CXXThisExpr>(MemberObject->getBase()->IgnoreParenCasts());
  if (!isConstMethod(Call.Function) ||
      !(IsOwnPart || (isa<CXXThisExpr>(Inner) && !Setter->isConst())))
    return;
  const FunctionDecl *Definition = nullptr;
  if (!Setter->hasBody(Definition) ||
      Unit.getSourceManager().isInSystemHeader(Definition->getLocation()))
    return;
  if (Part &&
      (Kinds.isSynchronization(Part->getType()) ||
       Kinds.isAtomic(Part->getType()) || Check.common().isAccepted(*Part)))
    return;
  for (unsigned Index : Accesses.in(*Definition)) {
    const Access &Use = Accesses.all()[Index];
    if (!Use.writes() || !Use.Object.IsThis || !isOwnField(Use.Object) ||
        isQuiet(Use))
      continue;
    Access AtCall = Use;
    AtCall.Function = Call.Function;
    AtCall.Site = Call.Call;
    if (Hot.isLocked(AtCall) || !Hot.isOnOperationPath(AtCall) ||
        isTestedBefore(Accesses, AtCall) || !isReader(AtCall))
      continue;
    return add({Call.Function, Call.Call, Use.Object.field(),
                Part ? Part : Use.Object.Path.front(), Definition});
  }
}

void ConstPathWriteCheck::UnitReader::add(const WriteSite &Site) {
  Found[Site.Field->getLocation()].push_back(Site);
}

std::optional<HotPair>
ConstPathWriteCheck::UnitReader::onlyReadNeighbour(const RecordLines &Lines,
                                                   const FieldSpan &Written) {
  std::optional<HotPair> Best;
  for (const FieldSpan &Other : Lines.fields()) {
    HotPair Pair{Written, Other, Lines.sharingFraction(Written, Other)};
    if (Other.Field == Written.Field || Pair.Fraction == 0 ||
        isPaddingField(*Other.Field) ||
        Kinds.isSynchronization(Other.Field->getType()) ||
        Accesses.isNamedInBrokenCode(*Other.Field) ||
        (Best && Pair.Fraction <= Best->Fraction))
      continue;
    bool IsWritten = false;
    for (unsigned Index : Accesses.of(*Other.Field)) {
      const Access &Use = Accesses.all()[Index];
      if (!Hot.isOnOperationPath(Use))
        continue;
      IsWritten |= Use.writes();
      if (!Pair.Reader && Use.Kind == AccessKind::Read)
        Pair.Reader = &Use;
    }
    if (Pair.Reader && !IsWritten)
      Best = Pair;
  }
  return Best;
}

void ConstPathWriteCheck::UnitReader::report(llvm::ArrayRef<WriteSite> Sites) {
  const WriteSite &First = Sites.front();
  std::optional<RecordLines> Lines = RecordLines::build(
      *First.Member->getParent(), Unit, Check.common().CacheLineSize);
  std::optional<FieldSpan> Written;
  std::optional<HotPair> Victim;
  if (Lines) {
    Written = Lines->find(*First.Member);
    if (Written)
      Victim = onlyReadNeighbour(*Lines, *Written);
    // Alone on its line, by intent: only those who read it wait for it.
    if (Written &&
        llvm::none_of(Lines->fields(),
                      [&](const FieldSpan &Other) {
                        return Other.Field != First.Member &&
                               !isPaddingField(*Other.Field) &&
                               Lines->sharing(*Written, Other) !=
                                   LineSharing::Never;
                      }) &&
        Lines->isolatesDeliberately())
      return;
  }
  std::string Effect = "; all who read the object fight over its cache line: "
                       "count per thread, or "
                       "do not write";
  if (Victim)
    Effect = llvm::formatv(
        " (offset {0}) beside '{1}' (offset {2}), which is only read; each "
        "such "
        "write takes the cache line away from all readers: put what is written "
        "on a line of its own, keep it per thread, or do not write",
        Victim->Written.Offset, fieldName(*Victim->Read.Field),
        Victim->Read.Offset);
  Check.warn(First.Site->getExprLoc(),
             {.Subject = *First.Field,
              .Function = First.Function,
              .Neighbour = Victim ? Victim->Read.Field : nullptr},
             "'%0' promises not to change the object, but "
             "writes '%1'%2")
      << plainName(*First.Function) << fieldName(*First.Field) << Effect;
  Check.diag(First.Field->getLocation(), "'%0' is declared here",
             DiagnosticIDs::Note)
      << fieldName(*First.Field);
  if (First.Setter)
    Check.diag(First.Setter->getLocation(), "'%0' writes it",
               DiagnosticIDs::Note)
        << plainName(*First.Setter);
  if (Victim && Victim->Reader)
    Check.diag(Victim->Reader->location(), "'%0' is read here, for example",
               DiagnosticIDs::Note)
        << fieldName(*Victim->Read.Field);
  const SourceManager &Sources = Unit.getSourceManager();
  llvm::SmallVector<SourceLocation, 4> Shown = {
      Sources.getFileLoc(First.Site->getExprLoc())};
  for (const WriteSite &Writing : Sites.drop_front()) {
    SourceLocation Spot = Sources.getFileLoc(Writing.Site->getExprLoc());
    if (llvm::is_contained(Shown, Spot))
      continue;
    if (Shown.size() > MaxWriteNotes)
      break;
    Shown.push_back(Spot);
    Check.diag(Writing.Site->getExprLoc(), "'%0' writes it, too",
               DiagnosticIDs::Note)
        << plainName(*Writing.Function);
  }
}

} // namespace linesman::tidy
