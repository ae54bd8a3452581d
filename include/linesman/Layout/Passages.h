// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// On which ways addresses came to the accesses that the join of pointers found.
// There are millions, and a report tells of a few: a way is put together when
// somebody asks for it.

#ifndef LINESMAN_LAYOUT_PASSAGES_H
#define LINESMAN_LAYOUT_PASSAGES_H

#include "linesman/Layout/PointerTable.h"

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

/// A passage with the numbers of a PointerTable.
struct KeptPassage {
  uint32_t Source = NoPlace;
  NodeIndex Site = NoNode, Callee = NoNode;
  uint32_t CallFile = 0, CallLine = 0;
  bool IsMay : 1 = false;
  bool IsDoubtful : 1 = false;
  /// Loaded from a member, in machine code: by the use itself, or long before.
  bool IsMember : 1 = false;
  bool IsFarMember : 1 = false;
  /// The one thread that was started with the address; 0 where several may
  /// have it (ThreadArguments).
  uint16_t Thread = 0;
  uint64_t CallInstruction = 0;
};
static_assert(sizeof(KeptPassage) == 32, "large programs have millions");

class Passages {
public:
  Passages() = default;
  /// The names are those of \p Graph.
  Passages(PointerTable Table, std::deque<KeptPassage> All,
           const CallGraph &Graph);

  size_t size() const { return All.size(); }
  Passage operator[](size_t Number) const;
  bool isMay(size_t Number) const { return All[Number].IsMay; }
  bool isDoubtful(size_t Number) const { return All[Number].IsDoubtful; }
  bool isMember(size_t Number) const { return All[Number].IsMember; }
  uint16_t threadOf(size_t Number) const { return All[Number].Thread; }
  /// Whom the object is handed to; NoNode where it is not.
  NodeIndex calleeOf(size_t Number) const { return All[Number].Callee; }

private:
  PointerTable Table;
  std::deque<KeptPassage> All;
  struct Function {
    LinkAddress Address;
    llvm::StringRef Name;
  };
  /// By node.
  std::vector<Function> Functions;
};

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_PASSAGES_H
