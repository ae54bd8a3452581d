// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Analysis/Containers/RowLength.h"
#include "Analysis/Code/LocalValues.h"
#include "clang/AST/ASTContext.h"

using namespace clang;

namespace linesman::tidy {

namespace {

bool saysRoom(const NamedDecl &Named) {
  if (!Named.getIdentifier())
    return false;
  return llvm::any_of(
      llvm::ArrayRef<llvm::StringRef>(
          {"pad", "align", "round", "stride", "pitch", "chunk", "line"}),
      [&](llvm::StringRef Word) {
        return Named.getName().contains_insensitive(Word);
      });
}

class LengthReader {
public:
  LengthReader(uint64_t ElementSize, uint64_t Line,
               const FunctionDecl *Function, const UnitAccesses &Accesses)
      : ElementSize(ElementSize), Line(Line), Function(Function),
        Accesses(Accesses) {}

  bool isAsItComes(const Stmt *S, unsigned Depth) const {
    // A length of a length of a length: whoever computes that much may round.
    constexpr unsigned MaxDepth = 4;
    if (Depth > MaxDepth)
      return false;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(S))
      return isAsItComes(*Ref->getDecl(), Depth);
    if (const auto *Member = dyn_cast<MemberExpr>(S))
      return isAsItComes(*Member->getMemberDecl(), Depth);
    if (const auto *Binary = dyn_cast<BinaryOperator>(S);
        Binary && !isHarmless(*Binary))
      return false;
    if (const auto *Call = dyn_cast<CallExpr>(S);
        Call && Call->getDirectCallee() && saysRoom(*Call->getDirectCallee()))
      return false;
    return llvm::all_of(S->children(), [&](const Stmt *Child) {
      return !Child || isAsItComes(Child, Depth);
    });
  }

private:
  /// Sums, and products that make no whole lines.
  bool isHarmless(const BinaryOperator &Binary) const {
    if (Binary.getOpcode() != BO_Mul)
      return Binary.isAdditiveOp();
    for (const Expr *Side : {Binary.getLHS(), Binary.getRHS()}) {
      Expr::EvalResult Value;
      if (!Side->isValueDependent() &&
          Side->EvaluateAsInt(Value, Accesses.unit()) &&
          Value.Val.getInt().getLimitedValue() * ElementSize % Line == 0)
        return false;
    }
    return true;
  }

  bool isAsItComes(const ValueDecl &Named, unsigned Depth) const {
    if (saysRoom(Named))
      return false;
    auto All = [&](llvm::ArrayRef<const Expr *> Values) {
      return llvm::all_of(Values, [&](const Expr *Value) {
        return isAsItComes(Value, Depth + 1);
      });
    };
    if (const auto *Var = dyn_cast<VarDecl>(&Named);
        Var && Var->hasLocalStorage()) {
      if (Var->hasInit() && !isa<ParmVarDecl>(Var) &&
          (Var->getInit()->isValueDependent() || !All({Var->getInit()})))
        return false;
      return !Function || All(assignmentsOf(*Var, *Function));
    }
    const auto *Field = dyn_cast<FieldDecl>(&Named);
    return !Field || llvm::all_of(Accesses.of(*Field), [&](unsigned Index) {
      const Access &Use = Accesses.all()[Index];
      const auto *Set = dyn_cast<BinaryOperator>(Use.Site->IgnoreParens());
      return !Use.writes() || !Set || !Set->isAssignmentOp() ||
             isAsItComes(Set->getRHS(), Depth + 1);
    });
  }

  const uint64_t ElementSize, Line;
  const FunctionDecl *Function;
  const UnitAccesses &Accesses;
};

} // namespace

bool isLengthAsItComes(const Expr &Length, uint64_t ElementSize, uint64_t Line,
                       const FunctionDecl *Function,
                       const UnitAccesses &Accesses) {
  return LengthReader(ElementSize, Line, Function, Accesses)
      .isAsItComes(&Length, 0);
}

} // namespace linesman::tidy
