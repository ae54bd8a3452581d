// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman-shared-refcount where a copy of a shared pointer counts, although it
// is only made to look at the object:
//
//     auto now = settings;                  a global, or an own member
//     std::atomic_load(&current)->limit     whatever thread comes, each time
//     table.schema()->width()               a getter's copy, in a loop
//     for (auto sink : sinks)               an element's
//     config()->limit                       a copy that a lock is taken for
//
// Who keeps the copy, or needs it because the pointer may change meanwhile,
// needs the count.

#include "Analysis/Addresses/StaticReach.h"
#include "Analysis/Code/LoopObject.h"
#include "Analysis/Code/NamedVariable.h"
#include "Analysis/Code/StmtPath.h"
#include "Analysis/Names/CountingPointers.h"
#include "Analysis/Names/PlainName.h"
#include "LineReader.h"
#include "SharedRefcountCheck.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// The variable that \p E is, or is a part of: o for o.part.p.
const VarDecl *wholeOf(const Expr &E) {
  const Expr *Inner = E.IgnoreParenImpCasts();
  while (const auto *Member = dyn_cast<MemberExpr>(Inner)) {
    if (Member->isArrow())
      return nullptr;
    Inner = Member->getBase()->IgnoreParenImpCasts();
  }
  const auto *Reference = dyn_cast<DeclRefExpr>(Inner);
  return Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
}

bool isOwnMember(const Expr &E) {
  const auto *Member = dyn_cast<MemberExpr>(E.IgnoreParenImpCasts());
  return Member && isa<FieldDecl>(Member->getMemberDecl()) &&
         isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts());
}

/// Counts the pointer that it is given: a copy, a copy as a pointer to a base
/// or to const, or a pointer to a part of the object.
bool isCopying(const CXXConstructExpr &Construct) {
  const CXXConstructorDecl &Constructor = *Construct.getConstructor();
  const unsigned Arguments = Construct.getNumArgs();
  if (Arguments == 1 && Constructor.isCopyConstructor())
    return true;
  return (Arguments == 1 || Arguments == 2) &&
         isSharedPointer(Construct.getType()) &&
         isSharedPointer(Construct.getArg(0)->getType()) &&
         Constructor.getNumParams() != 0 && // not T(...)
         Constructor.getParamDecl(0)->getType()->isLValueReferenceType();
}

/// What a constructor that counts copies.
const Expr *copiedBy(const Expr &E) {
  const Expr *Made = E.IgnoreImplicit();
  // Before C++17, what is made is moved to its place.
  if (const auto *Move = dyn_cast<CXXConstructExpr>(Made);
      Move && Move->isElidable())
    Made = Move->getArg(0)->IgnoreImplicit();
  if (const auto *Cast = dyn_cast<CXXFunctionalCastExpr>(Made))
    Made = Cast->getSubExpr()->IgnoreImplicit();
  const auto *Construct = dyn_cast<CXXConstructExpr>(Made);
  return Construct && isCopying(*Construct)
             ? Construct->getArg(0)->IgnoreParenImpCasts()
             : nullptr;
}

/// The container of `for (auto each : container)`.
const Expr *containerOf(const VarDecl &Item) {
  const Expr *Element = copiedBy(*Item.getInit());
  const Expr *Iterator = nullptr;
  if (const auto *Unary = dyn_cast_if_present<UnaryOperator>(Element))
    Iterator = Unary->getSubExpr();
  else if (const auto *Call = dyn_cast_if_present<CXXOperatorCallExpr>(Element))
    Iterator = Call->getArg(0);
  for (unsigned Steps = 0; Iterator && Steps != 4; ++Steps) {
    Iterator = Iterator->IgnoreParenImpCasts();
    if (const auto *Call = dyn_cast<CXXMemberCallExpr>(Iterator)) {
      Iterator = Call->getImplicitObjectArgument();
      continue;
    }
    const auto *Reference = dyn_cast<DeclRefExpr>(Iterator);
    const auto *Var =
        Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
    if (!Var || !Var->isImplicit())
      return Iterator;
    Iterator = Var->getInit() ? Var->getInit()->IgnoreImplicit() : nullptr;
  }
  return nullptr;
}

