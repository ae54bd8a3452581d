// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/OnlyReturn.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/WordSwitch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

llvm::SmallVector<const Expr *, 4> atomicOperands(const Expr &Site) {
  const Expr *Inner = Site.IgnoreParenImpCasts();
  llvm::SmallVector<const Expr *, 4> Operands;
  if (const auto *Atomic = dyn_cast<AtomicExpr>(Inner)) {
    unsigned Count = Atomic->getNumSubExprs();
    if (Count > 2)
      Operands.push_back(Atomic->getVal1());
    if (Atomic->isCmpXChg())
      Operands.push_back(Atomic->getVal2());
    return Operands;
  }
  if (const auto *Binary = dyn_cast<BinaryOperator>(Inner))
    return {Binary->getRHS()};
  const auto *Call = dyn_cast<CallExpr>(Inner);
  const unsigned First = Call && !isa<CXXMemberCallExpr>(Call);
  // A member may be made of what a call without arguments gives.
  if (!Call || Call->getNumArgs() < First)
    return Operands;
  for (const Expr *Argument : llvm::drop_begin(Call->arguments(), First))
    if (!isa<CXXDefaultArgExpr>(Argument))
      Operands.push_back(Argument);
  return Operands;
}

static std::optional<uint64_t> foldedValue(const Expr *E,
                                           const ASTContext &Unit) {
  if (!E || E->isValueDependent())
    return std::nullopt;
  if (isa<CXXNullPtrLiteralExpr, GNUNullExpr>(E))
    return 0;
  Expr::EvalResult Value;
  if (E->getType()->isIntegralOrEnumerationType() &&
      E->EvaluateAsInt(Value, Unit, Expr::SE_NoSideEffects))
    return Value.Val.getInt().getLimitedValue();
  if (E->getType()->isPointerType() &&
      E->isNullPointerConstant(const_cast<ASTContext &>(Unit),
                               Expr::NPC_ValueDependentIsNotNull))
    return 0;
  return std::nullopt;
}

/// `return 0;`, or a constant of the function's: none() for what stands for
/// nothing. Null for any other call.
static const Expr *valueGivenBy(const Expr &E) {
  const auto *Call = dyn_cast<CallExpr>(&E);
  const FunctionDecl *Callee =
      Call && Call->getNumArgs() == 0 ? Call->getDirectCallee() : nullptr;
  const auto *Method = dyn_cast_if_present<CXXMethodDecl>(Callee);
  const Expr *Value = Callee && !(Method && Method->isVirtual())
                          ? onlyReturn(*Callee)
                          : nullptr;
  if (!Value)
    return nullptr;
  Value = Value->IgnoreParenImpCasts();
  const auto *Name = dyn_cast<DeclRefExpr>(Value);
  const auto *Constant = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
  return Constant && Constant->getType().isConstQualified() &&
                 Constant->hasInit()
             ? Constant->getInit()->IgnoreParenImpCasts()
             : Value;
}

std::optional<uint64_t> constantOf(const Expr *E, const ASTContext &Unit) {
  if (!E)
    return std::nullopt;
  E = E->IgnoreParenImpCasts();
  if (std::optional<uint64_t> Value = foldedValue(E, Unit))
    return Value;
  return foldedValue(valueGivenBy(*E), Unit);
}

const VarDecl *namedVariable(const Expr &Operand) {
  const Expr *Inner = Operand.IgnoreParenImpCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(Inner);
      Unary && Unary->getOpcode() == UO_AddrOf)
    Inner = Unary->getSubExpr()->IgnoreParenImpCasts();
  const auto *Reference = dyn_cast<DeclRefExpr>(Inner);
  return Reference ? dyn_cast<VarDecl>(Reference->getDecl()) : nullptr;
}

