// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A count of all threads need not have static storage. An object that others
// point to is theirs together, and a count in it is written by whoever has one
// of them:
//
//     connection->server->bytes.fetch_add(n)      parent->used += n
//
// No layout is a cure where all who read beside the count also write it; those
// who suffer beside it are linesman-adjacent-hot-fields'.

#include "Analysis/Accesses/HotAccesses.h"
#include "Analysis/Addresses/AccessPath.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/LocalValues.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Locks/CountingSections.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Names/RecordLines.h"
#include "Analysis/Names/ReferenceCounts.h"
#include "Analysis/Writes/Statistics.h"
#include "GlobalWriteCheck.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallSet.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// A pointer that several objects may have: not a class's own other half.
bool isShared(QualType Type) {
  if (Type->isReferenceType() || Type->isPointerType())
    return true;
  const auto *Class = Type->getAsCXXRecordDecl();
  return Class && Class->getIdentifier() && Class->getName() == "shared_ptr";
}

/// A variable of one thread: thread_local, or an object that a function has for
/// itself.
bool isOneThreads(const VarDecl &Var) {
  return isPerThread(Var) ||
         (Var.hasLocalStorage() && Var.getType()->isRecordType());
}

/// What an object of one thread has, at whatever depth, is rather its own.
bool isOneThreads(const Place &Object) {
  return Object.IsLocalObject || (Object.Base && isOneThreads(*Object.Base)) ||
         (Object.Root && isOneThreads(*Object.Root));
}

bool isOneThreads(const MemberExpr &Member) {
  std::optional<AccessPath> Path = pathOf(Member);
  const auto *Root = Path ? dyn_cast_if_present<VarDecl>(Path->Root) : nullptr;
  return Root && isOneThreads(*Root);
}

/// The member that \p Pointer is, or that a local of \p Function was given, and
/// has kept.
const FieldDecl *pointerMember(const Expr &Pointer,
                               const FunctionDecl &Function,
                               unsigned Depth = 0) {
  const Expr *Inner = Pointer.IgnoreParenImpCasts();
  if (const auto *Arrow = dyn_cast<CXXOperatorCallExpr>(Inner);
      Arrow &&
      (Arrow->getOperator() == OO_Arrow || Arrow->getOperator() == OO_Star))
    Inner = Arrow->getArg(0)->IgnoreParenImpCasts();
  if (const auto *Member = dyn_cast<MemberExpr>(Inner))
    return isOneThreads(*Member) ? nullptr
                                 : dyn_cast<FieldDecl>(Member->getMemberDecl());
  const auto *Ref = dyn_cast<DeclRefExpr>(Inner);
  const auto *Local = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Local && Local->hasLocalStorage() && !isa<ParmVarDecl>(Local) &&
                 Local->hasInit() && Depth == 0 &&
                 !Local->getInit()->isValueDependent() &&
                 assignmentsOf(*Local, Function).empty()
             ? pointerMember(*Local->getInit(), Function, Depth + 1)
             : nullptr;
}

/// connection->server->bytes: the field of the pointer.
const FieldDecl *pointerBefore(const Access &Use) {
  if (Use.Object.Index || Use.Object.Root || Use.Object.IsThis)
    return nullptr;
  const Expr *Operated = operatedObject(*Use.Site);
  Operated = Operated ? Operated->IgnoreParenCasts() : nullptr;
  if (const auto *Address = dyn_cast_if_present<UnaryOperator>(Operated);
      Address && Address->getOpcode() == UO_AddrOf)
    Operated = Address->getSubExpr()->IgnoreParens();
  const auto *Count = dyn_cast_if_present<MemberExpr>(Operated);
  const FieldDecl *Pointer =
      Count ? pointerMember(*Count->getBase(), *Use.Function) : nullptr;
  return Pointer && isShared(Pointer->getType()) ? Pointer : nullptr;
}

/// Counted on every way through, atomically, because several threads come, and
/// only told. A class that is nothing but a count is its users', and who has
/// put lines apart has thought of this one.
bool isOwnStatistic(const Access &Use, HotAccesses &Hot, uint64_t Line) {
  const FieldDecl &Count = *Use.Object.field();
  const UnitAccesses &Accesses = Hot.accesses();
  if (Use.IsConditional || isOneThreads(Use.Object) ||
      !(Use.Object.IsThis || Use.Object.Base) ||
      (Use.Object.Base && Use.Object.Base->hasGlobalStorage()))
    return false;
  std::optional<RecordLines> Lines =
      RecordLines::build(*Count.getParent(), Accesses.unit(), Line);
  if (!Lines || Lines->isolatesDeliberately() || Lines->alignment() >= Line)
    return false;
  if (llvm::none_of(Lines->fields(), [&](const FieldSpan &Other) {
        return Other.Field != &Count &&
               llvm::any_of(Accesses.of(*Other.Field), [&](unsigned Index) {
                 const Access &Read = Accesses.all()[Index];
                 return Read.Kind == AccessKind::Read && !Read.IsConstruction;
               });
      }))
    return false;
  return isStatistic(Use, Accesses);
}

/// The access that \p Counting is, if it counts in an object that has a lock,
/// or keeps an extreme there, and that is only told.
const Access *memberCount(const Expr &Counting, const FunctionDecl &Function,
                          HotAccesses &Hot) {
  const UnitAccesses &Accesses = Hot.accesses();
  for (unsigned Index : Accesses.in(Function)) {
    const Access &Use = Accesses.all()[Index];
    const FieldDecl *Field = Use.Object.field();
    if (!Field || Use.Site->IgnoreParenCasts() != &Counting)
      continue;
    return !Use.Object.Root && !Use.Object.Index && !isOneThreads(Use.Object) &&
                   (keepsExtreme(Counting)
                        ? isOnlyTold(Use, Accesses)
                        : HotAccesses::isPlainCounting(Use) &&
                              isStatistic(Use, Accesses)) &&
                   !isReferenceCountName(Field->getName()) &&
                   Hot.isOnOperationPath(Use)
               ? &Use
               : nullptr;
  }
  return nullptr;
}

