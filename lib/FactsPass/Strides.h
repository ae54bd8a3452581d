// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of an index that is not constant:
//
//     done[id * 16]      of longs: a multiple of 128 bytes, from the thread
//     table[h & 255]     of 40-byte locks: a multiple of 40 bytes
//
// Elements whole lines apart never share one; an index that comes from the
// thread says that each thread has elements of its own.

#ifndef LINESMAN_LIB_FACTSPASS_STRIDES_H
#define LINESMAN_LIB_FACTSPASS_STRIDES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Operator.h"
#include <cstdint>

namespace linesman::facts {

/// Bytes from a pointer: Constant, plus a multiple of Stride.
struct Distance {
  int64_t Constant = 0;
  /// 0: nothing is added. 1: whatever.
  uint64_t Stride = 0;
  /// What is added differs from thread to thread, and only so.
  bool IsByThread = false;

  bool isConstant() const { return Stride == 0; }
  friend bool operator==(const Distance &, const Distance &) = default;
};

/// The indices of a GEP that are no constants, as GEPOperator::collectOffset
/// takes them: LLVM 20 changed the type.
template <typename MapT>
MapT takenBy(bool (llvm::GEPOperator::*)(const llvm::DataLayout &, unsigned,
                                         MapT &, llvm::APInt &) const);
using IndexMap = decltype(takenBy(&llvm::GEPOperator::collectOffset));

/// \p Start with what a GEP adds.
Distance addIndices(const llvm::GEPOperator &GEP, Distance Start,
                    const llvm::DataLayout &DL);

/// The same with a multiple of \p Bytes.
Distance addMultiple(Distance Start, uint64_t Bytes, bool IsByThread);

} // namespace linesman::facts

#endif // LINESMAN_LIB_FACTSPASS_STRIDES_H
