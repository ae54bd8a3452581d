// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Weights along calls.

#ifndef LINESMAN_LIB_LAYOUT_PROPAGATE_H
#define LINESMAN_LIB_LAYOUT_PROPAGATE_H

#include "linesman/Layout/CallGraph.h"
#include <optional>

namespace linesman::layout {

/// Where a role enters the graph.
struct Seed {
  NodeIndex Node = 0;
  double Weight = 1;
  /// Only from there on (see RoleShare::After).
  std::optional<uint32_t> After;
};

/// Whether an edge is followed when its caller runs only after a stage.
inline bool isAfter(const GraphEdge &Edge, std::optional<uint32_t> After) {
  return !After || Edge.Stage > *After || (Edge.Stage == *After && Edge.InLoop);
}

/// What leads from one function to another: who takes a function's address may
/// mean it for somebody else.
enum class Ways : uint8_t { Calls, CallsAndAddresses };

class Propagator {
public:
  explicit Propagator(const CallGraph &Graph);

  /// All nodes that seeds lead to, by calls and by handing on addresses. Nodes
  /// that are entered only partially are not among them.
  std::vector<bool> reach(llvm::ArrayRef<Seed> Seeds,
                          Ways Followed = Ways::CallsAndAddresses) const;
  /// The same from more seeds, where \p Reached was reached before. Returns the
  /// nodes that are new.
  std::vector<NodeIndex> extend(std::vector<bool> &Reached,
                                llvm::ArrayRef<Seed> Seeds,
                                Ways Followed = Ways::CallsAndAddresses) const;

  /// Entries of every node that is entered as a whole. A function that is
  /// handed on runs once, as an operation.
  std::vector<double> weigh(llvm::ArrayRef<Seed> Seeds) const;

  /// Of every node, how many of the seeds lead to it by calls that are not
  /// rare, each counted once; an estimate.
  std::vector<double> countReaching(llvm::ArrayRef<Seed> Seeds) const;

private:
  void findComponents();
  std::vector<NodeIndex> orderMembers(llvm::ArrayRef<NodeIndex> Members,
                                      llvm::ArrayRef<double> Weight) const;

  const CallGraph &Graph;
  /// Of each node; callees have smaller numbers than callers.
  std::vector<uint32_t> ComponentOf;
  std::vector<std::vector<NodeIndex>> Components;
};

/// A library is mostly called for what many of its functions do: a few ways,
/// and of a large one more than a few.
double enoughWays(double Functions);

} // namespace linesman::layout

#endif // LINESMAN_LIB_LAYOUT_PROPAGATE_H