/// `return member;`, `static std::shared_ptr<T> one = ...; return one;`
const ValueDecl *returnedCopy(const FunctionDecl &Getter) {
  const FunctionDecl *Definition = nullptr;
  const auto *Body =
      dyn_cast_if_present<CompoundStmt>(Getter.getBody(Definition));
  if (!Body || Body->body_empty() || Body->size() > 2 ||
      Getter.getReturnType()->isReferenceType())
    return nullptr;
  const auto *Return = dyn_cast<ReturnStmt>(Body->body_back());
  if (!Return || !Return->getRetValue() ||
      (Body->size() == 2 && !isa<DeclStmt>(Body->body_front())))
    return nullptr;
  const Expr *Source = copiedBy(*Return->getRetValue());
  const ValueDecl *Original = Source ? namedIn(*Source) : nullptr;
  const auto *Var = dyn_cast_if_present<VarDecl>(Original);
  return Original && (isa<FieldDecl>(Original) ||
                      (Var && Var->hasGlobalStorage() &&
                       Var->getTLSKind() == VarDecl::TLS_None))
             ? Original
             : nullptr;
}

/// `std::lock_guard hold(lock); return pointer;`
bool locksToCopy(const FunctionDecl &Getter, const TypeKinds &Kinds) {
  const auto *Body = dyn_cast_if_present<CompoundStmt>(Getter.getBody());
  const auto *First = Body && Body->size() == 2
                          ? dyn_cast<DeclStmt>(Body->body_front())
                          : nullptr;
  const auto *Guard = First && First->isSingleDecl()
                          ? dyn_cast<VarDecl>(First->getSingleDecl())
                          : nullptr;
  return Guard && Kinds.kindOf(Guard->getType()) == TypeKind::LockGuard &&
         returnedCopy(Getter);
}

/// std::atomic_load(&p), and the load() of a std::atomic<std::shared_ptr<T>>.
const ValueDecl *loadedPointer(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !isSharedPointer(Call.getType()))
    return nullptr;
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call)) {
    const auto *Class = Member->getImplicitObjectArgument()
                            ->IgnoreParenImpCasts()
                            ->getType()
                            ->getAsCXXRecordDecl();
    const bool Loads = isa<CXXConversionDecl>(Callee) ||
                       (Callee->getIdentifier() && Callee->getName() == "load");
    return Loads && Class && Class->getIdentifier() &&
                   Class->getName() == "atomic"
               ? namedIn(*Member->getImplicitObjectArgument())
               : nullptr;
  }
  return Callee->getIdentifier() && Call.getNumArgs() != 0 &&
                 (Callee->getName() == "atomic_load" ||
                  Callee->getName() == "atomic_load_explicit")
             ? namedIn(*Call.getArg(0))
             : nullptr;
}

/// `return pointer.load();`
const ValueDecl *returnedLoad(const FunctionDecl &Getter) {
  const auto *Body = dyn_cast_if_present<CompoundStmt>(Getter.getBody());
  const auto *Return = Body && Body->size() == 1
                           ? dyn_cast<ReturnStmt>(Body->body_front())
                           : nullptr;
  const Expr *Value = Return ? Return->getRetValue() : nullptr;
  const auto *Load =
      Value ? dyn_cast<CallExpr>(Value->IgnoreImplicit()) : nullptr;
  return Load ? loadedPointer(*Load) : nullptr;
}

} // namespace

class SharedRefcountCheck::PointerReader : LineReader {
public:
  PointerReader(SharedRefcountCheck &Check, ASTContext &Unit)
      : LineReader(Check, Unit), Check(Check), Pointers(Kinds) {}

