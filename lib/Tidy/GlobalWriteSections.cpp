// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that threads enter one at a time, and more often than they have to:
//
//     for (i...) {                           lock_guard guard(m);
//       #pragma omp critical                 if (is_full.load())
//       sums[i] += own[i];                     return;
//     }                                      ... is_full = true;
//
// Each entry takes the line of the section's lock, whatever it is for.

#include "Analysis/Accesses/HotAccesses.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/NamedVariable.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Code/StmtPath.h"
#include "Analysis/Locks/CountingSections.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/PlainName.h"
#include "GlobalWriteCheck.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/OpenMPKinds.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

namespace {

/// The only statement of a block, of any depth; the statement itself otherwise.
const Stmt *onlyStatement(const Stmt *S) {
  S = withoutCapture(S);
  while (const auto *Block = dyn_cast_if_present<CompoundStmt>(S)) {
    if (Block->size() != 1)
      return S;
    S = withoutCapture(Block->body_front());
  }
  return S;
}

/// `sums[i]`, `totals->all[i][k]`: an element, and the variable or the object's
/// own field that it is in.
const ValueDecl *arrayOf(const Expr &Target) {
  const Expr *E = Target.IgnoreParenImpCasts();
  bool IsElement = false;
  const ValueDecl *Field = nullptr;
  while (true) {
    E = E->IgnoreParenImpCasts();
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
      IsElement = true;
      E = Subscript->getBase();
    } else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(E);
               Operator && (Operator->getOperator() == OO_Subscript ||
                            Operator->getOperator() == OO_Call)) {
      IsElement = true;
      E = Operator->getArg(0);
    } else if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      if (!Field)
        Field = Member->getMemberDecl();
      E = Member->getBase();
    } else {
      break;
    }
  }
  if (!IsElement)
    return nullptr;
  if (isa<CXXThisExpr>(E))
    return Field;
  const VarDecl *Var = variableOf(*E);
  return Var && !isPerThread(*Var) ? Var : nullptr;
}

/// What the loop's turn adds to in a critical section, if it does nothing else.
struct Section {
  const OMPCriticalDirective *Directive = nullptr;
  const Expr *Addition = nullptr;
  const ValueDecl *Array = nullptr;
};

std::optional<Section> sectionOfTurn(const Stmt *Body) {
  const auto *Critical =
      dyn_cast_if_present<OMPCriticalDirective>(onlyStatement(Body));
  if (!Critical || !Critical->hasAssociatedStmt())
    return std::nullopt;
  const Stmt *Inside = onlyStatement(Critical->getAssociatedStmt());
  const auto *Addition = dyn_cast_if_present<Expr>(Inside);
  Addition = Addition ? Addition->IgnoreParens() : nullptr;
  const auto *Sum = dyn_cast_if_present<BinaryOperator>(Addition);
  if (!Sum ||
      (Sum->getOpcode() != BO_AddAssign && Sum->getOpcode() != BO_SubAssign))
    return std::nullopt;
  const ValueDecl *Array = arrayOf(*Sum->getLHS());
  return Array ? std::optional(Section{Critical, Addition, Array})
               : std::nullopt;
}

/// Calls \p Report for the loops that the threads of a region run.
void findSections(const Stmt &S, const DeclContext *Region,
                  llvm::DenseSet<const VarDecl *> Privates,
                  llvm::function_ref<void(const Section &)> Report) {
  if (const auto *Directive = dyn_cast<OMPExecutableDirective>(&S)) {
    addPrivates(*Directive, Privates);
    if (const DeclContext *Own = threadsOwnContext(*Directive))
      Region = Own;
    if (Directive->hasAssociatedStmt())
      findSections(*withoutCapture(Directive->getAssociatedStmt()), Region,
                   Privates, Report);
    return;
  }
  const Stmt *Body = nullptr;
  if (const auto *For = dyn_cast<ForStmt>(&S))
    Body = For->getBody();
  else if (const auto *Range = dyn_cast<CXXForRangeStmt>(&S))
    Body = Range->getBody();
  else if (const auto *While = dyn_cast<WhileStmt>(&S))
    Body = While->getBody();
  if (Region && Body)
    if (const std::optional<Section> Found = sectionOfTurn(Body)) {
      const auto *Var = dyn_cast<VarDecl>(Found->Array);
      const bool IsOwn =
          Var && Var->hasLocalStorage() &&
          (Privates.contains(Var) || Region->Encloses(Var->getDeclContext()));
      if (!IsOwn)
        return Report(*Found);
    }
  for (const Stmt *Child : S.children())
    if (Child && !isa<LambdaExpr>(Child))
      findSections(*Child, Region, Privates, Report);
}

