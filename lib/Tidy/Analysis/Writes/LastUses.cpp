// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Writes/LastUses.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/ClockValues.h"
#include "Analysis/Code/LocalValues.h"
#include "Analysis/Code/ParallelRegions.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/WordSwitch.h"
#include "clang/AST/ASTContext.h"

using namespace clang;

namespace linesman::tidy {

/// last_used, lastSeen, access_time, atime: of what happens to an object again
/// and again, whoever does it.
static bool saysLastUse(llvm::StringRef Name) {
  return llvm::any_of(wordsOf(Name), [](llvm::StringRef Word) {
    return WordSwitch<bool>(Word)
        .Cases({"used", "use", "seen", "access", "accessed", "touched", "atime",
                "activity", "hit"},
               true)
        .Cases({"lastused", "lastseen", "lastaccess", "lastactive"}, true)
        .Default(false);
  });
}

/// A variable of all threads is in it.
static const VarDecl *namesStatic(const Stmt &S) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(&S))
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
        Var && Var->hasGlobalStorage() && !isPerThread(*Var))
      return Var;
  for (const Stmt *Child : S.children())
    if (Child)
      if (const VarDecl *Found = namesStatic(*Child))
        return Found;
  return nullptr;
}

/// find(table, key, &Local), with a table of the whole program.
static bool isFilledByLookup(const Stmt &S, const VarDecl &Local) {
  if (const auto *Call = dyn_cast<CallExpr>(&S)) {
    const bool Fills = llvm::any_of(Call->arguments(), [&](const Expr *E) {
      const auto *Unary = dyn_cast<UnaryOperator>(E->IgnoreParenCasts());
      return Unary && Unary->getOpcode() == UO_AddrOf &&
             namedVariable(*Unary->getSubExpr()) == &Local;
    });
    if (Fills && llvm::any_of(Call->arguments(), [](const Expr *E) {
          return namesStatic(*E) != nullptr;
        }))
      return true;
  }
  return llvm::any_of(S.children(), [&](const Stmt *Child) {
    return Child && isFilledByLookup(*Child, Local);
  });
}

/// Found in a table of the whole program: found = table[hash], or what a
/// look-up there gave.
static bool isFoundInStatic(const Access &Use) {
  const VarDecl *Local = Use.Object.Base;
  if (!Local || !Local->hasLocalStorage() || isa<ParmVarDecl>(Local) ||
      !Local->getType()->isPointerType())
    return false;
  if (isFilledByLookup(*Use.Function->getBody(), *Local))
    return true;
  auto Values = valuesOf(*Local, *Use.Function);
  Values.append(assignmentsOf(*Local, *Use.Function));
  return llvm::any_of(Values, [&](const Expr *Value) {
    if (!isa<CallExpr>(Value->IgnoreParenCasts()) && namesStatic(*Value))
      return true;
    const VarDecl *Other = namedVariable(*Value->IgnoreParenCasts());
    return Other && Other != Local && Other->hasLocalStorage() &&
           isFilledByLookup(*Use.Function->getBody(), *Other);
  });
}

/// A constant or a time: what a look-up leaves behind may be several of them.
static bool isMark(const Access &Store) {
  const auto Operands = atomicOperands(*Store.Site);
  return !Operands.empty() && !Operands[0]->isValueDependent() &&
         (Operands[0]->isEvaluatable(Store.Function->getASTContext()) ||
          clockValueOf(*Operands[0]) != ClockValue::None);
}

/// The function fills the object in, at least where it stores the time: an
/// entry that is added, or set anew.
static bool isFilledIn(const Access &Use, const UnitAccesses &Accesses) {
  return llvm::any_of(Accesses.in(*Use.Function), [&](unsigned Index) {
    const Access &Other = Accesses.all()[Index];
    return &Other != &Use && Other.Kind == AccessKind::Write &&
           !isMark(Other) && (Use.IsConditional || !Other.IsConditional) &&
           Other.Object.field() && Other.Object.Base == Use.Object.Base &&
           Other.Object.field() != Use.Object.field();
  });
}

/// A plain store that several threads make at once: under a lock that they hold
/// together, or to what was found in a table of the program.
static bool isOfFoundObject(const Access &Use, HotAccesses &Hot) {
  return Use.Atomic == AtomicOperation::None &&
         (Hot.isLockedTogether(Use) ||
          (Hot.accesses().hasAtomics() && isFoundInStatic(Use))) &&
         !isFilledIn(Use, Hot.accesses());
}

static bool isStoreToField(const Access &Use, const HotAccesses &Hot) {
  const FieldDecl *Field = Use.Object.field();
  return Field && Field->getIdentifier() && Use.Kind == AccessKind::Write &&
         !Use.Object.Index && !Hot.isReadBefore(Use);
}

bool storesLastUse(const Access &Use, HotAccesses &Hot) {
  if (!isStoreToField(Use, Hot))
    return false;
  const auto Operands = atomicOperands(*Use.Site);
  if (Operands.empty() || Operands[0]->isValueDependent() ||
      clockValueOf(*Operands[0]) == ClockValue::None)
    return false;
  // Whatever it is called: who holds a lock together with others looks.
  const FieldDecl &Field = *Use.Object.field();
  if (!saysLastUse(Field.getName()) &&
      (isClockName(Field) || !Hot.isLockedTogether(Use)))
    return false;
  // In seconds, a test for another value is enough (BlindWrite::Time).
  return Hot.operationOf(Use) == AtomicOperation::Store
             ? clockValueOf(*Operands[0]) == ClockValue::Fine
             : isOfFoundObject(Use, Hot);
}

/// used, hit, referenced: set by whoever looks an object up.
static bool namesUse(llvm::StringRef Name) {
  return llvm::any_of(wordsOf(Name), [](llvm::StringRef Word) {
    return WordSwitch<bool>(Word)
        .Cases({"used", "hit", "ref", "referenced", "accessed", "access",
                "touched", "seen", "visited", "recent", "recently", "hot",
                "active"},
               true)
        .Default(false);
  });
}

/// get(), cache_find(), LookUp(): without a lock, only such functions leave an
/// object as it is but for the mark.
static bool looksUp(const FunctionDecl &Function) {
  return Function.getIdentifier() &&
         llvm::any_of(wordsOf(Function.getName()), [](llvm::StringRef Word) {
           return WordSwitch<bool>(Word)
               .Cases({"get", "find", "lookup", "look", "search", "fetch",
                       "probe", "peek", "contains", "query", "resolve"},
                      true)
               .Default(false);
         });
}

bool marksFoundObject(const Access &Use, HotAccesses &Hot) {
  if (!isStoreToField(Use, Hot) || !namesUse(Use.Object.field()->getName()))
    return false;
  const auto Operands = atomicOperands(*Use.Site);
  return !Operands.empty() &&
         constantOf(Operands[0], Hot.accesses().unit()).value_or(0) != 0 &&
         (Hot.isLockedTogether(Use) || looksUp(*Use.Function)) &&
         isOfFoundObject(Use, Hot);
}

} // namespace linesman::tidy
