// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens, all in all, to a pointer that a function is given: its own
// accesses, and those of the functions that it hands the pointer on to.

#ifndef LINESMAN_LIB_LAYOUT_POINTERSUMMARIES_H
#define LINESMAN_LIB_LAYOUT_POINTERSUMMARIES_H

#include "linesman/Layout/PointerJoin.h"
#include <map>

namespace linesman::layout {

/// The uses of one parameter. Number as in facts::Origin.
using ParameterKey = std::pair<NodeIndex, uint32_t>;

/// One access through a parameter.
struct SummaryAccess {
  /// From what the parameter points at; nothing when it is not constant.
  std::optional<int64_t> Offset;
  facts::AccessKind Kind = facts::AccessKind::Read;
  uint64_t Size = 0;
  bool IsMay = false;
  NodeIndex Site = NoNode;
  llvm::StringRef File;
  uint32_t Line = 0;
  uint64_t Instruction = 0;
  uint64_t OnceFlag = 0;
  bool IsLocked = false;
  uint64_t HeldLock = 0;
  /// What the parameter is not, where this access happens.
  llvm::SmallVector<uint64_t, 1> Except;
  /// Executions per entry of the function.
  double Weight = 0;

  auto key() const {
    return std::make_tuple(Offset, Kind, Size, IsMay, Site, Line, Instruction,
                           File.data(), Except, OnceFlag, IsLocked, HeldLock);
  }
};
using Summary = std::vector<SummaryAccess>;

class Summaries {
public:
  explicit Summaries(const GraphUses &Uses);

  /// Valid until the next call.
  const Summary &of(ParameterKey Parameter);
  bool isKnown(NodeIndex Function) const {
    return Function < UsesOf.size() &&
           UsesOf[Function].Begin != UsesOf[Function].End;
  }

private:
  /// Whether \p Result is all: false where a recursion was cut that begins
  /// further out.
  bool summarise(ParameterKey Parameter, unsigned Depth, Summary &Result);

  const GraphUses &Uses;
  /// Of each function, where its uses are.
  struct Range {
    uint32_t Begin = 0, End = 0;
  };
  std::vector<Range> UsesOf;
  std::map<ParameterKey, Summary> Done;
  std::map<ParameterKey, unsigned> OnPath;
  unsigned StepsLeft = 0;
};

} // namespace linesman::layout

#endif // LINESMAN_LIB_LAYOUT_POINTERSUMMARIES_H
