// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names decide what is a count and the step of one decides that it is counted:
// either alone is too weak ("refresh", "++length").

#include "Analysis/Names/ReferenceCounts.h"
#include "Analysis/Addresses/AccessPath.h"
#include "Analysis/Code/UnitCode.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// "_M_ref2Count" -> {"m", "ref", "count"}: as wordsOf, and digits part words.
llvm::SmallVector<std::string, 4> lettersOf(StringRef Name) {
  llvm::SmallVector<std::string, 4> Words;
  std::string Word;
  auto Flush = [&] {
    if (!Word.empty())
      Words.push_back(Word);
    Word.clear();
  };
  for (size_t I = 0; I < Name.size(); ++I) {
    char Letter = Name[I];
    if (Letter == '_' || llvm::isDigit(Letter)) {
      Flush();
      continue;
    }
    if (llvm::isUpper(Letter) && I > 0 && llvm::isLower(Name[I - 1]))
      Flush();
    Word += llvm::toLower(Letter);
  }
  Flush();
  return Words;
}

bool isOneOf(StringRef Word, std::initializer_list<StringRef> Words) {
  return llvm::is_contained(Words, Word);
}

bool isOne(const Expr &E, const ASTContext &Context) {
  Expr::EvalResult Result;
  if (E.isValueDependent() || !E.getType()->isIntegralOrEnumerationType() ||
      !E.EvaluateAsInt(Result, Context))
    return false;
  llvm::APSInt Value = Result.Val.getInt();
  return Value == 1 || Value == -1;
}

const FunctionDecl *definitionOf(const FunctionDecl &Function) {
  const FunctionDecl *Definition = nullptr;
  return Function.hasBody(Definition) ? Definition : nullptr;
}

} // namespace

bool isReferenceCountName(StringRef Name) {
  llvm::SmallVector<std::string, 4> Words = lettersOf(Name);
  for (size_t I = 0; I < Words.size(); ++I) {
    StringRef Word = Words[I];
    if (isOneOf(Word,
                {"refcount", "refcounts", "refcnt", "refs", "refct", "rc",
                 "refcounter", "nref", "nrefs", "usecount", "refcnts", "kref"}))
      return true;
    StringRef Next = I + 1 < Words.size() ? StringRef(Words[I + 1]) : "";
    if (isOneOf(Word, {"ref", "reference", "references", "use", "share",
                       "owner", "owners", "strong", "weak"}) &&
        isOneOf(Next, {"count", "cnt", "counter", "counts", "ct", "num"}))
      return true;
    if (Word == "ref" && Words.size() <= 2 && I + 1 == Words.size())
      return true;
  }
  return false;
}

bool isReferenceCountingName(StringRef Name) {
  llvm::SmallVector<std::string, 4> Words = lettersOf(Name);
  if (Words.empty())
    return false;
  for (size_t I = 0; I < Words.size(); ++I) {
    StringRef Word = Words[I];
    if (isOneOf(Word, {"addref", "incref", "decref", "unref", "deref",
                       "refcopy", "refget", "refput", "refinc", "refdec"}))
      return true;
    StringRef Next = I + 1 < Words.size() ? StringRef(Words[I + 1]) : "";
    if (isOneOf(Word, {"add", "inc", "dec", "increment", "decrement", "get",
                       "put", "drop", "take", "release", "acquire", "sub"}) &&
        isOneOf(Next, {"ref", "refcount", "reference", "refcnt", "refs"}))
      return true;
  }
  // The whole name, or its last word behind a type's name: obj_ref(o).
  StringRef Last = Words.back();
  return Last == "ref" || (Words.size() == 1 && isOneOf(Last, {"retain"})) ||
         Name == "intrusive_ptr_release" || Name == "Release";
}

bool isCountStep(const ObjectWrite &Write) {
  if (Write.Way != ObjectWrite::ReadModifyWrite || Write.Part.Fields.empty() ||
      !llvm::any_of(Write.Part.Fields, [](const FieldDecl *Field) {
        return Field->getIdentifier() && isReferenceCountName(Field->getName());
      }))
    return false;
  const Expr *Site = Write.Site;
  const ASTContext &Context = Write.Part.Fields.front()->getASTContext();
  if (const auto *Unary = dyn_cast<UnaryOperator>(Site))
    return Unary->isIncrementDecrementOp();
  if (const auto *Binary = dyn_cast<BinaryOperator>(Site))
    return (Binary->getOpcode() == BO_AddAssign ||
            Binary->getOpcode() == BO_SubAssign) &&
           isOne(*Binary->getRHS(), Context);
  if (const auto *Atomic = dyn_cast<AtomicExpr>(Site))
    return Atomic->getNumSubExprs() > 2 && isOne(*Atomic->getVal1(), Context);
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Site)) {
    if (Operator->getOperator() == OO_PlusPlus ||
        Operator->getOperator() == OO_MinusMinus)
      return true;
    return Operator->getNumArgs() == 2 && isOne(*Operator->getArg(1), Context);
  }
  if (const auto *Call = dyn_cast<CallExpr>(Site)) {
    unsigned First = isa<CXXMemberCallExpr>(Call) ? 0 : 1;
    // InterlockedIncrement(&count) has no amount.
    return Call->getNumArgs() == First || isOne(*Call->getArg(First), Context);
  }
  return false;
}

