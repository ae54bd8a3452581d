// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From what reads the count outwards, to the statement that it is in. Where the
// value goes into a local variable or a parameter, or is returned, the same is
// asked of each mention of that, or of each call.

#include "Analysis/Writes/Statistics.h"
#include "Analysis/Code/AtomicOperands.h"
#include "Analysis/Code/StmtPath.h"
#include "Analysis/Names/NameWords.h"
#include "Analysis/Names/WordSwitch.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace linesman::tidy {

namespace {

/// Variables and getters behind each other that a value is followed through.
constexpr unsigned MostSteps = 3;

enum class Answer : uint8_t {
  Told,
  Decides,
  /// The expression around has the value, or a sum with it.
  GoesOn,
};

/// serialize(), print_totals(): it says the count, or nothing where that is
/// zero.
bool soundsLikeTelling(const FunctionDecl &Function) {
  return Function.getIdentifier() &&
         llvm::any_of(wordsOf(Function.getName()), [](llvm::StringRef Word) {
           return WordSwitch<bool>(Word)
               .Cases({"serialize", "print", "dump", "format", "report", "show",
                       "describe", "export", "json", "string"},
                      true)
               .Default(false);
         });
}

bool isZero(const Expr &Number, const ASTContext &Unit) {
  return constantOf(Number.IgnoreParenImpCasts(), Unit) == 0;
}

class ValueUse {
public:
  explicit ValueUse(const UnitAccesses &Accesses) : Accesses(Accesses) {}

  bool isOnlyTold(const Stmt &Value, const FunctionDecl &Function,
                  unsigned Depth) const;

private:
  const UnitAccesses &Accesses;

  bool isOnlyTold(const VarDecl &Variable, const FunctionDecl &Function,
                  unsigned Depth) const;
  Answer askBinary(const BinaryOperator &Around, const Stmt &Inner,
                   const FunctionDecl &Function, unsigned Depth) const;
  Answer askOperator(const CXXOperatorCallExpr &Around) const;
  Answer askCall(const CallExpr &Around, const Stmt &Inner,
                 unsigned Depth) const;
  Answer askCallers(const FunctionDecl &Getter, unsigned Depth) const;
  Answer ask(const Stmt &Around, const Stmt &Inner,
             const FunctionDecl &Function, unsigned Depth) const;
};

void findMentions(const Stmt &S, const VarDecl &Variable,
                  llvm::SmallVectorImpl<const DeclRefExpr *> &Mentions) {
  if (const auto *Ref = dyn_cast<DeclRefExpr>(&S);
      Ref && Ref->getDecl() == &Variable)
    Mentions.push_back(Ref);
  for (const Stmt *Child : S.children())
    if (Child)
      findMentions(*Child, Variable, Mentions);
}

bool ValueUse::isOnlyTold(const VarDecl &Variable, const FunctionDecl &Function,
                          unsigned Depth) const {
  if (Depth == MostSteps || !Function.getBody())
    return false;
  llvm::SmallVector<const DeclRefExpr *, 8> Mentions;
  findMentions(*Function.getBody(), Variable, Mentions);
  return llvm::all_of(Mentions, [&](const DeclRefExpr *Mention) {
    return isOnlyTold(*Mention, Function, Depth + 1);
  });
}

Answer ValueUse::askBinary(const BinaryOperator &Around, const Stmt &Inner,
                           const FunctionDecl &Function, unsigned Depth) const {
  if (Around.isAssignmentOp()) {
    const auto *Ref =
        dyn_cast<DeclRefExpr>(Around.getLHS()->IgnoreParenImpCasts());
    const auto *Local = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
    // Of a mention on the left, it is the value that is thrown away.
    if (Around.getRHS() != &Inner || !Local || !Local->hasLocalStorage())
      return Answer::Told;
    return isOnlyTold(*Local, Function, Depth) ? Answer::Told : Answer::Decides;
  }
  switch (Around.getOpcode()) {
  case BO_Add:
  case BO_Sub:
  case BO_Mul:
  case BO_Div:
    return Answer::GoesOn;
  case BO_Comma:
    return Around.getRHS() == &Inner ? Answer::GoesOn : Answer::Told;
  default:
    return Around.isComparisonOp() && soundsLikeTelling(Function) &&
                   (isZero(*Around.getLHS(), Accesses.unit()) ||
                    isZero(*Around.getRHS(), Accesses.unit()))
               ? Answer::Told
               : Answer::Decides;
  }
}

Answer ValueUse::askOperator(const CXXOperatorCallExpr &Around) const {
  switch (Around.getOperator()) {
  case OO_LessLess:
  case OO_Equal:
  case OO_PlusEqual:
    return Answer::Told;
  case OO_Plus:
  case OO_Minus:
  case OO_Star:
  case OO_Slash:
    return Answer::GoesOn;
  default:
    return Answer::Decides;
  }
}

/// Those that the unit shows: others may do anything.
Answer ValueUse::askCallers(const FunctionDecl &Getter, unsigned Depth) const {
  if (Depth == MostSteps)
    return Answer::Decides;
  return llvm::all_of(Accesses.callersOf(Getter),
                      [&](const CodePlace &Caller) {
                        return Caller.Function &&
                               isOnlyTold(*Caller.Site, *Caller.Function,
                                          Depth + 1);
                      })
             ? Answer::Told
             : Answer::Decides;
}

/// What the unit does not show may do anything, too.
Answer ValueUse::askCall(const CallExpr &Around, const Stmt &Inner,
                         unsigned Depth) const {
  const FunctionDecl *Callee = Around.getDirectCallee();
  Callee = Callee ? Callee->getDefinition() : nullptr;
  if (!Callee || Accesses.unit().getSourceManager().isInSystemHeader(
                     Callee->getLocation()))
    return Answer::Told;
  for (unsigned I = 0; I != Around.getNumArgs(); ++I)
    if (Around.getArg(I) == &Inner && I < Callee->getNumParams() &&
        !isOnlyTold(*Callee->getParamDecl(I), *Callee, Depth))
      return Answer::Decides;
  return Answer::Told;
}

Answer ValueUse::ask(const Stmt &Around, const Stmt &Inner,
                     const FunctionDecl &Function, unsigned Depth) const {
  if (const auto *Cast = dyn_cast<CastExpr>(&Around))
    return Cast->getType()->isBooleanType() ? Answer::Decides : Answer::GoesOn;
  if (isa<ParenExpr, FullExpr, MaterializeTemporaryExpr, CXXBindTemporaryExpr>(
          Around))
    return Answer::GoesOn;
  if (const auto *Unary = dyn_cast<UnaryOperator>(&Around))
    return Unary->getOpcode() == UO_Minus || Unary->getOpcode() == UO_Plus ||
                   Unary->getOpcode() == UO_Extension
               ? Answer::GoesOn
               : Answer::Decides;
  if (const auto *Binary = dyn_cast<BinaryOperator>(&Around))
    return askBinary(*Binary, Inner, Function, Depth);
  if (const auto *Choice = dyn_cast<ConditionalOperator>(&Around))
    return Choice->getCond() == &Inner ? Answer::Decides : Answer::GoesOn;
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&Around))
    return askOperator(*Operator);
  if (const auto *Call = dyn_cast<CallExpr>(&Around))
    return askCall(*Call, Inner, Depth);
  if (const auto *Declaration = dyn_cast<DeclStmt>(&Around)) {
    for (const Decl *Declared : Declaration->decls())
      if (const auto *Local = dyn_cast<VarDecl>(Declared);
          Local && Local->getInit() == &Inner)
        return isOnlyTold(*Local, Function, Depth) ? Answer::Told
                                                   : Answer::Decides;
    return Answer::Decides;
  }
  if (isa<ReturnStmt>(Around))
    return askCallers(Function, Depth);
  return isa<CompoundStmt, CXXConstructExpr, InitListExpr>(Around)
             ? Answer::Told
             : Answer::Decides;
}

