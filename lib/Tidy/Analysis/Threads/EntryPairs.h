// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a unit starts its threads, it tells who runs what:
//
//     std::thread a([&] { for (...) counts.x++; });
//     std::thread b([&] { for (...) counts.y++; });
//
// One thread's loop writes x, another's is at y, and neither is at the other's
// word: plain words count as well, and no atomic or lock has to tell that
// threads meet.

#ifndef LINESMAN_TIDY_ANALYSIS_THREADS_ENTRYPAIRS_H
#define LINESMAN_TIDY_ANALYSIS_THREADS_ENTRYPAIRS_H

#include "Analysis/Accesses/HotAccesses.h"
#include "Analysis/Threads/ThreadStarts.h"

namespace linesman::tidy {

/// Somebody else decides when it goes on: a lock, a queue, a socket, a pause.
bool waitsForSomebody(const clang::Stmt *S);

class EntryPairs {
public:
  explicit EntryPairs(HotAccesses &Hot)
      : Hot(Hot), Accesses(Hot.accesses()), Starts(Accesses) {}

  /// The unit starts threads at two places.
  bool haveTwo() const { return Starts.entries().size() > 1; }

  /// Threads that the unit starts come to the function.
  bool isRunByThreads(const clang::FunctionDecl &F) {
    return llvm::any_of(entriesOf(F), [](const auto *Entry) { return Entry; });
  }

  struct Pair {
    /// A write in a loop of one entry, and an access in a loop of another.
    const Access *Write = nullptr;
    const Access *Other = nullptr;
  };
  /// Of words of one object. Nothing where some thread's loop is at both, or
  /// either is also used by a loop that more than one entry runs.
  Pair find(const clang::FieldDecl &Written, const clang::FieldDecl &Other);
  /// The same of two variables with static storage.
  Pair find(const clang::VarDecl &Written, const clang::VarDecl &Other);

private:
  using EntrySet = llvm::SmallPtrSet<const clang::FunctionDecl *, 2>;

  /// The entries whose threads come to the function; null among them for who is
  /// no thread that the unit starts.
  const EntrySet &entriesOf(const clang::FunctionDecl &F, unsigned Depth = 0);
  /// Again and again, without a pause.
  bool isRepeated(const Access &Use) const;
  struct Owned {
    const clang::FunctionDecl *Entry = nullptr;
    llvm::SmallVector<const Access *, 4> Loops;
  };
  /// The loop accesses by the one entry that makes them; empty if others do.
  const Owned &ownedLoops(const clang::ValueDecl &Word);
  Owned readLoops(const clang::ValueDecl &Word);

  HotAccesses &Hot;
  const UnitAccesses &Accesses;
  ThreadStarts Starts;
  llvm::DenseMap<const clang::FunctionDecl *, EntrySet> Known;
  llvm::DenseMap<const clang::ValueDecl *, Owned> KnownLoops;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_THREADS_ENTRYPAIRS_H
