// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The walk over bodies that fills UnitAccesses. Private to it.
//
// An expression is walked as a value (somebody reads it) or as an object
// (somebody does Kind to it); which of the two is the parent's to say:
//
//     a.b = c[i].d;      object(a.b, Write), value(c[i].d) = object(.., Read)

#ifndef LINESMAN_TIDY_ANALYSIS_ACCESSES_UNITWALKER_H
#define LINESMAN_TIDY_ANALYSIS_ACCESSES_UNITWALKER_H

#include "Analysis/Accesses/ParameterUses.h"
#include "Analysis/Accesses/PlaceResolver.h"
#include "Analysis/Accesses/UnitAccesses.h"
#include "Analysis/Code/ParallelRegions.h"

namespace linesman::tidy {

class UnitWalker {
public:
  UnitWalker(UnitAccesses &Result, const clang::ASTContext &Unit)
      : Result(Result), Unit(Unit), Parameters(Kinds) {}

  void walkFunction(const clang::FunctionDecl &Function);
  void walkVariable(const clang::VarDecl &Var);
  void addRecord(const clang::RecordDecl &Record) {
    Result.Records.push_back(&Record);
  }

private:
  /// What surrounds the expression that is being walked.
  struct Surroundings {
    const clang::FunctionDecl *Function = nullptr;
    const clang::Stmt *Loop = nullptr;
    bool IsInCondition = false;
    bool IsConditional = false;
    bool IsRare = false;
    /// Inside of it several threads run the same code.
    const clang::DeclContext *Region = nullptr;
    bool IsAtomic = false;
  };

  void statement(const clang::Stmt *S);
  /// \p Parts are the body and, in a for statement, what comes after it.
  void loop(const clang::Stmt &Loop, const clang::Expr *Condition,
            llvm::ArrayRef<const clang::Stmt *> Parts);
  bool isConstant(const clang::Expr *Condition, bool Value) const;
  void condition(const clang::Stmt *S);
  /// Runs on some ways only.
  void branch(const clang::Stmt *S, bool IsUsed = false, bool IsRare = false);
  /// What runs when \p Condition is \p Outcome.
  void branchOf(const clang::Expr *Condition, bool Outcome,
                const clang::Stmt *S, bool IsUsed = false);
  void declaration(const clang::DeclStmt &S);
  void directive(const clang::OMPExecutableDirective &S);
  /// The value of \p E is used, or dropped.
  void value(const clang::Expr *E) { expression(E, /*IsUsed=*/true); }
  void expression(const clang::Expr *E, bool IsUsed);
  void object(const clang::Expr *E, AccessKind Kind, const clang::Expr *Site,
              AtomicOperation Atomic = AtomicOperation::None,
              bool IsUsed = true);
  void pointee(const clang::Expr *E, AccessKind Kind, const clang::Expr *Site,
               AtomicOperation Atomic = AtomicOperation::None,
               bool IsUsed = true);
  /// Indices and pointers on the way to an object are values.
  void stepsTo(const clang::Expr *E);
  /// A call, where the walk is now.
  void noteCall(const clang::Expr &Call) {
    Result.Calls.push_back({&Call, Current.Function, Current.Loop,
                            Current.Region != nullptr, Current.IsRare});
  }
  /// action.sa_handler = f: \p Member got \p Value.
  void noteHandler(const clang::NamedDecl &Member, const clang::Expr &Value);
  void call(const clang::CallExpr &Call, bool IsUsed);
  void operatorCall(const clang::CXXOperatorCallExpr &Call, bool IsUsed);
  bool atomicCall(const clang::CallExpr &Call, bool IsUsed);
  void arguments(llvm::ArrayRef<const clang::Expr *> Arguments,
                 const clang::FunctionDecl *Callee, const clang::Expr &Site);
  bool isElementAddress(const clang::Expr &E) const;
  /// In a parallel region, or in a lambda, which may be a thread's.
  bool isAmongThreads() const;
  /// \p IsRead says that the callee only loads what it is handed.
  void argument(const clang::Expr *E, clang::QualType Parameter, bool IsRead,
                const clang::Expr &Site);
  /// Binds a reference, or stores an address, without an access.
  void bind(const clang::Expr *E);
  void lambda(const clang::LambdaExpr &E);
  void record(Place Object, AccessKind Kind, const clang::Expr *Site,
              AtomicOperation Atomic, bool IsUsed);
  bool isConstruction(const Place &Object, AccessKind Kind) const;
  /// A store to a local that threads of the function may share, or an atomic
  /// update of it.
  bool isOfThreads(const Place &Object, AccessKind Kind,
                   AtomicOperation Atomic) const;
  /// Nobody else has the local, whatever runs beside this code.
  bool isOwn(const clang::VarDecl &Local) const;
  /// The value is, or is computed from, a pointer to what this function has
  /// just made.
  bool isFresh(const clang::Expr *E) const;
  /// A local got a value.
  void assigned(const clang::VarDecl &Local, const clang::Expr &Value);
  /// A variable with static storage got the pointer: from here on everybody
  /// has the object.
  void published(const clang::Expr &Object, const clang::Expr &Value);
  /// A field got it.
  void kept(const clang::Expr &Field, const clang::Expr &Value);

  UnitAccesses &Result;
  const clang::ASTContext &Unit;
  TypeKinds Kinds;
  PlaceResolver Resolver;
  ParameterUses Parameters;
  Surroundings Current;
  /// Locals that point to what this function allocated and has to itself.
  llvm::DenseSet<const clang::VarDecl *> Fresh;
  /// Fields that this function gave such an array.
  llvm::DenseSet<const clang::ValueDecl *> FreshArrays;
  /// Variables of which the directives around give each thread a copy.
  llvm::DenseSet<const clang::VarDecl *> Privates;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_ACCESSES_UNITWALKER_H
