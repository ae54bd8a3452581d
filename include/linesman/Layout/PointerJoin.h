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

#include "linesman/Facts/Pointers.h"
#include "linesman/Layout/CallGraph.h"
#include "llvm/ADT/DenseSet.h"
#include <deque>

namespace linesman::layout {

/// The way on which an address came to an access that does not name its object.
struct Passage {
  /// The function whose code accesses; NoNode for the one that has the fact.
  NodeIndex Site = NoNode;
  LinkAddress SiteAddress;
  llvm::StringRef SiteName;
  /// The function that was handed the address, and where; NoNode if none was.
  NodeIndex Callee = NoNode;
  llvm::StringRef CalleeName;
  llvm::StringRef CallFile;
  uint32_t CallLine = 0;
  LinkAddress CallInstruction;
  /// Where the address was loaded from: a member ("_ZTS4Item" and 8), or a
  /// variable at this address; empty and 0 if it was not.
  llvm::StringRef Record;
  uint64_t MemberOffset = 0;
  /// A member, in machine code: of what record is not known. MemberOffset is
  /// UINT64_MAX where it was loaded long before.
  bool IsMember = false;
  LinkAddress Variable;
  /// Another object may be meant each time.
  bool IsMay = false;
  /// What is no known object flows there, too: mostly the heap.
  bool IsDoubtful = false;
};

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

/// One use, with its functions as nodes of the graph.
struct GraphUse {
  facts::PointerUse Use;
  /// Who does it; NoNode for initial values.
  NodeIndex User = NoNode;
  /// The node of Source.Function, and of Callee or Into.Function.
  NodeIndex SourceFunction = NoNode, Callee = NoNode;
  bool HasProfile = false;
};

/// Those of one function side by side. Ten million are three gigabytes, which
/// nobody copies to have them in one piece.
using GraphUses = std::deque<GraphUse>;

struct JoinedPointers {
  /// One for each access: Access::Passage is 1 + its position.
  std::vector<Passage> Passages;
  PointerCounts Counts;
};

class PointerJoin {
public:
  /// Of several copies of a function the first one speaks.
  void add(const facts::PointerFacts &Facts, CallGraphBuilder &Graph);
  bool empty() const { return Uses.empty(); }

  /// Calls \p Visit for what was found, a fact for each function and object.
  /// The strings of its accesses are those of the facts.
  JoinedPointers join(const CallGraph &Graph,
                      llvm::function_ref<void(const facts::Fact &)> Visit) &&;

private:
  GraphUses Uses;
  llvm::DenseSet<NodeIndex> Known;
  uint64_t Functions = 0;
};

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_POINTERJOIN_H