bool ValueUse::isOnlyTold(const Stmt &Value, const FunctionDecl &Function,
                          unsigned Depth) const {
  StmtPath Path;
  if (!Function.getBody() || !findPath(*Function.getBody(), Value, Path))
    return false;
  for (size_t I = Path.size() - 1; I-- != 0;)
    switch (ask(*Path[I], *Path[I + 1], Function, Depth)) {
    case Answer::Told:
      return true;
    case Answer::Decides:
      return false;
    case Answer::GoesOn:
      break;
    }
  return false;
}

/// Visits what else the unit does with the same count, until \p Is is false, as
/// it is of what the unit hides.
bool allOf(const Access &Use, const UnitAccesses &Accesses,
           llvm::function_ref<bool(const Access &)> Is) {
  const FieldDecl *Field = Use.Object.field();
  const VarDecl *Root = Use.Object.Root;
  if (Accesses.isNamedInBrokenCode(Use.Object))
    return false;
  auto IsSo = [&](unsigned Index) {
    const Access &Other = Accesses.all()[Index];
    bool IsSame = Field ? Other.Object.field() == Field
                        : Other.Object.isSameAs(Use.Object);
    return !IsSame || Is(Other);
  };
  return Field  ? llvm::all_of(Accesses.of(*Field), IsSo)
         : Root ? llvm::all_of(Accesses.of(*Root), IsSo)
                : false;
}

} // namespace

bool isOnlyTold(const Access &Use, const UnitAccesses &Accesses) {
  ValueUse Values(Accesses);
  return allOf(Use, Accesses, [&](const Access &Other) {
    const bool IsRead = Other.Kind == AccessKind::Read ||
                        (Other.writes() && Other.IsResultUsed);
    const bool IsDecided = Other.IsInCondition &&
                           !(Other.Kind == AccessKind::Read && Other.Function &&
                             soundsLikeTelling(*Other.Function));
    if (IsDecided || Other.Kind == AccessKind::Address)
      return false;
    return !IsRead || (Other.Kind == AccessKind::Read && Other.Function &&
                       Values.isOnlyTold(*Other.Site, *Other.Function, 0));
  });
}

bool isStatistic(const Access &Use, const UnitAccesses &Accesses) {
  const FunctionDecl *Counts = nullptr;
  return isOnlyTold(Use, Accesses) &&
         allOf(Use, Accesses, [&](const Access &Other) {
           if (!Other.writes() || Other.IsConstruction)
             return true;
           const auto Operands = atomicOperands(*Other.Site);
           if (Other.Kind == AccessKind::Write &&
               Other.Atomic != AtomicOperation::FetchModify)
             return !Operands.empty() &&
                    constantOf(Operands[0], Accesses.unit()).has_value();
           // A sequence lock counts in front of what it changes, and behind.
           const bool IsSecond =
               !Other.IsConditional && Counts == Other.Function;
           if (!Other.IsConditional)
             Counts = Other.Function;
           return countsUp(*Other.Site) && !IsSecond;
         });
}

} // namespace linesman::tidy