/// request->counts->served, in a record of nothing but counts: somebody picked
/// this copy for the request, as one that its thread has.
bool isPickedCopy(const Access &Use, const TypeKinds &Kinds) {
  const RecordDecl &Record = *Use.Object.field()->getParent();
  return pointerBefore(Use) &&
         llvm::all_of(Record.fields(), [&](const FieldDecl *Field) {
           QualType Type = Field->getType();
           while (const ArrayType *Array = Type->getAsArrayTypeUnsafe())
             Type = Array->getElementType();
           return Type->isArithmeticType() || Kinds.isSynchronization(Type) ||
                  (Type->isPointerType() &&
                   Type->getPointeeType()->getAsRecordDecl() == &Record);
         });
}

} // namespace

void GlobalWriteCheck::checkCountedObjects(const UnitAccesses &All,
                                           const TypeKinds &Kinds) {
  HotAccesses Hot(All, Kinds);
  for (const FunctionDecl *Function : All.functions())
    for (const CountingSection &Section :
         countingSections(*Function, Kinds, LockPlace::Member)) {
      const Access *Use = memberCount(*Section.front(), *Function, Hot);
      // Counts that change together may have to be read together: the message
      // says so.
      const bool AreSeveral = Section.size() > 1;
      if (!Use ||
          (AreSeveral && !llvm::all_of(Section,
                                       [&](const Expr *Other) {
                                         return memberCount(*Other, *Function,
                                                            Hot);
                                       })) ||
          (Use->IsConditional && !Use->Loop) || isPickedCopy(*Use, Kinds) ||
          common().isAccepted(*Use->Object.field()) ||
          !analyses().ReportedWords.insert(Use->Object.field()).second)
        continue;
      const FieldDecl &Count = *Use->Object.field();
      enum { Number, FloatingNumber, Extreme } Kind = Number;
      if (keepsExtreme(*Section.front()))
        Kind = Extreme;
      else if (Count.getType()->isFloatingType())
        Kind = FloatingNumber;
      warn(place(*Use), {.Subject = Count, .Function = Use->Function},
           "'%0' takes a lock of the object for nothing but to %select{count "
           "in|count in|keep an extreme value in}2 '%1'%select{| and others}3: "
           "the lines of the lock and of the %select{count|count|value}2 move "
           "to the core that runs the call and away from all others, and who "
           "comes meanwhile waits; "
           "%select{count atomically, without the lock, or keep one count per "
           "thread and add them where they are read|keep one count per thread "
           "and add them where they are read|look first, without the lock, "
           "whether the value has to change, or keep one value per thread}2"
           "%select{|, if nobody needs them to agree}3")
          << plainName(*Use->Function) << fieldName(Count) << int(Kind)
          << AreSeveral;
      diag(Count.getLocation(), "'%0' is declared here", DiagnosticIDs::Note)
          << fieldName(Count);
    }
}

void GlobalWriteCheck::checkObjects(const UnitAccesses &All,
                                    const TypeKinds &Kinds) {
  HotAccesses Hot(All, Kinds);
  llvm::SmallSet<SourceLocation, 4> Reported;
  for (const Access &Use : All.all()) {
    const FieldDecl *Count = Use.Object.field();
    if (!Count || !Use.writes() || Use.Object.Index || Use.Object.Root ||
        Hot.operationOf(Use) != AtomicOperation::FetchModify ||
        Use.IsResultUsed || isReferenceCountName(Count->getName()) ||
        analyses().ReportedWords.contains(Count))
      continue;
    // Several counts of one object are one cause. Asked first: a generated
    // record has thousands of them, and what follows reads the whole record.
    const SourceLocation Record =
        templatePattern(*Count->getParent()).getLocation();
    if (Reported.contains(Record) || !Hot.isHotWrite(Use) ||
        !All.isUsedHere(*Use.Function) || common().isAccepted(*Count))
      continue;
    const FieldDecl *Pointer = pointerBefore(Use);
    if (Pointer ? common().isAccepted(*Pointer) || !isOnlyTold(Use, All)
                : !isOwnStatistic(Use, Hot, common().CacheLineSize) ||
                      common().isAccepted(*Count->getParent()))
      continue;
    Reported.insert(Record);
    analyses().ReportedWords.insert(Count);
    if (Pointer)
      warn(place(Use), {.Subject = *Count, .Function = Use.Function},
           "'%0' is in an object that many reach through their '%1', and '%2' "
           "updates it: its cache line moves to the core that runs the call "
           "and away from all others; keep one copy per thread and add them "
           "where it is read")
          << fieldName(*Count) << fieldName(*Pointer)
          << plainName(*Use.Function);
    else
      warn(place(Use), {.Subject = *Count, .Function = Use.Function},
           "'%1' counts each call in '%0', by which nothing here decides: "
           "where threads have the object at once, its cache line moves to the "
           "core that runs the call and away from all others; keep one count "
           "per thread and add them where they are read")
          << fieldName(*Count) << plainName(*Use.Function);
    diag(Count->getLocation(), "'%0' is declared here", DiagnosticIDs::Note)
        << fieldName(*Count);
  }
}

} // namespace linesman::tidy
