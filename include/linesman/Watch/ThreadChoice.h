// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which threads of a large process are watched next. Only those that run can
// touch anything, and of a thousand threads usually few do: one half of a batch
// goes to the busiest, the other half goes round.

#ifndef LINESMAN_WATCH_THREADCHOICE_H
#define LINESMAN_WATCH_THREADCHOICE_H

#include "linesman/Process/Address.h"
#include "linesman/Process/Ids.h"
#include "llvm/ADT/ArrayRef.h"
#include <map>
#include <vector>

namespace linesman::watch {

class ThreadChoice {
public:
  /// What threads that are there have run so far, in nanoseconds.
  void look(const std::map<process::ThreadId, uint64_t> &RunTimes);

  /// At most \p Count of \p All, which is ascending: those that ran most
  /// between the last two looks, and others in turn.
  std::vector<process::ThreadId> next(llvm::ArrayRef<process::ThreadId> All,
                                      size_t Count);

private:
  std::map<process::ThreadId, uint64_t> Before;
  /// Those that ran, the busiest first.
  std::vector<process::ThreadId> Busiest;
  process::ThreadId Last;
};

} // namespace linesman::watch

#endif // LINESMAN_WATCH_THREADCHOICE_H
