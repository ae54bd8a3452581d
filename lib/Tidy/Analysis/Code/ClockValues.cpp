// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Code/ClockValues.h"
#include "Analysis/Code/OnlyReturn.h"
#include "Analysis/Names/WordSwitch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// What is divided by less is still another value in nearly every call.
constexpr uint64_t CoarseDivisor = 1000;

struct Reading {
  bool IsClock = false;
  bool IsCoarse = false;
};

void readWord(StringRef Word, Reading &Found) {
  Found.IsClock |=
      WordSwitch<bool>(Word)
          .Cases({"now", "time", "clock", "date", "timestamp", "gettimeofday",
                  "tsc", "rdtsc", "jiffies", "ticks", "unixtime", "uptime"},
                 true)
          .Default(false);
  // Names of seconds; tv_sec is one of two halves, and this is the coarse one.
  Found.IsCoarse |=
      WordSwitch<bool>(Word)
          .Cases({"sec", "secs", "second", "seconds", "unixtime", "minutes"},
                 true)
          .Default(false);
}

/// show_local_time: an answer about times is none.
bool isYesOrNo(const NamedDecl &Named) {
  const auto *Function = dyn_cast<FunctionDecl>(&Named);
  const auto *Value = dyn_cast<ValueDecl>(&Named);
  const QualType Type = Function ? Function->getReturnType()
                        : Value  ? Value->getType()
                                 : QualType();
  return !Type.isNull() && Type.getNonReferenceType()->isBooleanType();
}

void readName(const NamedDecl &Named, Reading &Found) {
  if (!Named.getIdentifier() || isYesOrNo(Named))
    return;
  StringRef Name = Named.getName();
  // time() counts seconds; every other "time" may count anything.
  if (const auto *Function = dyn_cast<FunctionDecl>(&Named);
      Function && Name == "time" && Function->isExternC() &&
      Function->getNumParams() == 1)
    Found.IsCoarse = true;
  std::string Word;
  for (size_t I = 0; I <= Name.size(); ++I) {
    const bool Ends =
        I == Name.size() || !llvm::isAlpha(Name[I]) ||
        (I != 0 && llvm::isUpper(Name[I]) && llvm::isLower(Name[I - 1]));
    if (Ends) {
      readWord(Word, Found);
      Word.clear();
    }
    if (I != Name.size() && llvm::isAlpha(Name[I]))
      Word += llvm::toLower(Name[I]);
  }
}

/// The count() of a std::chrono::duration of seconds or more.
bool countsSeconds(const CallExpr &Call) {
  const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call);
  const CXXMethodDecl *Method = Member ? Member->getMethodDecl() : nullptr;
  const auto *Duration = dyn_cast_if_present<ClassTemplateSpecializationDecl>(
      Method ? Method->getParent() : nullptr);
  if (!Duration || !Method->getIdentifier() || Method->getName() != "count" ||
      Duration->getName() != "duration" ||
      Duration->getTemplateArgs().size() != 2 ||
      Duration->getTemplateArgs()[1].getKind() != TemplateArgument::Type)
    return false;
  const auto *Ratio = dyn_cast_if_present<ClassTemplateSpecializationDecl>(
      Duration->getTemplateArgs()[1].getAsType()->getAsCXXRecordDecl());
  if (!Ratio || Ratio->getTemplateArgs().size() != 2)
    return false;
  const TemplateArgument &Numerator = Ratio->getTemplateArgs()[0],
                         &Denominator = Ratio->getTemplateArgs()[1];
  return Numerator.getKind() == TemplateArgument::Integral &&
         Denominator.getKind() == TemplateArgument::Integral &&
         Numerator.getAsIntegral().getExtValue() >=
             Denominator.getAsIntegral().getExtValue();
}

void read(const Stmt &S, Reading &Found, unsigned Depth) {
  constexpr unsigned MaxDepth = 4;
  if (Depth > MaxDepth)
    return;
  if (const auto *Reference = dyn_cast<DeclRefExpr>(&S)) {
    readName(*Reference->getDecl(), Found);
    if (const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl());
        Variable && Variable->isLocalVarDecl() && Variable->hasInit() &&
        !Variable->isStaticLocal())
      read(*Variable->getInit(), Found, Depth + 1);
  } else if (const auto *Member = dyn_cast<MemberExpr>(&S)) {
    readName(*Member->getMemberDecl(), Found);
  } else if (const auto *Call = dyn_cast<CallExpr>(&S)) {
    Found.IsCoarse |= countsSeconds(*Call);
    if (const FunctionDecl *Callee = Call->getDirectCallee()) {
      readName(*Callee, Found);
      if (const Expr *Value = onlyReturn(*Callee))
        read(*Value, Found, Depth + 1);
    }
  } else if (const auto *Binary = dyn_cast<BinaryOperator>(&S);
             Binary &&
             (Binary->getOpcode() == BO_Div || Binary->getOpcode() == BO_Shr)) {
    Expr::EvalResult Divisor;
    const auto *Reference =
        dyn_cast<DeclRefExpr>(Binary->getLHS()->IgnoreParenImpCasts());
    const ASTContext *Unit =
        Reference ? &Reference->getDecl()->getASTContext() : nullptr;
    if (Unit && !Binary->getRHS()->isValueDependent() &&
        Binary->getRHS()->EvaluateAsInt(Divisor, *Unit)) {
      const uint64_t Step = Divisor.Val.getInt().getLimitedValue();
      Found.IsCoarse |=
          Binary->getOpcode() == BO_Div ? Step >= CoarseDivisor : Step >= 10;
    }
  }
  for (const Stmt *Child : S.children())
    if (Child)
      read(*Child, Found, Depth);
}

} // namespace

bool isClockName(const NamedDecl &Named) {
  Reading Found;
  readName(Named, Found);
  if (!Found.IsClock || !Named.getIdentifier())
    return false;
  StringRef Name = Named.getName();
  return llvm::none_of(
      llvm::ArrayRef<StringRef>({"last", "seen", "used", "access", "change",
                                 "update", "since", "start", "prev"}),
      [&](StringRef Word) { return Name.contains_insensitive(Word); });
}

ClockValue clockValueOf(const Expr &E) {
  Reading Found;
  read(E, Found, 0);
  if (!Found.IsClock)
    return ClockValue::None;
  return Found.IsCoarse ? ClockValue::Coarse : ClockValue::Fine;
}

} // namespace linesman::tidy