/// A function that says or writes something, by its name: fprintf, log_error,
/// writeLine, not catalog or compute.
bool isPrinter(const FunctionDecl &Function) {
  if (Function.getOverloadedOperator() == OO_LessLess)
    return true;
  return Function.getIdentifier() &&
         llvm::any_of(wordsOf(Function.getName()), [](llvm::StringRef Word) {
           return Word.contains("print") ||
                  llvm::is_contained({"log", "write", "fwrite", "put", "puts",
                                      "fputs", "fputc", "putchar"},
                                     Word);
         });
}

/// Says or writes something, which takes so long that nobody asks for a lock.
bool printsIn(const Stmt &Statement) {
  const Stmt &S = *withoutCapture(&Statement);
  if (const auto *Call = dyn_cast<CallExpr>(&S))
    if (const FunctionDecl *Callee = Call->getDirectCallee();
        Callee && isPrinter(*Callee))
      return true;
  return llvm::any_of(S.children(), [](const Stmt *Child) {
    return Child && printsIn(*Child);
  });
}

bool takesLong(const Stmt &S) {
  return isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S) ||
         (isa<CallExpr>(S) && !isa<CXXOperatorCallExpr>(S)) ||
         llvm::any_of(withoutCapture(&S)->children(), [](const Stmt *Child) {
           return Child && takesLong(*Child);
         });
}

/// Critical sections without a name that are entered on each turn of a loop of
/// a region, or on each call of a function that a region calls, as it has a
/// section and no region.
class UnnamedSections {
public:
  llvm::SmallVector<const OMPCriticalDirective *, 4> Found;

  void find(const Stmt &S, bool IsInRegion, bool IsOnEachTurn) {
    if (isa<IfStmt, SwitchStmt, ConditionalOperator, LambdaExpr>(S))
      IsOnEachTurn = false;
    if (const auto *Critical = dyn_cast<OMPCriticalDirective>(&S)) {
      // A sum at the end of a turn's work is soon done.
      if (IsOnEachTurn && !Critical->getDirectiveName().getName() &&
          Critical->hasAssociatedStmt() &&
          (!IsInRegion || takesLong(*Critical->getAssociatedStmt())) &&
          !printsIn(*Critical->getAssociatedStmt()))
        Found.push_back(Critical);
    } else if (const auto *Directive = dyn_cast<OMPExecutableDirective>(&S);
               Directive && threadsOwnContext(*Directive)) {
      IsInRegion = true;
      IsOnEachTurn = false;
    }
    if (const auto *Directive = dyn_cast<OMPExecutableDirective>(&S)) {
      if (Directive->hasAssociatedStmt())
        find(*withoutCapture(Directive->getAssociatedStmt()), IsInRegion,
             IsOnEachTurn);
      return;
    }
    if (IsInRegion && isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S))
      IsOnEachTurn = true;
    for (const Stmt *Child : S.children())
      if (Child)
        find(*Child, IsInRegion, IsOnEachTurn);
  }
};

/// What a condition asks first: of `a || b` and `!a` it is a.
const Expr &firstAsked(const Expr &Condition) {
  const Expr *E = Condition.IgnoreParenImpCasts();
  if (const auto *Binary = dyn_cast<BinaryOperator>(E);
      Binary && Binary->getOpcode() == BO_LOr)
    return firstAsked(*Binary->getLHS());
  return *E;
}

bool isReturn(const Stmt *S) {
  return isa_and_present<ReturnStmt>(onlyStatement(S));
}

/// The atomic word that \p Function asks right after it has taken a lock, to go
/// away if it is set, and that it sets itself, once and for all.
const Access *askedLatch(const FunctionDecl &Function, const IfStmt &Test,
                         HotAccesses &Hot) {
  const UnitAccesses &All = Hot.accesses();
  const Access *Asked = nullptr, *Set = nullptr;
  const Expr &First = firstAsked(*Test.getCond());
  for (unsigned Index : All.in(Function)) {
    const Access &Use = All.all()[Index];
    StmtPath Path;
    if (!Asked && Use.Kind == AccessKind::Read && Hot.isAtomic(Use) &&
        findPath(First, *Use.Site, Path))
      Asked = &Use;
    else if (Asked && Use.writes() && Use.Object.isSameAs(Asked->Object))
      Set = &Use;
  }
  if (!Set || Set->Kind != AccessKind::Write || !Asked->Object.name())
    return nullptr;
  const auto Operands = atomicOperands(*Set->Site);
  const auto Value =
      Operands.empty() ? std::nullopt : constantOf(Operands[0], All.unit());
  return Value && *Value != 0 ? Asked : nullptr;
}

} // namespace