  void read(llvm::ArrayRef<FunctionCode> Functions) {
    for (const FunctionCode &Code : Functions)
      if (!Code.Function->isMain())
        for (const Stmt *Node : Code.Statements)
          if (const auto *Declarations = dyn_cast<DeclStmt>(Node))
            for (const Decl *Declared : Declarations->decls())
              if (const auto *Local = dyn_cast<VarDecl>(Declared);
                  Local && Local->hasLocalStorage() && Local->hasInit() &&
                  Pointers.contains(Local->getType()))
                checkCopy(*Code.Function, *Local);
    for (const UnitAccesses::CallSite &Site : Accesses.calls())
      if (const auto *Call = dyn_cast<CallExpr>(Site.Call);
          Call && Site.Function && !Site.Function->isMain()) {
        checkResult(*Call, Site);
        checkArguments(*Call, Site);
      }
    reportAsking();
  }

private:
  void checkCopy(const FunctionDecl &Function, const VarDecl &Copy) {
    const Expr *Source = Copy.isCXXForRangeDecl() ? containerOf(Copy)
                                                  : copiedBy(*Copy.getInit());
    const ValueDecl *Original = Source ? namedIn(*Source) : nullptr;
    if (!Original)
      return;
    const VarDecl *Static = wholeOf(*Source);
    const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
    const bool IsOnReadPath =
        isOwnMember(*Source) && Method && Method->isConst();
    if (!(Static && isSharedStatic(*Static)) && !IsOnReadPath)
      return;
    // A copy that goes somewhere is a reference that somebody keeps; and a
    // variable that is changed needs the copy to keep the object alive. A
    // container that is changed while a loop goes through it is none.
    if (Check.common().isAccepted(*Original) ||
        !isOnlyDereferenced(Copy, Function) ||
        (!Copy.isCXXForRangeDecl() && isAssigned(*Original)) ||
        !isHot(Function, *Copy.getInit()->IgnoreImplicit()))
      return;
    if (Copy.isCXXForRangeDecl())
      Check.warn(Copy.getLocation(),
                 {.Subject = *Original, .Function = &Function},
                 "'%0' copies each shared pointer in '%1' to look at its "
                 "object; every count goes up and down, and every core that "
                 "runs this takes their cache lines away from all others: go "
                 "through '%1' by reference")
          << plainName(Function) << plainName(*Original);
    else
      Check.warn(Copy.getLocation(),
                 {.Subject = *Original, .Function = &Function},
                 "'%0' copies the shared pointer '%1' to look at its object; "
                 "the count goes up and down, and every core that runs this "
                 "takes its cache line away from all others: use a reference "
                 "to '%1'")
          << plainName(Function) << plainName(*Original);
    noteDeclaration(*Original);
  }

  /// Of a load of a pointer that is changed atomically, or of a getter.
  void checkResult(const CallExpr &Call, const UnitAccesses::CallSite &Site) {
    if (!Pointers.contains(Call.getType()))
      return;
    const FunctionDecl *Callee = Call.getDirectCallee();
    const ValueDecl *Loaded = loadedPointer(Call);
    if (!Loaded && Callee)
      Loaded = returnedLoad(*Callee);
    const ValueDecl *Original = Loaded   ? Loaded
                                : Callee ? returnedCopy(*Callee)
                                         : nullptr;
    if (!Original || Check.common().isAccepted(*Original) ||
        !isOnlyLookedAt(Call, *Site.Function) || !isHot(*Site.Function, Call))
      return;
    const bool IsLocked = !Loaded && locksToCopy(*Callee, Kinds) &&
                          asksOne(Call, *Original) && isAssigned(*Original);
    // A getter's copy is one more among many, unless everybody asks for the
    // same object, or one asks again and again.
    if (!Loaded && !IsLocked) {
      const bool MayChange = isAssigned(*Original);
      if (MayChange && isa<VarDecl>(Original))
        return;
      if (MayChange || (!isa<VarDecl>(Original) &&
                        !asksOwnGetter(Call, *Site.Function, *Original) &&
                        !(hasThreads() && asksAgain(Call, Site)))) {
        Asking[cast<ValueDecl>(Original->getCanonicalDecl())].push_back(
            {&Call, Site.Function});
        return;
      }
    }
    if (!Reported.insert(Original->getCanonicalDecl()).second)
      return;
    if (IsLocked)
      Check.warn(
          Call.getBeginLoc(), {.Subject = *Original, .Function = Site.Function},
          "'%0' asks '%2' for a copy of the shared pointer '%1' to look "
          "at its object, and '%2' takes a lock to copy: the cache lines "
          "of the lock and of the count move to the core that asks and "
          "away from all others; keep a copy per thread, and ask again "
          "only when the pointer has changed")
          << plainName(*Site.Function) << plainName(*Original)
          << plainName(*Callee);
    else if (Loaded)
      Check.warn(Call.getBeginLoc(),
                 {.Subject = *Original, .Function = Site.Function},
                 "'%0' loads the shared pointer '%1' to look at its object; "
                 "each load counts up and down again, and takes the cache line "
                 "of the count away from all other cores that do: keep a copy "
                 "per thread, and load again only when the pointer has changed")
          << plainName(*Site.Function) << plainName(*Original);
    else
      Check.warn(Call.getBeginLoc(),
                 {.Subject = *Original, .Function = Site.Function},
                 "'%0' asks '%2' for a copy of the shared pointer '%1' to look "
                 "at its object%select{|, on every turn of a loop}3; the count "
                 "goes up and down, and every core that runs this takes its "
                 "cache line away from all others: let '%2' return a reference")
          << plainName(*Site.Function) << plainName(*Original)
          << plainName(*Callee) << (Site.Loop != nullptr);
    noteDeclaration(*Original);
  }

