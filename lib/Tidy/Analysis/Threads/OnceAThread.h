// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a thread does a single time, as it begins or ends:
//
//     void *work(void *) {          pthread_create(..., work, ...)
//       int id = next_id++;         once a thread
//       while (running)
//         done++;                   again and again
//       total += mine;              once a thread
//     }
//
// To start the thread takes much longer than a line that changes hands.

#ifndef LINESMAN_TIDY_ANALYSIS_THREADS_ONCEATHREAD_H
#define LINESMAN_TIDY_ANALYSIS_THREADS_ONCEATHREAD_H

#include "Analysis/Threads/ThreadStarts.h"

namespace linesman::tidy {

class OnceAThread {
public:
  OnceAThread(const UnitAccesses &Accesses, const ThreadStarts &Starts);

  /// \p Use is outside of all loops of a parallel region, of a function that
  /// threads run first and nobody calls, or of one that is only called in such
  /// places.
  bool has(const Access &Use) const {
    return Use.isOnceAThread() ||
           (!Use.Loop && Use.Function &&
            Functions.contains(Use.Function->getCanonicalDecl()));
  }

private:
  llvm::DenseSet<const clang::FunctionDecl *> Functions;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_THREADS_ONCEATHREAD_H
