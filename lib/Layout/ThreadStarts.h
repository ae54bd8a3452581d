// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions start a thread, or call one that does: what main does before
// the first of these calls is start-up.

#ifndef LINESMAN_LIB_LAYOUT_THREADSTARTS_H
#define LINESMAN_LIB_LAYOUT_THREADSTARTS_H

#include "linesman/Layout/CallGraph.h"
#include <set>

namespace linesman::layout {

/// Who calls, starts or takes a function.
struct IncomingEdge {
  NodeIndex Caller;
  const GraphEdge *Edge;
};
/// By the function.
using IncomingEdges = std::vector<std::vector<IncomingEdge>>;

class ThreadStarts {
public:
  /// By calls. \p Incoming is \p Graph's.
  void find(const CallGraph &Graph, const IncomingEdges &Incoming);
  /// From now on, without functions that wait for the only thread that they
  /// start, if \p Function starts others as well: when they return, it is gone.
  void leaveOutJoined(NodeIndex Function);
  /// From now on, also by calls through pointers that may mean a function that
  /// starts a thread; of machine code not, which has no types.
  void followPointers(const CallGraph &Graph, const IncomingEdges &Incoming);

  bool any() const;
  bool operator[](NodeIndex N) const { return Starts[N]; }
  /// Whether threads start there.
  bool at(const GraphEdge &E) const;

private:
  /// Functions for which \p Is holds, and those that call them.
  static std::vector<bool> callersOf(const CallGraph &Graph,
                                     const IncomingEdges &Incoming,
                                     llvm::function_ref<bool(NodeIndex)> Is);

  std::vector<bool> Starts, Lasting;
  /// Signature and declaration of the pointers to those that start threads.
  std::set<std::pair<uint8_t, uint8_t>> KeptAs;
};

} // namespace linesman::layout

#endif // LINESMAN_LIB_LAYOUT_THREADSTARTS_H
