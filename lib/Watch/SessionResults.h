// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the results of a session so far ask for.

#ifndef LINESMAN_LIB_WATCH_SESSIONRESULTS_H
#define LINESMAN_LIB_WATCH_SESSIONRESULTS_H

#include "linesman/Watch/Session.h"

namespace linesman::watch {

/// Words that libraries touch, and threads that do so, of whose callers nothing
/// is known yet: as many as one look can wait for.
struct CallerSearch {
  std::vector<process::RunAddress> Words;
  std::vector<process::ThreadId> Threads;
};

CallerSearch searchCallers(llvm::ArrayRef<LineResult> Lines,
                           const process::ModuleMap &Modules,
                           llvm::ArrayRef<CaughtAccess> Known);

} // namespace linesman::watch

#endif // LINESMAN_LIB_WATCH_SESSIONRESULTS_H
