// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What comes before what among the calls of a function in machine code, and
// between them and its accesses: the same as the pass's CallOrder, from
// recovered control flow. A loop is one place: what is in it has no order.

#ifndef LINESMAN_LIB_INPUT_CODECALLS_H
#define LINESMAN_LIB_INPUT_CODECALLS_H

#include "RegisterFlow.h"

namespace linesman::input {

class CodeCalls {
public:
  CodeCalls(const ControlFlow &Flow, std::vector<FoundCall> Found);

  /// As facts, ordered by stage.
  llvm::SmallVector<facts::CallEdge, 8> edges() const;
  llvm::SmallVector<facts::ClosureUse, 0> closures() const;
  /// How many stages can come before an access.
  uint32_t stagesBefore(uint32_t Block, uint32_t Offset) const;

private:
  /// Where in the function: outside of loops, instructions have an order.
  struct Position {
    uint32_t Order = 0;
    bool InLoop = false;
    uint32_t Offset = 0;
  };
  static bool comesBefore(Position A, Position B) {
    if (A.Order != B.Order || A.InLoop)
      return A.Order < B.Order;
    return A.Offset < B.Offset;
  }
  Position positionOf(uint32_t Block, uint32_t Offset) const;
  bool canReach(uint32_t Source, uint32_t Target) const;
  void mergeTwins();

  const ControlFlow &Flow;
  std::vector<FoundCall> Found;
  std::vector<uint32_t> Stages;
};

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_CODECALLS_H
