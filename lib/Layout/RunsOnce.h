// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions run at most once in a process: main, what runs before it, and
// what only one place of those calls or starts, outside loops.

#ifndef LINESMAN_LIB_LAYOUT_RUNSONCE_H
#define LINESMAN_LIB_LAYOUT_RUNSONCE_H

#include "linesman/Layout/CallGraph.h"

namespace linesman::layout {

class RunsOnce {
public:
  explicit RunsOnce(const CallGraph &Graph);

  /// An entry of a thread that is started once runs once, too.
  bool operator()(NodeIndex Function) const;

private:
  const CallGraph &Graph;
  struct Calls {
    unsigned Count = 0;
    /// Of the last one that was seen.
    NodeIndex Caller = NoNode;
    bool IsOnePlace = false;
    /// Calls and starts among them.
    unsigned Runs = 0;
  };
  /// By node.
  std::vector<Calls> Incoming;
  /// Nobody that somebody calls calls main: start-up code may (AArch64's
  /// __wrap_main), and it hands main's address on.
  bool IsMainOnce = true;
};

} // namespace linesman::layout

#endif // LINESMAN_LIB_LAYOUT_RUNSONCE_H