  /// Getters that calls ask for a look at the object: whose object it is, and
  /// who else has it, nothing tells. Of those that one call asks, or whose
  /// pointer somebody may replace meanwhile, the one that most calls ask.
  void reportAsking() {
    constexpr size_t FewestCalls = 2;
    const ValueDecl *Likeliest = nullptr;
    for (const auto &[Original, Calls] : Asking) {
      if (Reported.contains(Original))
        continue;
      if (Calls.size() >= FewestCalls && !isAssigned(*Original))
        reportAsked(*Original, Calls);
      else if (!Likeliest || Calls.size() > Asking[Likeliest].size())
        Likeliest = Original;
    }
    if (Likeliest && Check.common().Likeliest)
      reportAsked(*Likeliest, Asking[Likeliest]);
  }

  using AskingCalls =
      llvm::SmallVector<std::pair<const CallExpr *, const FunctionDecl *>, 2>;

  void reportAsked(const ValueDecl &Original, const AskingCalls &Calls) {
    Reported.insert(&Original);
    const auto &[Call, Function] = Calls.front();
    Check.warn(Call->getBeginLoc(), {.Subject = Original, .Function = Function},
               "'%0' asks '%2' for a copy of the shared pointer '%1' to look "
               "at its object%select{|, as %3 calls of this unit do}4; the "
               "count goes up and down, and if several threads have the "
               "object, each call takes its cache line away from the others: "
               "let '%2' return a reference%select{|, unless one thread "
               "replaces the pointer while another looks}5")
        << plainName(*Function) << plainName(Original)
        << plainName(*Call->getDirectCallee()) << unsigned(Calls.size())
        << (Calls.size() > 1) << isAssigned(Original);
    noteDeclaration(Original);
  }

