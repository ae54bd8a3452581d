// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What happens, all in all, to a pointer that a function is given: its own
// accesses, and those of the functions that it hands the pointer on to.

#ifndef LINESMAN_LIB_LAYOUT_POINTERSUMMARIES_H
#define LINESMAN_LIB_LAYOUT_POINTERSUMMARIES_H

#include "linesman/Layout/PointerTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <tuple>

namespace linesman::layout {

/// One access through a parameter.
struct SummaryAccess {
  /// From what the parameter points at.
  Displacement Spot;
  uint64_t Size = 0;
  uint64_t Instruction = 0;
  uint64_t OnceFlag = 0;
  uint64_t HeldLock = 0;
  NodeIndex Site = NoNode;
  /// The file's number in the table.
  uint32_t File = 0, Line = 0;
  facts::AccessKind Kind = facts::AccessKind::Read;
  bool IsMay = false;
  bool IsLocked = false;
  bool IsLock = false;
  /// What the parameter is not, where this access happens.
  llvm::SmallVector<uint64_t, 0> Except;
  /// Executions per entry of the function.
  double Weight = 0;

  auto key() const {
    return std::tie(Spot.Constant, Spot.Stride, Kind, Size, IsMay, Site, Line,
                    Instruction, File, Except, OnceFlag, IsLocked, IsLock,
                    HeldLock);
  }
  /// The same, whatever the weight.
  friend bool operator==(const SummaryAccess &A, const SummaryAccess &B) {
    return A.key() == B.key();
  }
  friend llvm::hash_code hash_value(const SummaryAccess &A) {
    return llvm::hash_combine(A.Spot.Constant, A.Spot.Stride, unsigned(A.Kind),
                              A.Size, A.Site, A.Line, A.Instruction, A.OnceFlag,
                              A.HeldLock);
  }
};
using Summary = std::vector<SummaryAccess>;

class Summaries {
public:
  explicit Summaries(const PointerTable &Table);

  /// Of a place that is a parameter. Valid until the next call.
  const Summary &of(uint32_t Parameter);
  bool isKnown(NodeIndex Function) const {
    return Function < UsesOf.size() &&
           UsesOf[Function].Begin != UsesOf[Function].End;
  }

private:
  /// Whether \p Result is all: false where a recursion was cut that begins
  /// further out.
  bool summarise(uint32_t Parameter, unsigned Depth, Summary &Result);

  const PointerTable &Table;
  /// Of each function, where its uses are.
  struct Range {
    uint32_t Begin = 0, End = 0;
  };
  std::vector<Range> UsesOf;
  /// By parameter.
  llvm::DenseMap<uint32_t, Summary> Done;
  llvm::DenseSet<uint32_t> OnPath;
  unsigned StepsLeft = 0;
};

} // namespace linesman::layout

#endif // LINESMAN_LIB_LAYOUT_POINTERSUMMARIES_H
