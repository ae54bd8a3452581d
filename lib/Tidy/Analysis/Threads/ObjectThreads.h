// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Methods that several threads run at once for one object, because a loop of
// that object starts them:
//
//     void think() {
//       for (...) pool->submit([this] { step(); });       step(), for this
//       for (...) threads.emplace_back(&Search::run, this);
//     }
//     void step() { grow(); }                             grow(), for this
//
// A class whose objects have a thread each starts it outside of a loop, or in a
// loop through the objects.

#ifndef LINESMAN_TIDY_ANALYSIS_THREADS_OBJECTTHREADS_H
#define LINESMAN_TIDY_ANALYSIS_THREADS_OBJECTTHREADS_H

#include "Analysis/Accesses/UnitAccesses.h"
#include "llvm/ADT/DenseMap.h"

namespace linesman::tidy {

class ThreadStarts;

class ObjectThreads {
public:
  ObjectThreads(const UnitAccesses &Accesses, const ThreadStarts &Starts);

  /// Several threads run \p Function, a method or the lambda that they are
  /// started with, for one object.
  bool run(const clang::FunctionDecl &Function) const {
    return Repeated.contains(Function.getCanonicalDecl());
  }
  /// The same, and in a loop of one of its callers.
  bool runInLoop(const clang::FunctionDecl &Function) const {
    return Repeated.lookup(Function.getCanonicalDecl());
  }

private:
  /// By the function, whether a loop is on the way to it.
  llvm::DenseMap<const clang::FunctionDecl *, bool> Repeated;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_THREADS_OBJECTTHREADS_H