const ParmVarDecl *countedParameter(const FunctionDecl &Callee) {
  for (const ParmVarDecl *Parameter : Callee.parameters()) {
    QualType Type = Parameter->getType();
    if ((Type->isPointerType() || Type->isReferenceType()) &&
        Type->getPointeeType()->isRecordType())
      return Parameter;
  }
  return nullptr;
}

static CountStep findStep(
    const FunctionDecl &Callee, const ValueDecl *Object, const TypeKinds &Kinds,
    llvm::function_ref<bool(const CountStep &)> IsExcluded, unsigned Depth) {
  // A wrapper of a wrapper of a count; deeper chains were never seen.
  constexpr unsigned MaxDepth = 4;
  const FunctionDecl *Definition = definitionOf(Callee);
  if (!Definition || Depth > MaxDepth)
    return {};
  auto IsObject = [&](const Expr &E) {
    std::optional<AccessPath> Path = pathOf(E);
    return Path && Path->Root == Object && Path->Steps.empty();
  };
  for (const Stmt *Node : UnitCode::read(*Definition).Statements) {
    if (std::optional<ObjectWrite> Write = writeOf(*Node, Kinds);
        Write && isCountStep(*Write) && IsObject(*Write->Part.Base)) {
      CountStep Step{Definition, *Write};
      if (!IsExcluded(Step))
        return Step;
    }
    const auto *Call = dyn_cast<CallExpr>(Node);
    const FunctionDecl *Inner = Call ? Call->getDirectCallee() : nullptr;
    if (!Inner || Inner->getCanonicalDecl() == Definition->getCanonicalDecl())
      continue;
    CountStep Step;
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(Call)) {
      if (IsObject(*Member->getImplicitObjectArgument()))
        Step = findStep(*Inner, nullptr, Kinds, IsExcluded, Depth + 1);
    } else if (const FunctionDecl *Body = definitionOf(*Inner)) {
      for (unsigned I = 0; I < Call->getNumArgs() && I < Body->getNumParams();
           ++I)
        if (Body->getParamDecl(I)->getType()->isPointerType() &&
            IsObject(*Call->getArg(I)))
          Step = findStep(*Inner, Body->getParamDecl(I), Kinds, IsExcluded,
                          Depth + 1);
    }
    if (Step.Function) {
      // The way to the step counts as well: a test may be here.
      CountStep CallStep{Definition, Step.Write};
      CallStep.Write.Site = Call;
      CallStep.Write.Part.Base =
          isa<CXXMemberCallExpr>(Call)
              ? cast<CXXMemberCallExpr>(Call)->getImplicitObjectArgument()
              : Call->getArg(0);
      if (!IsExcluded(CallStep))
        return Step;
    }
  }
  return {};
}

/// Assembly whose output is a part of the object: what the instruction does to
/// it only the function's name says.
static bool modifiesInAssembly(const Stmt &S, const ValueDecl *Object) {
  if (const auto *Assembly = dyn_cast<GCCAsmStmt>(&S))
    for (const Expr *Output : Assembly->outputs())
      if (std::optional<AccessPath> Path = pathOf(*Output);
          Path && Path->Root == Object)
        return true;
  return llvm::any_of(S.children(), [&](const Stmt *Child) {
    return Child && modifiesInAssembly(*Child, Object);
  });
}

CountStep
countingStepOf(const FunctionDecl &Callee, const ValueDecl *Object,
               const TypeKinds &Kinds,
               llvm::function_ref<bool(const CountStep &)> IsExcluded) {
  if (const FunctionDecl *Definition = definitionOf(Callee)) {
    if (Callee.getIdentifier() && isReferenceCountingName(Callee.getName()) &&
        modifiesInAssembly(*Definition->getBody(), Object))
      return {Definition, {}};
    return findStep(Callee, Object, Kinds, IsExcluded, 0);
  }
  // ref(obj) without a body: the name is all there is. Arguments beside the
  // object say that it does something else.
  unsigned Expected = Object ? 1 : 0;
  if (Callee.getIdentifier() && Callee.getNumParams() == Expected &&
      isReferenceCountingName(Callee.getName()))
    return {&Callee, {}};
  return {};
}

} // namespace linesman::tidy
