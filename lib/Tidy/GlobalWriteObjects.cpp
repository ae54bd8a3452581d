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
#include "Analysis/Locks/CountingSections.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Names/RecordLines.h"
#include "Analysis/Names/ReferenceCounts.h"
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

/// The member that \p Pointer is, or that a local was given once.
const FieldDecl *pointerMember(const Expr &Pointer, unsigned Depth = 0) {
  const Expr *Inner = Pointer.IgnoreParenImpCasts();
  if (const auto *Arrow = dyn_cast<CXXOperatorCallExpr>(Inner);
      Arrow &&
      (Arrow->getOperator() == OO_Arrow || Arrow->getOperator() == OO_Star))
    Inner = Arrow->getArg(0)->IgnoreParenImpCasts();
  if (const auto *Member = dyn_cast<MemberExpr>(Inner))
    return dyn_cast<FieldDecl>(Member->getMemberDecl());
  const auto *Ref = dyn_cast<DeclRefExpr>(Inner);
  const auto *Local = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return Local && Local->hasLocalStorage() && !isa<ParmVarDecl>(Local) &&
                 Local->hasInit() && Depth == 0 &&
                 !Local->getInit()->isValueDependent()
             ? pointerMember(*Local->getInit(), Depth + 1)
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
  const FieldDecl *Pointer = Count ? pointerMember(*Count->getBase()) : nullptr;
  return Pointer && isShared(Pointer->getType()) ? Pointer : nullptr;
}

/// fetch_sub, --: what goes down again is how many there are, not how often.
bool countsDown(const Expr &Site) {
  const Expr *E = Site.IgnoreParenImpCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(E))
    return Unary->isDecrementOp();
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E))
    return Operator->getOperator() == OO_MinusMinus ||
           Operator->getOperator() == OO_MinusEqual;
  llvm::StringRef Name;
  std::string Builtin;
  if (const auto *Atomic = dyn_cast<AtomicExpr>(E)) {
    Builtin = Atomic->getOpAsString().str();
    Name = Builtin;
  } else if (const auto *Call = dyn_cast<CallExpr>(E)) {
    const FunctionDecl *Callee = Call->getDirectCallee();
    if (Callee && Callee->getIdentifier())
      Name = Callee->getName();
  }
  return Name.contains_insensitive("sub") || Name.contains_insensitive("dec");
}

/// Counted on every way through, atomically, because several threads come; and
/// nothing in the unit looks at it to decide. A class that is nothing but a
/// count is its users', and who has put lines apart has thought of this one.
bool isOwnStatistic(const Access &Use, HotAccesses &Hot, uint64_t Line) {
  const FieldDecl &Count = *Use.Object.field();
  const UnitAccesses &Accesses = Hot.accesses();
  std::optional<RecordLines> Lines =
      RecordLines::build(*Count.getParent(), Accesses.unit(), Line);
  if (Use.IsConditional || Use.Object.IsLocalObject ||
      !(Use.Object.IsThis || Use.Object.Base) ||
      (Use.Object.Base && Use.Object.Base->hasGlobalStorage()) || !Lines ||
      Lines->isolatesDeliberately() || Lines->alignment() >= Line)
    return false;
  if (llvm::none_of(Lines->fields(), [&](const FieldSpan &Other) {
        return Other.Field != &Count &&
               llvm::any_of(Accesses.of(*Other.Field), [&](unsigned Index) {
                 const Access &Read = Accesses.all()[Index];
                 return Read.Kind == AccessKind::Read && !Read.IsConstruction;
               });
      }))
    return false;
  return llvm::none_of(Accesses.of(Count), [&](unsigned Index) {
    const Access &Other = Accesses.all()[Index];
    return Other.Object.field() == &Count &&
           (Other.IsInCondition ||
            (Other.writes() &&
             (Other.IsResultUsed || countsDown(*Other.Site))));
  });
}

/// The access that \p Counting is, if it counts in an object that has a lock
/// and nothing in the unit decides by the count.
const Access *memberCount(const Expr &Counting, const FunctionDecl &Function,
                          HotAccesses &Hot) {
  const UnitAccesses &Accesses = Hot.accesses();
  for (unsigned Index : Accesses.in(Function)) {
    const Access &Use = Accesses.all()[Index];
    const FieldDecl *Field = Use.Object.field();
    if (!Field || Use.Site->IgnoreParenCasts() != &Counting)
      continue;
    const bool Decides = llvm::any_of(Accesses.of(*Field), [&](unsigned Other) {
      const Access &Read = Accesses.all()[Other];
      return Read.IsInCondition && Read.Object.field() == Field;
    });
    return !Decides && !Use.Object.Root && !Use.Object.Index &&
                   HotAccesses::isPlainCounting(Use) &&
                   !isReferenceCountName(Field->getName()) &&
                   Hot.isOnOperationPath(Use)
               ? &Use
               : nullptr;
  }
  return nullptr;
}

} // namespace

void GlobalWriteCheck::checkCountedObjects(const UnitAccesses &All,
                                           const TypeKinds &Kinds) {
  HotAccesses Hot(All, Kinds);
  for (const FunctionDecl *Function : All.functions())
    for (const CountingSection &Section :
         countingSections(*Function, Kinds, LockPlace::Member)) {
      llvm::SmallVector<const Access *, 2> Counts;
      for (const Expr *Counting : Section)
        if (const Access *Use = memberCount(*Counting, *Function, Hot))
          Counts.push_back(Use);
      if (Counts.size() != Section.size() ||
          (Counts.front()->IsConditional && !Counts.front()->Loop) ||
          common().isAccepted(*Counts.front()->Object.field()) ||
          !analyses()
               .ReportedWords.insert(Counts.front()->Object.field())
               .second)
        continue;
      const Access &First = *Counts.front();
      const FieldDecl &Count = *First.Object.field();
      warn(place(First), {.Subject = Count, .Function = First.Function},
           "'%0' takes a lock of the object for nothing but to count in '%1': "
           "the lines of the lock and of the count move to the core that runs "
           "the call and away from all others, and who comes meanwhile waits; "
           "count atomically, without the lock, or keep one count per thread "
           "and add them where they are read")
          << plainName(*First.Function) << fieldName(Count);
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
        !Hot.isHotWrite(Use) || !All.isUsedHere(*Use.Function) ||
        common().isAccepted(*Count))
      continue;
    const FieldDecl *Pointer = pointerBefore(Use);
    if (Pointer ? common().isAccepted(*Pointer)
                : !isOwnStatistic(Use, Hot, common().CacheLineSize) ||
                      common().isAccepted(*Count->getParent()))
      continue;
    // Several counts of one object are one cause.
    if (!analyses().ReportedWords.insert(Count).second ||
        !Reported.insert(templatePattern(*Count->getParent()).getLocation())
             .second)
      continue;
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
