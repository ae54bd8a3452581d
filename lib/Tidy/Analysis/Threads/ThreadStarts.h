// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that start threads, and what they hand to each of them:
//
//     for (int i = 0; i < n; ++i) {
//       pthread_create(&t[i], NULL, worker, &slots[i]);    an element
//       pool.emplace_back([&, i] { slots[i].n++; });       a number
//       pool.emplace_back(work, i);                        a number; work may
//                                                          be a local lambda
//       pool.submit([&, i] { for (...) slots[i].n++; });   a number
//     }
//     for (Worker &each : workers)
//       pool.emplace_back([&each] { each.run(); });        an element
//
// A number handed out like that is as good a thread identity as pthread_self(),
// and so is one that the thread's own argument points to.
//
// Threads: who runs what, and whose an object is.
//
//     StartCalls ─▶ ThreadStarts ─▶ EntryPairs
//                         ├───────▶ IndexOrigin ─▶ ObjectOwners
//                         └───────▶ ObjectThreads: several of one object
//     HandedPointers: a pointer out of a table, to each thread
//     ThreadBounds: an element for each thread, as the bound's name says
//     of an element, by calls: GivenElements (out of one), GivenWrites (into)
//     OnceAThread: what a thread does a single time
//     ShortTurns: loops whose turns are short enough for a shared count to cost

#ifndef LINESMAN_TIDY_ANALYSIS_THREADS_THREADSTARTS_H
#define LINESMAN_TIDY_ANALYSIS_THREADS_THREADSTARTS_H

#include "Analysis/Accesses/UnitAccesses.h"
#include "Analysis/Code/GivenFunctions.h"
#include "Analysis/Names/TypeKinds.h"
#include "llvm/ADT/DenseSet.h"

namespace linesman::tidy {

/// An array, or one of the standard library's whose elements lie one after
/// another; or a reference to one.
bool isContiguous(clang::QualType Type);

/// The container, for `each` of `for (auto &each : container)`; or null.
const clang::Expr *rangeOf(const clang::VarDecl &Variable);

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

  /// A lambda that comes to started ones from elsewhere, as the body of a loop
  /// that a function of the unit runs in parallel: `each(n, [&](int i) {...})`.
  bool isRunByStarted(const clang::FunctionDecl *Function) const {
    return RunLambdas.contains(Function);
  }

  /// What a call runs in several threads, for each turn of a loop or for a part
  /// of it: `tbb::parallel_for(0, n, [&](int i) {...})`.
  bool isParallelTurn(const clang::FunctionDecl *Function) const {
    return TurnLambdas.contains(Function);
  }

  /// A task, which ends: what it does a single time is done once.
  bool isTask(const clang::FunctionDecl *Function) const {
    return TaskLambdas.contains(Function);
  }

  /// Threads that a loop starts run the function first.
  bool isStartedInLoop(const clang::FunctionDecl &Function) const {
    return LoopEntries.contains(Function.getCanonicalDecl());
  }

  /// It starts threads, once or in a loop: what it writes besides, it prepares
  /// for them or clears away after them.
  bool startsThreads(const clang::FunctionDecl &Function) const {
    return Starters.contains(Function.getCanonicalDecl());
  }

  /// \p Pointer, a parameter or a local of Function, is (a copy of) the
  /// argument that threads which a loop starts are given.
  bool isOwnArgument(const clang::VarDecl &Pointer,
                     const clang::FunctionDecl &Function) const;

  /// What threads of this unit run first: functions, methods, call operators.
  llvm::ArrayRef<const clang::FunctionDecl *> entries() const {
    return Entries;
  }

  struct HandedElement {
    const clang::Expr *Argument = nullptr;
    /// Its index is the container for an element of a loop through one.
    Place Object;
    /// Who gets it, if the function is named.
    const clang::ParmVarDecl *Parameter = nullptr;
  };
  llvm::ArrayRef<HandedElement> handedElements() const { return Handed; }
  /// The threads write the element again and again: the function through its
  /// parameter, or some function a field of the element's record.
  bool isWrittenByThreads(const HandedElement &Element) const;

private:
  void readRun();
  void readTask(const clang::CallExpr &Call, const clang::Stmt &Loop);
  void readStart(llvm::ArrayRef<const clang::Expr *> Arguments,
                 const UnitAccesses::CallSite &Site);
  void readLambda(const clang::LambdaExpr &Lambda, const clang::Stmt &Loop);
  void readCaptures(const clang::LambdaExpr &Lambda);
  /// \p Variable, of a loop through a container, is handed over in \p Argument.
  void readEach(const clang::VarDecl &Variable, const clang::Expr &Argument);

  const UnitAccesses &Accesses;
  std::vector<const clang::FunctionDecl *> Entries;
  llvm::DenseSet<const clang::FunctionDecl *> Starters;
  llvm::DenseSet<const clang::FunctionDecl *> LoopEntries;
  llvm::DenseSet<const clang::ParmVarDecl *> NumberParameters;
  llvm::DenseSet<const clang::ParmVarDecl *> PointerParameters;
  /// Call operators of lambdas that a loop starts threads with.
  llvm::DenseSet<const clang::FunctionDecl *> StartedLambdas;
  /// Those that are written in the loop: what they copy is each turn's.
  llvm::DenseSet<const clang::FunctionDecl *> TurnsLambdas;
  /// Call operators of lambdas that these call, and have not made themselves.
  llvm::DenseSet<const clang::FunctionDecl *> RunLambdas;
  /// Call operators of lambdas that are given to a parallel loop.
  llvm::DenseSet<const clang::FunctionDecl *> TurnLambdas;
  /// Those started ones that a pool, or std::async, runs.
  llvm::DenseSet<const clang::FunctionDecl *> TaskLambdas;
  std::vector<HandedElement> Handed;
};

/// The unit knows that there are other threads: it has something atomic or a
/// lock, it starts threads, or a directive does.
bool knowsThreads(const UnitAccesses &All, const TypeKinds &Kinds,
                  const ThreadStarts &Starts);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_THREADS_THREADSTARTS_H