/// The operation's own word: "add" in fetch_add, __sync_fetch_and_add, +=.
static StringRef verbOf(const Expr &Site) {
  const Expr *Inner = Site.IgnoreParenImpCasts();
  if (const auto *Binary = dyn_cast<BinaryOperator>(Inner)) {
    switch (Binary->getOpcode()) {
    case BO_AddAssign:
      return "add";
    case BO_SubAssign:
      return "sub";
    case BO_OrAssign:
      return "or";
    case BO_AndAssign:
      return "and";
    case BO_XorAssign:
      return "xor";
    default:
      return "";
    }
  }
  StringRef Name;
  if (const auto *Atomic = dyn_cast<AtomicExpr>(Inner))
    Name = Atomic->getOpAsString();
  else if (const auto *Call = dyn_cast<CallExpr>(Inner))
    if (const FunctionDecl *Callee = Call->getDirectCallee())
      switch (Callee->getOverloadedOperator()) {
      case OO_None:
        Name = Callee->getIdentifier() ? Callee->getName() : "";
        break;
      case OO_PlusEqual:
        return "add";
      case OO_MinusEqual:
        return "sub";
      case OO_PipeEqual:
        return "or";
      case OO_AmpEqual:
        return "and";
      case OO_CaretEqual:
        return "xor";
      default:
        return "";
      }
  // __sync_fetch_and_add, fetch_and, fetchAndAddRelaxed: the last word that is
  // one of these, behind which is the width or the order. In add_and_fetch the
  // "and" is none of them.
  const auto Words = wordsOf(Name);
  for (size_t I = Words.size(); I-- != 0;) {
    StringRef Word = Words[I];
    if (Word == "and" && I + 1 < Words.size() &&
        (Words[I + 1] == "fetch" || Words[I + 1] == "get"))
      continue;
    StringRef Verb = WordSwitch<StringRef>(Word.rtrim("0123456789"))
                         .Cases({"add", "fetchadd", "faa", "xadd"}, "add")
                         .Cases({"sub", "subtract"}, "sub")
                         .Cases({"inc", "incr", "increment"}, "inc")
                         .Cases({"dec", "decr", "decrement"}, "dec")
                         .Case("or", "or")
                         .Case("and", "and")
                         .Case("xor", "xor")
                         .Default("");
    if (!Verb.empty())
      return Verb;
  }
  return "";
}

/// ++ or --, of a number or of an atomic.
static bool isStep(const Expr &Site, OverloadedOperatorKind Kind) {
  const Expr *Inner = Site.IgnoreParenImpCasts();
  if (const auto *Unary = dyn_cast<UnaryOperator>(Inner))
    return Kind == OO_PlusPlus ? Unary->isIncrementOp()
                               : Unary->isDecrementOp();
  const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Inner);
  return Operator && Operator->getOperator() == Kind;
}

bool countsUp(const Expr &Site) {
  StringRef Verb = verbOf(Site);
  return isStep(Site, OO_PlusPlus) || Verb == "add" || Verb == "inc";
}

bool countsDown(const Expr &Site) {
  StringRef Verb = verbOf(Site);
  return isStep(Site, OO_MinusMinus) || Verb == "sub" || Verb == "dec";
}

bool isNeutralUpdate(const Expr &Site, const ASTContext &Unit) {
  StringRef Verb = verbOf(Site);
  auto Operands = atomicOperands(Site);
  // What is behind the object of an increment or decrement is an order.
  if (Operands.empty() || Verb.empty() || Verb == "inc" || Verb == "dec")
    return false;
  std::optional<uint64_t> Value = constantOf(Operands[0], Unit);
  if (!Value)
    return false;
  return Verb == "and" ? *Value == ~uint64_t(0) : *Value == 0;
}

bool expectsWhatItStores(const Expr &Site, const ASTContext &Unit) {
  auto Operands = atomicOperands(Site);
  if (Operands.size() < 2)
    return false;
  if (const VarDecl *Expected = namedVariable(*Operands[0]))
    return Expected == namedVariable(*Operands[1]);
  std::optional<uint64_t> Expected = constantOf(Operands[0], Unit);
  return Expected && Expected == constantOf(Operands[1], Unit);
}

bool setsBits(const Expr &Site) {
  StringRef Verb = verbOf(Site);
  return Verb == "or" || Verb == "and";
}

} // namespace linesman::tidy
