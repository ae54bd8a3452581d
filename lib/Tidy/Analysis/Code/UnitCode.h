// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The code of a unit as the address analyses want it: each function that will
// exist at run time, with the few statements through which an address can move
// or an object can be written.
//
//     Ref(Ref &&o) : p(std::exchange(o.p, &nil)) { p->back = this; }
//       -> the call, the assignment                (one flat list, in order)
//
// Instantiations are functions of their own and patterns are left out: in a
// pattern the write is a dependent expression. Lambdas are functions of their
// own too, because clang's CFG of the function around them leaves them out.
//
// Code: what statements are, and where, for whoever asks.
//
//     DeclarationWalker the one way through a unit's declarations
//     UnitCode          the functions that will exist, for the addresses
//     StmtPath          where a statement is
//     Likelihood        whether it runs, with Conditions
//     AtomicOperations  what it does atomically; AtomicAssembly, AtomicNames
//                       and Fences where the language does not say
//     AtomicOperands    what a write writes; LocalValues, ClockValues: values
//     LoopObject        one object, or one after the other; WaitingLoops: what
//                       a loop waits for
//     OnlyReturn        what a function is, if it is one expression
//     ParallelRegions   who runs it by OpenMP; VariableMentions: who names it
//     NamedVariable     the variable that an expression names; GivenFunctions:
//                       the function that an argument hands over
//     MacroBlock        the loop that is none
//     ThreadRegisters   registers that say which thread or processor it is
//     CompileErrors     where the unit does not compile; BrokenCode: what is
//                       not judged for it, VisibleBody: nor looked into

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_UNITCODE_H
#define LINESMAN_TIDY_ANALYSIS_CODE_UNITCODE_H

#include "clang/AST/Decl.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace linesman::tidy {

struct FunctionCode {
  /// A definition with a body.
  const clang::FunctionDecl *Function = nullptr;
  /// Assignments, increments, calls, constructions, declarations, returns,
  /// atomic builtins, initialiser lists and comparisons.
  std::vector<const clang::Stmt *> Statements;
};

class UnitCode {
public:
  enum class Scope { User, SystemHeadersToo };

  UnitCode(clang::ASTContext &Unit, Scope Place);

  const std::vector<FunctionCode> &functions() const { return Functions; }
  /// Variables with static storage and pointers or records for a type, also
  /// those inside functions; with an initialiser or without.
  const std::vector<const clang::VarDecl *> &variables() const {
    return Variables;
  }
  /// Fields with an initialiser in the class.
  const std::vector<const clang::FieldDecl *> &initializedFields() const {
    return Fields;
  }

  /// The statements of a function that the scope left out (say, the
  /// std::make_unique that hands an address on).
  static FunctionCode read(const clang::FunctionDecl &Definition);

private:
  class Reader;

  std::vector<FunctionCode> Functions;
  std::vector<const clang::VarDecl *> Variables;
  std::vector<const clang::FieldDecl *> Fields;
};

/// Calls \p Visit for \p Root and what is evaluated with it, parents first:
/// also default arguments and default member initialisers where they are used,
/// not lambda bodies and not unevaluated operands.
void forEachStatement(const clang::Stmt *Root,
                      llvm::function_ref<void(const clang::Stmt &)> Visit);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_UNITCODE_H
