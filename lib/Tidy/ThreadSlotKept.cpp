// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman-thread-slot where an object keeps the address of its thread's
// element, and writes it without a number:
//
//     Adder(float *sums) : mine(sums + thread_index()) {}
//     return Adder{sums + thread_index()};            to a constructor
//     void add(float x) { *mine += x; }               the owner's writes

#include "Analysis/Accesses/ObjectWrites.h"
#include "Analysis/Code/UnitCode.h"
#include "Analysis/Names/PlainName.h"
#include "Analysis/Threads/IndexOrigin.h"
#include "LineReader.h"
#include "ThreadSlotCheck.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;
using namespace clang::tidy;

namespace linesman::tidy {

class ThreadSlotCheck::KeptReader : LineReader {
public:
  KeptReader(ThreadSlotCheck &Check, ASTContext &Unit)
      : LineReader(Check, Unit), Check(Check), Starts(Accesses),
        Origin(Accesses, Kinds, Starts) {}

  void read() {
    for (const UnitAccesses::CallSite &Site : Accesses.calls())
      if (const auto *Made = dyn_cast<CXXConstructExpr>(Site.Call))
        checkArguments(*Made, Site.Function);
    for (const FunctionDecl *Function : Accesses.functions())
      if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Function))
        for (const CXXCtorInitializer *Initial : Constructor->inits())
          if (const FieldDecl *Field = pointerOf(*Initial))
            checkKept(*Field, *Initial->getInit(), Constructor);
    for (const Access &Use : Accesses.all()) {
      const auto *Store =
          Use.Kind == AccessKind::Write && Use.Object.field() &&
                  Use.Object.field()->getType()->isPointerType()
              ? dyn_cast<BinaryOperator>(Use.Site->IgnoreParens())
              : nullptr;
      if (Store && Store->getOpcode() == BO_Assign)
        checkKept(*Use.Object.field(), *Store->getRHS(), Use.Function);
    }
  }

