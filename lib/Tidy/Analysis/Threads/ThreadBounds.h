// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Has an array an element for each thread? Its bound may say it by its name:
//
//     long hits[MAX_THREADS];                  a macro, a constant
//     std::array<Slot, kMaxWorkers> slots;     an argument of a template
//     std::vector<long> done(num_threads);     a constructor's argument
//     done.resize(nthreads);                   a method's
//     sums = new double[thread_count];         what it points to
//     sums = calloc(nthreads, sizeof(*sums));
//
// A product with anything but a size (`num_threads * rows`) is no such bound.

#ifndef LINESMAN_TIDY_ANALYSIS_THREADS_THREADBOUNDS_H
#define LINESMAN_TIDY_ANALYSIS_THREADS_THREADBOUNDS_H

#include "Analysis/Accesses/UnitAccesses.h"
#include "llvm/ADT/DenseMap.h"

namespace linesman::tidy {

class ThreadBounds {
public:
  explicit ThreadBounds(const UnitAccesses &Accesses) : Accesses(Accesses) {}

  bool isSizedByThreads(const clang::ValueDecl &Array) const;

private:
  bool compute(const clang::DeclaratorDecl &Array) const;
  bool isDeclaredSo(const clang::DeclaratorDecl &Array) const;
  bool isFilledSo(const clang::DeclaratorDecl &Array) const;
  bool isThreadCount(const clang::Expr &Bound) const;
  /// `new T[n]`, `malloc(n * sizeof(T))`, `std::vector<T>(n)`.
  bool givesThreadCount(const clang::Expr &Value) const;

  const UnitAccesses &Accesses;
  mutable llvm::DenseMap<const clang::ValueDecl *, bool> Known;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_THREADS_THREADBOUNDS_H
