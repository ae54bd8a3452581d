// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place that knows which syntax names the same object.

#include "Analysis/Addresses/AccessPath.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace linesman::tidy {

bool AccessPath::startsWith(const AccessPath &Prefix) const {
  return Root == Prefix.Root && Steps.size() >= Prefix.Steps.size() &&
         std::equal(Prefix.Steps.begin(), Prefix.Steps.end(), Steps.begin());
}

bool isStandardFunction(const FunctionDecl *Function, StringRef Name) {
  return Function && Function->getIdentifier() && Function->getName() == Name &&
         Function->isInStdNamespace();
}

bool isSameObjectCall(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || Call.getNumArgs() < 1 || isa<CXXMemberCallExpr>(Call))
    return false;
  switch (Callee->getBuiltinID()) {
  case Builtin::BI__builtin_addressof:
  case Builtin::BI__builtin_launder:
  case Builtin::BI__builtin_assume_aligned:
  case Builtin::BI__builtin_expect:
    return true;
  default:
    break;
  }
  return llvm::any_of(
      llvm::ArrayRef<StringRef>({"move", "forward", "as_const", "addressof",
                                 "launder", "move_if_noexcept", "forward_like",
                                 "__addressof"}),
      [&](StringRef Name) { return isStandardFunction(Callee, Name); });
}

const Expr *stripSameObject(const Expr *E) {
  while (true) {
    const Expr *Inner = E->IgnoreParens();
    if (const auto *Cast = dyn_cast<CastExpr>(Inner))
      Inner = Cast->getSubExpr();
    else if (const auto *Full = dyn_cast<FullExpr>(Inner))
      Inner = Full->getSubExpr();
    else if (const auto *Temporary = dyn_cast<MaterializeTemporaryExpr>(Inner))
      Inner = Temporary->getSubExpr();
    else if (const auto *Bound = dyn_cast<CXXBindTemporaryExpr>(Inner))
      Inner = Bound->getSubExpr();
    else if (const auto *Default = dyn_cast<CXXDefaultInitExpr>(Inner))
      Inner = Default->getExpr();
    else if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(Inner))
      Inner = Default->getExpr();
    else if (const auto *Replaced =
                 dyn_cast<SubstNonTypeTemplateParmExpr>(Inner))
      Inner = Replaced->getReplacement();
    else if (const auto *Call = dyn_cast<CallExpr>(Inner);
             Call && isSameObjectCall(*Call))
      Inner = Call->getArg(0);
    if (Inner == E || !Inner)
      return E;
    E = Inner;
  }
}

const Expr *operatedObject(const Expr &Site) {
  const Expr *Inner = Site.IgnoreParenImpCasts();
  if (const auto *Atomic = dyn_cast<AtomicExpr>(Inner))
    return Atomic->getPtr();
  if (const auto *Binary = dyn_cast<BinaryOperator>(Inner))
    return Binary->getLHS();
  if (const auto *Unary = dyn_cast<UnaryOperator>(Inner))
    return Unary->getSubExpr();
  if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Inner))
    return Member->getImplicitObjectArgument();
  if (const auto *Call = dyn_cast<CallExpr>(Inner))
    return Call->getNumArgs() ? Call->getArg(0) : nullptr;
  return nullptr;
}

std::optional<AccessPath> pathOf(const Expr &E) {
  AccessPath Path;
  const Expr *Next = &E;
  while (true) {
    Next = stripSameObject(Next);
    if (const auto *Unary = dyn_cast<UnaryOperator>(Next);
        Unary &&
        (Unary->getOpcode() == UO_Deref || Unary->getOpcode() == UO_AddrOf)) {
      Next = Unary->getSubExpr();
    } else if (const auto *Member = dyn_cast<MemberExpr>(Next)) {
      // A static member is a variable like any other.
      if (const auto *Static = dyn_cast<VarDecl>(Member->getMemberDecl())) {
        Path.Root = Static->getCanonicalDecl();
        break;
      }
      Path.Steps.push_back(Member->getMemberDecl());
      Next = Member->getBase();
    } else if (const auto *Reference = dyn_cast<DeclRefExpr>(Next)) {
      Path.Root = cast<ValueDecl>(Reference->getDecl()->getCanonicalDecl());
      break;
    } else if (isa<CXXThisExpr>(Next)) {
      break;
    } else if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Next)) {
      if ((Operator->getOperator() != OO_Arrow &&
           Operator->getOperator() != OO_Star) ||
          Operator->getNumArgs() != 1)
        return std::nullopt;
      Next = Operator->getArg(0);
    } else if (const auto *Call = dyn_cast<CXXMemberCallExpr>(Next)) {
      if (Call->getNumArgs() != 0 || !Call->getMethodDecl())
        return std::nullopt;
      if (!isa<CXXConversionDecl>(Call->getMethodDecl()))
        Path.Steps.push_back(Call->getMethodDecl()->getCanonicalDecl());
      Next = Call->getImplicitObjectArgument();
    } else if (const auto *Call = dyn_cast<CallExpr>(Next)) {
      if (Call->getNumArgs() != 0 || !Call->getDirectCallee())
        return std::nullopt;
      Path.Root = Call->getDirectCallee()->getCanonicalDecl();
      break;
    } else {
      return std::nullopt;
    }
  }
  std::reverse(Path.Steps.begin(), Path.Steps.end());
  return Path;
}

} // namespace linesman::tidy
