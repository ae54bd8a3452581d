// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which thread a start's argument belongs to.
//
//     pthread_create(.., run, &slots[0])    thread 1 has slots[0]
//     pthread_create(.., run, &slots[1])    thread 2 has slots[1]
//
// What run does through its argument is done by one thread to each of them, if
// every place that starts run is known, is executed once, and hands on another
// address.

#ifndef LINESMAN_LIB_LAYOUT_THREADARGUMENTS_H
#define LINESMAN_LIB_LAYOUT_THREADARGUMENTS_H

#include "linesman/Layout/PointerTable.h"
#include "llvm/ADT/DenseMap.h"

namespace linesman::layout {

class ThreadArguments {
public:
  ThreadArguments(const PointerTable &Table, const CallGraph &Graph);

  /// The thread that a use hands an address to: from 1, another number for each
  /// such place; 0 where several threads may have it, or it is not known.
  uint16_t threadOf(const KeptUse &Use) const { return Threads.lookup(&Use); }

private:
  llvm::DenseMap<const KeptUse *, uint16_t> Threads;
};

} // namespace linesman::layout

#endif // LINESMAN_LIB_LAYOUT_THREADARGUMENTS_H
