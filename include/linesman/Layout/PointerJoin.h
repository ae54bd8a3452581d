// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The join of pointers: what functions do through pointers that they are given,
// and who gives them the address of an object, are accesses to that object.
//
//     set:  writes 8 at 16 of parameter 0               (one unit)
//     add:  hands nil to parameter 0 of set, 3 times    (another one)
//       --> add writes 8 at 16 of nil, 3 times, through set
//
// The access counts for who hands the address over, in that function's roles
// and with the weight of the call: the same callee may be given other objects
// by others. A passage says on which way the address came.

#ifndef LINESMAN_LAYOUT_POINTERJOIN_H
#define LINESMAN_LAYOUT_POINTERJOIN_H

#include "linesman/Layout/Passages.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace linesman::layout {

/// What the join met and could not use.
struct PointerCounts {
  /// Functions with uses of pointers.
  uint64_t Functions = 0;
  /// Accesses to objects that were found.
  uint64_t Accesses = 0;
  /// Of those, the ones that may be to another object.
  uint64_t May = 0;
  /// Addresses of objects that are handed to functions without facts.
  uint64_t ToUnknown = 0;
  /// Places that may hold too many objects to tell of each.
  uint64_t TooMany = 0;
};

struct JoinedPointers {
  /// One for each access: Access::Passage is 1 + its position.
  layout::Passages Passages;
  PointerCounts Counts;
};

class PointerJoin {
public:
  /// Of several copies of a function the first one speaks.
  void add(const facts::PointerFacts &Facts, CallGraphBuilder &Graph);
  bool empty() const { return Table.size() == 0; }

  /// Calls \p Visit for what was found, a fact for each function and object.
  /// The strings of its accesses are those of the facts.
  JoinedPointers join(const CallGraph &Graph,
                      llvm::function_ref<void(const facts::Fact &)> Visit) &&;

private:
  PointerTable Table;
  /// By node, whether it has spoken.
  std::vector<bool> Known;
};

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_POINTERJOIN_H