private:
  static const FieldDecl *pointerOf(const CXXCtorInitializer &Initial) {
    const FieldDecl *Field =
        Initial.isMemberInitializer() ? Initial.getMember() : nullptr;
    return Field && Field->getType()->isPointerType() && Initial.getInit()
               ? Field
               : nullptr;
  }

  /// mine{given}, or mine(given)
  static const Expr &valueOf(const Expr &Initial) {
    const Expr *Inner = Initial.IgnoreParenCasts();
    if (const auto *List = dyn_cast<InitListExpr>(Inner);
        List && List->getNumInits() == 1)
      Inner = List->getInit(0)->IgnoreParenCasts();
    return *Inner;
  }

  /// Adder{sums + thread}, whose constructor keeps what it is given.
  void checkArguments(const CXXConstructExpr &Made,
                      const FunctionDecl *Function) {
    const FunctionDecl *Definition = nullptr;
    if (!Function || !Made.getConstructor()->hasBody(Definition))
      return;
    for (const CXXCtorInitializer *Initial :
         cast<CXXConstructorDecl>(Definition)->inits()) {
      const FieldDecl *Field = pointerOf(*Initial);
      const auto *Ref =
          Field ? dyn_cast<DeclRefExpr>(&valueOf(*Initial->getInit()))
                : nullptr;
      const auto *Given = Ref ? dyn_cast<ParmVarDecl>(Ref->getDecl()) : nullptr;
      if (Given && Given->getFunctionScopeIndex() < Made.getNumArgs())
        checkKept(*Field, *Made.getArg(Given->getFunctionScopeIndex()),
                  Function);
    }
  }

  /// elements + thread, &elements[thread], or a local that is one of them.
  bool isOwnElement(const Expr &Address, const FunctionDecl *Function,
                    unsigned Depth = 0) const {
    constexpr unsigned MaxDepth = 2;
    const Expr &Inner = valueOf(Address);
    if (Depth == MaxDepth || Inner.isValueDependent())
      return false;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&Inner)) {
      const auto *Local = dyn_cast<VarDecl>(Ref->getDecl());
      return Local && Local->hasLocalStorage() && !isa<ParmVarDecl>(Local) &&
             Local->hasInit() &&
             isOwnElement(*Local->getInit(), Function, Depth + 1);
    }
    if (const auto *Sum = dyn_cast<BinaryOperator>(&Inner))
      return Sum->getOpcode() == BO_Add &&
             Sum->getLHS()->getType()->isPointerType() &&
             isOneApart(*Sum->getRHS(), Function);
    const auto *Unary = dyn_cast<UnaryOperator>(&Inner);
    if (!Unary || Unary->getOpcode() != UO_AddrOf)
      return false;
    const Expr *Named = Unary->getSubExpr()->IgnoreParenCasts();
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(Named))
      return isOneApart(*Subscript->getIdx(), Function);
    const auto *Operator = dyn_cast<CXXOperatorCallExpr>(Named);
    return Operator && Operator->getOperator() == OO_Subscript &&
           Operator->getNumArgs() == 2 &&
           isContiguous(Operator->getArg(0)->getType()) &&
           isOneApart(*Operator->getArg(1), Function);
  }

  bool isOneApart(const Expr &Index, const FunctionDecl *Function) const {
    return Origin.isThreadNumber(Index, Function) &&
           Origin.stepOf(Index, Function) == 1;
  }

  /// A word, or a record of the project's own; no text.
  bool isElement(QualType Type) const {
    if (Type->isIncompleteType() || Type->isDependentType() ||
        Type->isFunctionType() || Type->isPointerType())
      return false;
    return Type->isRecordType()
               ? isOwnRecord(Type, Unit)
               : Type->isArithmeticType() && !Type->isCharType();
  }

  void checkKept(const FieldDecl &Field, const Expr &Address,
                 const FunctionDecl *Function) {
    const QualType Type = Field.getType()->getPointeeType();
    if (!Function || !isElement(Type) || Check.common().isAccepted(Field) ||
        !isOwnElement(Address, Function))
      return;
    const uint64_t Stride = Unit.getTypeSizeInChars(Type).getQuantity();
    if (Stride == 0 || Stride % Line == 0)
      return;
    if (isWalked(Field))
      return;
    const auto [Writer, Site] = writeThrough(Field);
    if (!Writer || !Check.Reported.insert(Field.getLocation()).second)
      return;
    Check.warn(Unit.getSourceManager().getFileLoc(Site->getExprLoc()),
               {.Subject = Field, .Function = Writer},
               "'%0' is the address of a thread's own element, which '%1' "
               "writes here, but elements are %2 bytes apart and a cache line "
               "has %3: neighbouring threads write the same line; keep the "
               "value in the object and store it once, or %select{make the "
               "element a record with|give the element type}4 alignas(%3)")
        << fieldName(Field) << plainName(*Writer) << unsigned(Stride)
        << unsigned(Line) << Type->isRecordType();
    Check.diag(Address.getExprLoc(), "'%0' picks the element here",
               DiagnosticIDs::Note)
        << plainName(*Function);
  }

  /// mine++, mine[2]: where it starts is one thread's, and where it goes from
  /// there, others may be.
  bool isWalked(const FieldDecl &Field) const {
    return llvm::any_of(Accesses.of(Field), [&](unsigned Index) {
      const Access &Use = Accesses.all()[Index];
      return (Use.Object.Index && Use.Object.Array == &Field) ||
             (Use.Object.field() == &Field && Use.Kind == AccessKind::Update);
    });
  }

  /// How often: *mine = *mine + x goes on from what is there.
  static unsigned mentions(const Stmt &S, const FieldDecl &Field) {
    const auto *Member = dyn_cast<MemberExpr>(&S);
    unsigned Count = Member && Member->getMemberDecl() == &Field;
    for (const Stmt *Child : S.children())
      if (Child)
        Count += mentions(*Child, Field);
    return Count;
  }

  /// *mine += x, mine->count++, by an operation of the object.
  std::pair<const FunctionDecl *, const Expr *>
  writeThrough(const FieldDecl &Field) const {
    for (const FunctionDecl *Function : Accesses.functions()) {
      const auto *Method = dyn_cast<CXXMethodDecl>(Function);
      if (!Method || Method->getParent() != Field.getParent() ||
          !Hot.isOperation(Function) || !Accesses.isUsedHere(*Function))
        continue;
      for (const Stmt *Node : UnitCode::read(*Function).Statements) {
        const std::optional<ObjectWrite> Write = writeOf(*Node, Kinds);
        if (!Write || Write->Way == ObjectWrite::Call || !Write->Part.Base ||
            !Write->Part.IsPointedTo)
          continue;
        const auto *Member =
            dyn_cast<MemberExpr>(Write->Part.Base->IgnoreParenCasts());
        // A sum that is ready is stored once.
        if (Member && Member->getMemberDecl() == &Field &&
            (Write->Way == ObjectWrite::ReadModifyWrite ||
             mentions(*Write->Site, Field) > 1))
          return {Function, Write->Site};
      }
    }
    return {nullptr, nullptr};
  }

  ThreadSlotCheck &Check;
  ThreadStarts Starts;
  IndexOrigin Origin;
};

void ThreadSlotCheck::checkKept(ASTContext &Unit) {
  KeptReader(*this, Unit).read();
}

} // namespace linesman::tidy
