// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether what was not seen may count as not done. A thread that waits for a
// processor touches nothing, however long it is watched: on a busy machine, and
// while a program starts, a line looks private that is not. So a thread speaks
// for what it does not do only after it was watched often enough, and had its
// share of a processor meanwhile. One that has ended can not be watched again,
// and what it did first and last was between turns: it takes more of them.

#ifndef LINESMAN_WATCH_EVIDENCE_H
#define LINESMAN_WATCH_EVIDENCE_H

#include "linesman/Watch/Address.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>
#include <map>

namespace linesman::watch {

/// A thread's time since its start, in nanoseconds.
struct ThreadClock {
  /// On a processor.
  uint64_t Ran = 0;
  /// Ready, and waiting for one.
  uint64_t Waited = 0;

  friend bool operator==(ThreadClock, ThreadClock) = default;
};

class Evidence {
public:
  /// The session has met \p Thread, whose clock is at \p Now.
  void meet(ThreadId Thread, ThreadClock Now) { Watches[Thread].Met = Now; }
  bool knows(ThreadId Thread) const { return Watches.count(Thread); }

  /// A turn over all words that watched \p Thread has begun at \p From and
  /// ended at \p To. One that it did not outlive does not count.
  void addTurn(ThreadId Thread, ThreadClock From, ThreadClock To);

  /// Whether each thread that did anything since it was met has been watched
  /// for long enough; all but \p Alive have ended. \p Now reads a clock; all
  /// zeros mean that it is not known.
  bool suffices(llvm::ArrayRef<ThreadId> Alive,
                llvm::function_ref<ThreadClock(ThreadId)> Now) const;

private:
  struct Watch {
    ThreadClock Met;
    /// Those in which it waited no longer than it ran, or slept.
    unsigned Turns = 0;
    /// Nanoseconds, in all turns.
    uint64_t Ran = 0;

    bool lasted(unsigned Enough) const;
  };
  std::map<ThreadId, Watch> Watches;
};

} // namespace linesman::watch

#endif // LINESMAN_WATCH_EVIDENCE_H