void GlobalWriteCheck::checkSectionsOfTurns(const UnitAccesses &All) {
  for (const FunctionDecl *Function : All.functions())
    findSections(*Function->getBody(), nullptr, {}, [&](const Section &Found) {
      if (common().isAccepted(*Found.Array) || !All.isUsedHere(*Function))
        return;
      const std::string Name =
          Found.Directive->getDirectiveName().getAsString();
      warn(place(*Found.Addition),
           {.Subject = *Found.Array, .Function = Function},
           "each turn of this loop enters %select{a critical section "
           "without a name|the critical section '%1'}2, which is one lock "
           "for all threads, for nothing but to add to an element of "
           "'%0': its cache line moves to the core that does and away from "
           "all others, and who comes meanwhile waits; enter it once, "
           "around the loop")
          << plainName(*Found.Array) << Name << !Name.empty();
    });
}

void GlobalWriteCheck::checkUnnamedSections(const UnitAccesses &All,
                                            const TypeKinds &Kinds) {
  HotAccesses Hot(All, Kinds);
  // They have one lock, and are one finding.
  const FunctionDecl *First = nullptr;
  llvm::SmallVector<const OMPCriticalDirective *, 4> Sections;
  for (const FunctionDecl *Function : All.functions()) {
    if (!All.isUsedHere(*Function) ||
        !(Function->isMain() || Hot.isOperation(Function)))
      continue;
    UnnamedSections Unnamed;
    // What main() does once, it does outside of regions.
    Unnamed.find(*Function->getBody(), false, !Function->isMain());
    if (!First && !Unnamed.Found.empty())
      First = Function;
    Sections.append(Unnamed.Found);
  }
  if (Sections.empty())
    return;
  warn(Sections.front()->getBeginLoc(), {.Subject = *First, .Function = First},
       "this critical section has no name: it has one lock with all others of "
       "the program that have none, and '%0' enters it on each turn of a "
       "region's loop or on each call; the lock's cache line moves to the core "
       "that enters and away from all others, and who comes meanwhile waits; "
       "give it a name of its own, or collect per thread and enter it once")
      << plainName(*First);
  constexpr size_t MostNotes = 3;
  for (const OMPCriticalDirective *Other :
       llvm::ArrayRef(Sections).drop_front().take_front(MostNotes))
    diag(Other->getBeginLoc(), "it has the lock of this one",
         DiagnosticIDs::Note);
}

void GlobalWriteCheck::checkLatchLocks(const UnitAccesses &All,
                                       const TypeKinds &Kinds) {
  HotAccesses Hot(All, Kinds);
  for (const FunctionDecl *Function : All.functions()) {
    const auto *Body = dyn_cast_or_null<CompoundStmt>(Function->getBody());
    if (!Body || Body->size() < 2)
      continue;
    const Stmt *First = Body->body_begin()[0];
    const auto *Test = dyn_cast<IfStmt>(Body->body_begin()[1]);
    const Expr *Lock = takenLock(*First, Kinds, LockPlace::Static);
    const VarDecl *Var = Lock ? namedVariable(*Lock) : nullptr;
    if (!Var || !Test || Test->getElse() || !isReturn(Test->getThen()) ||
        common().isAccepted(*Var) || !Hot.isOperation(Function) ||
        !All.isUsedHere(*Function))
      continue;
    const Access *Latch = askedLatch(*Function, *Test, Hot);
    if (!Latch)
      continue;
    analyses().ReportedParts.insert({Var, nullptr});
    warn(place(*Lock), {.Subject = *Var, .Function = Function},
         "each call of '%1' takes '%0', one lock for the whole program, to ask "
         "whether '%2' is set, which is atomic and stays set: the lock's cache "
         "line moves to the core that runs the call and away from all others; "
         "ask before the lock is taken, and again when it is")
        << plainName(*Var) << plainName(*Function)
        << plainName(*Latch->Object.name());
  }
}

} // namespace linesman::tidy
