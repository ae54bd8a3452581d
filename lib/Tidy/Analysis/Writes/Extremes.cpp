// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Writes/Extremes.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/Conditions.h"
#include "Analysis/Code/LocalValues.h"
#include "Analysis/Code/NamedVariable.h"
#include "Analysis/Code/OnlyReturn.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/WordSwitch.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// The expected value's variable, and those that it is copied from.
using SeenSet = llvm::SmallPtrSet<const VarDecl *, 4>;

/// The variable behind casts too: `reinterpret_cast<T &>(seen)`.
const VarDecl *variableIn(const Expr &E) {
  const VarDecl *Variable = variableOf(E);
  return Variable ? Variable : namedVariable(E);
}

bool isSeen(const Expr &E, const SeenSet &Seen) {
  const VarDecl *Variable = variableIn(E);
  return Variable && Seen.contains(Variable);
}

bool mentionsSeen(const Stmt &S, const SeenSet &Seen) {
  return llvm::any_of(
      Seen, [&](const VarDecl *Variable) { return mentions(S, *Variable); });
}

/// A maximum of what grows is another one in most calls.
bool soundsGrowing(const NamedDecl *Named) {
  return Named && Named->getIdentifier() &&
         llvm::any_of(wordsOf(Named->getName()), [](llvm::StringRef Word) {
           return WordSwitch<bool>(Word)
               .Cases({"time",   "times",    "timestamp",  "ts",
                       "now",    "clock",    "tick",       "ticks",
                       "seq",    "seqno",    "sequence",   "version",
                       "epoch",  "lsn",      "generation", "revision",
                       "serial", "progress", "offset",     "position",
                       "pos",    "done"},
                      true)
               .Default(false);
         });
}

/// std::max, fmin, and a project's own.
bool isExtremeName(const FunctionDecl &Function) {
  return Function.getIdentifier() &&
         WordSwitch<bool>(Function.getName().lower())
             .Cases({"max", "min", "fmax", "fmin", "fmaxf", "fminf"}, true)
             .Default(false);
}

/// `seen > value ? seen : value`.
bool isExtremeChoice(const Expr &E, const SeenSet &Seen) {
  const auto *Choice = dyn_cast<ConditionalOperator>(E.IgnoreParenImpCasts());
  if (!Choice)
    return false;
  const auto *Condition =
      dyn_cast<BinaryOperator>(Choice->getCond()->IgnoreParenImpCasts());
  return Condition && Condition->isRelationalOp() &&
         isSeen(*Condition->getLHS(), Seen) !=
             isSeen(*Condition->getRHS(), Seen) &&
         isSeen(*Choice->getTrueExpr(), Seen) !=
             isSeen(*Choice->getFalseExpr(), Seen);
}

bool isExtreme(const Expr &E, const SeenSet &Seen) {
  if (isExtremeChoice(E, Seen))
    return true;
  const auto *Call = dyn_cast<CallExpr>(E.IgnoreParenImpCasts());
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  if (!Callee || Call->getNumArgs() < 2)
    return false;
  for (unsigned I = 0; I != Call->getNumArgs(); ++I) {
    if (!isSeen(*Call->getArg(I), Seen))
      continue;
    if (isExtremeName(*Callee))
      return true;
    // A function of the unit that chooses.
    const FunctionDecl *Definition = nullptr;
    const Expr *Returned =
        Callee->hasBody(Definition) && I < Definition->getNumParams()
            ? onlyReturn(*Definition)
            : nullptr;
    return Returned &&
           isExtremeChoice(*Returned, {Definition->getParamDecl(I)});
  }
  return false;
}

/// Whether \p S looks at what was seen: `if (value <= seen) return;`. The
/// compare-exchange \p Site, the extreme itself, and `seen != expected` behind
/// an exchange that returns the old value, are no looks.
bool isCompared(const Stmt &S, const SeenSet &Seen, const Expr &Site) {
  if (&S == &Site)
    return false;
  const auto *E = dyn_cast<Expr>(&S);
  if (E && isExtreme(*E, Seen))
    return false;
  if (const auto *Operator = dyn_cast<BinaryOperator>(&S);
      Operator && Operator->isComparisonOp() && mentionsSeen(S, Seen) &&
      !(Operator->isEqualityOp() && isSeen(*Operator->getLHS(), Seen) &&
        isSeen(*Operator->getRHS(), Seen)) &&
      !contains(S, Site))
    return true;
  // Whatever a function answers by it.
  if (const auto *Call = dyn_cast<CallExpr>(&S);
      Call && Call->getType()->isBooleanType() && !contains(S, Site) &&
      llvm::any_of(Call->arguments(), [&](const Expr *Argument) {
        return isSeen(*Argument, Seen);
      }))
    return true;
  return llvm::any_of(S.children(), [&](const Stmt *Child) {
    return Child && isCompared(*Child, Seen, Site);
  });
}

} // namespace

bool keepsExtremeBlindly(const Access &Use, HotAccesses &Hot) {
  if (Hot.operationOf(Use) != AtomicOperation::CompareExchange || !Use.Loop)
    return false;
  const FunctionDecl &Function = *Use.Function;
  auto Operands = atomicOperands(*Use.Site);
  const VarDecl *Expected =
      Operands.size() < 2 ? nullptr : variableIn(*Operands[0]);
  const ValueDecl *Object = Use.Object.field();
  if (!Object)
    Object = Use.Object.Root ? Use.Object.Root : Use.Object.Base;
  if (!Expected || !Expected->hasLocalStorage() || !Function.getBody() ||
      soundsGrowing(Object) || soundsGrowing(&Function))
    return false;
  SeenSet Seen{Expected};
  auto ValuesOf = [&](const VarDecl &Local) {
    auto Values = assignmentsOf(Local, Function);
    if (Local.hasInit())
      Values.push_back(Local.getInit());
    return Values;
  };
  for (const Expr *Value : ValuesOf(*Expected))
    if (const VarDecl *Copied = variableIn(*Value);
        Copied && Copied->hasLocalStorage())
      Seen.insert(Copied);

  const auto *Wanted = variableIn(*Operands[1]);
  bool IsExtreme = isExtreme(*Operands[1], Seen);
  if (!IsExtreme && Wanted && Wanted->hasLocalStorage())
    IsExtreme = llvm::any_of(ValuesOf(*Wanted), [&](const Expr *Value) {
      return isExtreme(*Value, Seen);
    });
  if (!IsExtreme || isCompared(*Function.getBody(), Seen, *Use.Site))
    return false;
  // `if (high.load() >= value) return;`.
  const UnitAccesses &Accesses = Hot.accesses();
  return llvm::none_of(Accesses.in(Function), [&](unsigned Index) {
    const Access &Other = Accesses.all()[Index];
    return Other.Kind == AccessKind::Read && Other.IsInCondition &&
           Other.Object.isSameAs(Use.Object);
  });
}

} // namespace linesman::tidy