  /// A parameter by value that is only looked at, in a call of a loop or of
  /// the function itself.
  void checkArguments(const CallExpr &Call,
                      const UnitAccesses::CallSite &Site) {
    const FunctionDecl *Callee = Call.getDirectCallee();
    const FunctionDecl *Definition = Callee ? Callee->getDefinition() : nullptr;
    if (!Definition || isa<CXXOperatorCallExpr>(Call))
      return;
    const bool IsRecursive =
        Site.Function->getCanonicalDecl() == Definition->getCanonicalDecl();
    if (!Site.Loop && !IsRecursive)
      return;
    for (unsigned I = 0; I != Call.getNumArgs(); ++I) {
      const ParmVarDecl *Parameter = I < Definition->getNumParams()
                                         ? Definition->getParamDecl(I)
                                         : nullptr;
      if (!Parameter || Parameter->getType()->isReferenceType() ||
          !Pointers.contains(Parameter->getType()))
        continue;
      const Expr *Source = copiedBy(*Call.getArg(I));
      const ValueDecl *Original = Source ? namedIn(*Source) : nullptr;
      if (!Original || !isOnlyDereferenced(*Parameter, *Definition) ||
          !hasThreads() || Check.common().isAccepted(*Original) ||
          !isHot(*Site.Function, Call) ||
          (Site.Loop && !isSameOnEveryTurn(*Source, *Site.Loop)) ||
          !Reported.insert(Parameter->getCanonicalDecl()).second)
        continue;
      Check.warn(Source->getBeginLoc(),
                 {.Subject = *Parameter, .Function = Site.Function},
                 "'%0' copies a shared pointer for '%1', which only looks at "
                 "its object, %select{on every turn of a loop|and calls "
                 "itself}2; the count goes up and down, and every core that "
                 "runs this takes its cache line away from all others: let "
                 "'%1' take a reference")
          << plainName(*Site.Function) << plainName(*Definition) << IsRecursive;
      noteDeclaration(*Parameter);
    }
  }

  bool isHot(const FunctionDecl &Function, const Expr &Site) {
    Access CopyAccess;
    CopyAccess.Function = &Function;
    CopyAccess.Site = &Site;
    return Hot.isOnOperationPath(CopyAccess) && !Hot.isLocked(CopyAccess);
  }

  /// Everybody asks for one pointer, or each for that of the asking object.
  static bool asksOne(const CallExpr &Call, const ValueDecl &Original) {
    if (isa<VarDecl>(Original))
      return true;
    const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
    if (!Member)
      return false;
    const Expr &Object =
        *Member->getImplicitObjectArgument()->IgnoreParenImpCasts();
    const VarDecl *Asked = wholeOf(Object);
    return isa<CXXThisExpr>(Object) || (Asked && Asked->hasGlobalStorage());
  }

  /// The getter's object is the same one on every turn.
  static bool asksAgain(const CallExpr &Call,
                        const UnitAccesses::CallSite &Site) {
    const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
    return Site.Loop && Member &&
           isSameOnEveryTurn(*Member->getImplicitObjectArgument(), *Site.Loop);
  }

  /// A const method that asks its own object, as if it copied the member: one
  /// that nobody replaces meanwhile, as far as the unit shows all who could.
  bool asksOwnGetter(const CallExpr &Call, const FunctionDecl &Function,
                     const ValueDecl &Original) {
    const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
    const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
    const auto *Field = dyn_cast<FieldDecl>(&Original);
    return Member && Method && Method->isConst() && Field &&
           isa<CXXThisExpr>(
               Member->getImplicitObjectArgument()->IgnoreParenImpCasts()) &&
           llvm::all_of(Method->getParent()->methods(), isKnown) &&
           llvm::none_of(Accesses.of(*Field), [&](unsigned Index) {
             return Hot.isLocked(Accesses.all()[Index]);
           });
  }

  /// It changes nothing, or its body says what.
  static bool isKnown(const CXXMethodDecl *Method) {
    return Method->isConst() || Method->isStatic() || Method->isDefined() ||
           Method->isDefaulted() || Method->isDeleted() ||
           isa<CXXConstructorDecl, CXXDestructorDecl>(Method);
  }

  /// The unit knows that there are others.
  bool hasThreads() {
    if (!Threads)
      Threads = Accesses.hasAtomics() ||
                llvm::any_of(Accesses.all(), [&](const Access &Use) {
                  const FieldDecl *Field = Use.Object.field();
                  return (Field && Kinds.isSynchronization(Field->getType())) ||
                         (Use.Object.Root &&
                          Kinds.isSynchronization(Use.Object.Root->getType()));
                });
    return *Threads;
  }

  /// `p.get()`, `if (p)`: to look at the object, or whether there is one.
  static bool isLook(const CXXMemberCallExpr &Call) {
    const CXXMethodDecl *Method = Call.getMethodDecl();
    return Method && (isa<CXXConversionDecl>(Method) ||
                      (Method->getIdentifier() && Method->getName() == "get" &&
                       Call.getNumArgs() == 0));
  }

