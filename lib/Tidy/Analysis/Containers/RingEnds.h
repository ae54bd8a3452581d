// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two words of one ring: each picks elements of the same array.
//
//     slots[head.fetch_add(1) % n] = value;     one end
//     value = slots[tail % n]; tail++;          the other
//
// That says more of two parties than that the words have different writers, as
// any two counters have.
//
// Containers: the shapes of arrays, rings, lists and allocations in a unit.
//
//     UnitAccesses ─▶ RingEnds, ListEnds: two words of one queue
//                  ├▶ SlotSearch, RowLength: elements of one array
//                  └▶ LineAllocations, LoopAllocations: memory for them
//     ElementGaps: what is between one element and the next

#ifndef LINESMAN_TIDY_ANALYSIS_CONTAINERS_RINGENDS_H
#define LINESMAN_TIDY_ANALYSIS_CONTAINERS_RINGENDS_H

#include "Analysis/Accesses/UnitAccesses.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <memory>

namespace linesman::tidy {

class RingEnds {
public:
  explicit RingEnds(const UnitAccesses &Accesses);

  /// Some array is indexed with the value of either.
  bool pickFromOneArray(const clang::FieldDecl &A,
                        const clang::FieldDecl &B) const;
  /// An array of its own record is indexed with its value.
  bool picks(const clang::FieldDecl &Word) const;

  /// Fields with whose values \p Array is indexed.
  llvm::SmallVector<const clang::FieldDecl *, 2>
  positionsIn(const clang::FieldDecl &Array) const;

  /// Also what \p Function copies to and from: `buffer + (head & mask)`.
  void addSums(const clang::FunctionDecl &Function);

private:
  using ArraySet = llvm::SmallPtrSet<const clang::ValueDecl *, 2>;
  using FieldSet = llvm::SmallPtrSet<const clang::FieldDecl *, 2>;

  void addSums(const clang::Stmt &S, const clang::FunctionDecl &Function);
  /// Fields that the value of \p E comes from, also through locals.
  void addSources(const clang::Stmt *E, const clang::FunctionDecl &Function,
                  FieldSet &Sources);
  /// Read once a local: bodies are long, and a loop's counter comes from
  /// itself.
  const FieldSet &sourcesOf(const clang::VarDecl &Local,
                            const clang::FunctionDecl &Function);

  llvm::DenseMap<const clang::FieldDecl *, ArraySet> Arrays;
  llvm::SmallPtrSet<const clang::FunctionDecl *, 4> Read;
  llvm::DenseMap<const clang::VarDecl *, std::unique_ptr<FieldSet>> OfLocals;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CONTAINERS_RINGENDS_H
