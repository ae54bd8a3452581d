// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that start threads, and what they hand to each of them:
//
//     for (int i = 0; i < n; ++i) {
//       pthread_create(&t[i], NULL, worker, &slots[i]);    an element
//       pool.emplace_back([&, i] { slots[i].n++; });       a number
//       pool.emplace_back(work, i);                        a number
//       pool.submit([&, i] { for (...) slots[i].n++; });   a number
//     }
//
// A number handed out like that is as good a thread identity as pthread_self().

#ifndef LINESMAN_TIDY_ANALYSIS_THREADSTARTS_H
#define LINESMAN_TIDY_ANALYSIS_THREADSTARTS_H

#include "Analysis/UnitAccesses.h"
#include "llvm/ADT/DenseSet.h"

namespace linesman::tidy {

class ThreadStarts {
public:
  explicit ThreadStarts(const UnitAccesses &Accesses);

  /// Index, inside Function, is a number that a starting loop gave the thread.
  bool isThreadNumber(const clang::Expr &Index,
                      const clang::FunctionDecl *Function) const;

  /// A lambda that a loop starts threads or tasks with.
  bool isStarted(const clang::FunctionDecl *Function) const {
    return StartedLambdas.contains(Function);
  }

  /// A task, which ends: what it does a single time is done once.
  bool isTask(const clang::FunctionDecl *Function) const {
    return TaskLambdas.contains(Function);
  }

  /// \p Pointer, a parameter or a local of Function, is (a copy of) the
  /// argument that threads which a loop starts are given.
  bool isOwnArgument(const clang::VarDecl &Pointer,
                     const clang::FunctionDecl &Function) const;

  struct HandedElement {
    const clang::Expr *Argument = nullptr;
    Place Object;
    /// Who gets it, if the function is named.
    const clang::ParmVarDecl *Parameter = nullptr;
  };
  llvm::ArrayRef<HandedElement> handedElements() const { return Handed; }
  /// The threads write the element again and again: the function through its
  /// parameter, or some function a field of the element's record.
  bool isWrittenByThreads(const HandedElement &Element) const;

private:
  void readTask(const clang::CallExpr &Call);
  void readStart(llvm::ArrayRef<const clang::Expr *> Arguments);

  const UnitAccesses &Accesses;
  llvm::DenseSet<const clang::ParmVarDecl *> NumberParameters;
  llvm::DenseSet<const clang::ParmVarDecl *> PointerParameters;
  /// Call operators of lambdas that a loop starts threads with.
  llvm::DenseSet<const clang::FunctionDecl *> StartedLambdas;
  /// Those of them that a pool, or std::async, runs.
  llvm::DenseSet<const clang::FunctionDecl *> TaskLambdas;
  std::vector<HandedElement> Handed;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_THREADSTARTS_H