  /// The result is dereferenced on the spot, or in a local that nobody keeps.
  bool isOnlyLookedAt(const CallExpr &Call, const FunctionDecl &Function) {
    StmtPath Path;
    if (!Function.getBody() || !findPath(*Function.getBody(), Call, Path))
      return false;
    for (const Stmt *Around : llvm::reverse(Path)) {
      if (Around == &Call ||
          isa<MaterializeTemporaryExpr, CXXBindTemporaryExpr, ImplicitCastExpr,
              ParenExpr, ExprWithCleanups, MemberExpr>(Around))
        continue;
      if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Around))
        return isLook(*Member);
      if (const auto *Construct = dyn_cast<CXXConstructExpr>(Around))
        if (Construct->getNumArgs() == 1)
          continue;
      if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Around))
        return Operator->getOperator() == OO_Arrow ||
               Operator->getOperator() == OO_Star;
      const auto *Declarations = dyn_cast<DeclStmt>(Around);
      const auto *Local = Declarations && Declarations->isSingleDecl()
                              ? dyn_cast<VarDecl>(Declarations->getSingleDecl())
                              : nullptr;
      return Local && Pointers.contains(Local->getType()) &&
             isOnlyDereferenced(*Local, Function);
    }
    return false;
  }

  /// Written after its object was made, so that a copy keeps the old one alive.
  bool isAssigned(const ValueDecl &Pointer) const {
    llvm::ArrayRef<unsigned> Uses = isa<FieldDecl>(Pointer)
                                        ? Accesses.of(cast<FieldDecl>(Pointer))
                                        : Accesses.of(cast<VarDecl>(Pointer));
    return llvm::any_of(Uses, [&](unsigned Index) {
      const Access &Use = Accesses.all()[Index];
      return Use.writes() && !Use.IsConstruction &&
             (isa<VarDecl>(Pointer) || Use.Object.field() == &Pointer);
    });
  }

  /// Nobody keeps it. A parameter may be handed on to the function itself.
  static bool isOnlyDereferenced(const VarDecl &Copy,
                                 const FunctionDecl &Function) {
    unsigned Named = 0, Dereferenced = 0;
    auto IsCopy = [&](const Expr *E) {
      const auto *Reference = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts());
      return Reference && Reference->getDecl() == &Copy;
    };
    forEachStatement(Function.getBody(), [&](const Stmt &Node) {
      if (const auto *Reference = dyn_cast<DeclRefExpr>(&Node))
        Named += Reference->getDecl() == &Copy;
      else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&Node))
        Dereferenced += (Operator->getOperator() == OO_Arrow ||
                         Operator->getOperator() == OO_Star) &&
                        IsCopy(Operator->getArg(0));
      else if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Node))
        Dereferenced +=
            isLook(*Member) && IsCopy(Member->getImplicitObjectArgument());
      const auto *Call = dyn_cast<CallExpr>(&Node);
      if (!Call || !Call->getDirectCallee() || !isa<ParmVarDecl>(Copy) ||
          Call->getDirectCallee()->getCanonicalDecl() !=
              Function.getCanonicalDecl())
        return;
      for (const Expr *Argument : Call->arguments())
        if (const Expr *Source = copiedBy(*Argument))
          Dereferenced += IsCopy(Source);
    });
    return Named != 0 && Named == Dereferenced;
  }

  void noteDeclaration(const ValueDecl &Original) {
    Check.diag(Original.getLocation(), "'%0' is declared here",
               DiagnosticIDs::Note)
        << plainName(Original);
  }

  SharedRefcountCheck &Check;
  CountingPointers Pointers;
  std::optional<bool> Threads;
  llvm::DenseSet<const Decl *> Reported;
  /// By the pointer that a getter copies.
  llvm::MapVector<const ValueDecl *, AskingCalls> Asking;
};

void SharedRefcountCheck::checkPointers(
    ASTContext &Unit, llvm::ArrayRef<FunctionCode> Functions) {
  PointerReader(*this, Unit).read(Functions);
}

} // namespace linesman::tidy
