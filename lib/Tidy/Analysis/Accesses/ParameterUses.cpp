// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every name of the parameter has to be on the way to a load; one that is not
// may be anything.

#include "Analysis/Accesses/ParameterUses.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/VisibleBody.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

class UseReader {
public:
  UseReader(const TypeKinds &Kinds, const ParmVarDecl &Parameter)
      : Kinds(Kinds), Parameter(Parameter) {}

  /// All uses in \p S are loads; there may be none.
  bool onlyReads(const Stmt &S) {
    if (const auto *Reference = dyn_cast<DeclRefExpr>(&S))
      return Reference->getDecl() != &Parameter;
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(&S);
        Cast && Cast->getCastKind() == CK_LValueToRValue &&
        leadsTo(*Cast->getSubExpr(), /*IsAddress=*/false))
      return found();
    if (const auto *E = dyn_cast<Expr>(&S);
        E && (isa<AtomicExpr, CallExpr>(E)) &&
        Kinds.operationOf(*E) == AtomicOperation::Load)
      return loads(*E);
    return llvm::all_of(S.children(), [&](const Stmt *Child) {
      return !Child || onlyReads(*Child);
    });
  }

  bool hasRead() const { return HasRead; }

private:
  bool found() { return HasRead = true; }

  bool loads(const Expr &E) {
    const Expr *Object = nullptr;
    if (const auto *Atomic = dyn_cast<AtomicExpr>(&E))
      Object = Atomic->getPtr();
    else if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&E))
      Object = Member->getImplicitObjectArgument();
    else if (const auto *Call = dyn_cast<CallExpr>(&E);
             Call && Call->getNumArgs() != 0)
      Object = Call->getArg(0);
    if (!Object)
      return false;
    const bool IsAddress = Object->getType()->isPointerType();
    const bool IsRead = leadsTo(*Object, IsAddress) && found();
    return llvm::all_of(E.children(), [&](const Stmt *Child) {
      return !Child || (IsRead && Child == Object) || isa<MemberExpr>(Child) ||
             onlyReads(*Child);
    });
  }

  /// The expression is the object behind the parameter or a part of it, or with
  /// \p IsAddress the address of one.
  bool leadsTo(const Expr &E, bool IsAddress) const {
    const Expr *Inner = E.IgnoreParenCasts();
    if (const auto *Reference = dyn_cast<DeclRefExpr>(Inner))
      return Reference->getDecl() == &Parameter &&
             Parameter.getType()->isPointerType() == IsAddress;
    if (const auto *Unary = dyn_cast<UnaryOperator>(Inner)) {
      if (Unary->getOpcode() == UO_AddrOf)
        return IsAddress && leadsTo(*Unary->getSubExpr(), false);
      return Unary->getOpcode() == UO_Deref && !IsAddress &&
             leadsTo(*Unary->getSubExpr(), true);
    }
    if (const auto *Member = dyn_cast<MemberExpr>(Inner))
      return !IsAddress && isa<FieldDecl>(Member->getMemberDecl()) &&
             leadsTo(*Member->getBase(), Member->isArrow());
    // The second half of a wide object: (uint64_t *)&wide + 1
    const auto *Sum = dyn_cast<BinaryOperator>(Inner);
    return Sum && IsAddress && Sum->getOpcode() == BO_Add &&
           isa<IntegerLiteral>(Sum->getRHS()->IgnoreParenCasts()) &&
           leadsTo(*Sum->getLHS(), true);
  }

  const TypeKinds &Kinds;
  const ParmVarDecl &Parameter;
  bool HasRead = false;
};

} // namespace

bool ParameterUses::onlyReads(const FunctionDecl &Callee, unsigned Index) {
  // A helper is short, and this is asked about every call.
  constexpr size_t MaxStatements = 4;
  const FunctionDecl *Definition = nullptr;
  const auto *Body =
      dyn_cast_if_present<CompoundStmt>(visibleBody(Callee, Definition));
  if (!Body || Body->size() == 0 || Body->size() > MaxStatements ||
      Index >= Definition->getNumParams())
    return false;
  const ParmVarDecl *Parameter = Definition->getParamDecl(Index);
  auto [Place, IsNew] = Known.try_emplace(Parameter, false);
  if (!IsNew)
    return Place->second;
  UseReader Reader(Kinds, *Parameter);
  const bool Answer = Reader.onlyReads(*Body) && Reader.hasRead();
  return Known[Parameter] = Answer;
}

} // namespace linesman::tidy
