// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which threads of a large process are watched next. Only those that run can
// touch anything, and of a thousand threads usually few do: one half of a batch
// goes to the busiest, the other half goes round.

#ifndef LINESMAN_WATCH_THREADCHOICE_H
#define LINESMAN_WATCH_THREADCHOICE_H

#include "linesman/Watch/Address.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <map>
#include <vector>

namespace linesman::watch {

class ThreadChoice {
public:
  /// At most \p Count of \p All, which is ascending. \p RunTime is what a
  /// thread has run so far; it is asked only where not all fit.
  std::vector<ThreadId> next(llvm::ArrayRef<ThreadId> All, size_t Count,
                             llvm::function_ref<uint64_t(ThreadId)> RunTime);

  /// Threads that ran since the call before, as far as it is known.
  size_t busy() const { return Busy; }

private:
  std::map<ThreadId, uint64_t> Before;
  ThreadId Last;
  size_t Busy = 0;
};

} // namespace linesman::watch

#endif // LINESMAN_WATCH_THREADCHOICE_H
