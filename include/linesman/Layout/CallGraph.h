// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who calls whom in one binary: the facts of all its objects, joined by address
// and name.

#ifndef LINESMAN_LAYOUT_CALLGRAPH_H
#define LINESMAN_LAYOUT_CALLGRAPH_H

#include "linesman/Facts/Facts.h"
#include "linesman/Facts/FlagForm.h"
#include "linesman/Facts/KnownThreads.h"
#include "linesman/Layout/Address.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace linesman::layout {

/// In machine code types are not known. What is: where a call loads its pointer
/// from, and where a pointer was put. Both are a signature; so is that it was
/// handed to somebody or put into a local record, which others copy or keep, or
/// that the call does not show where it has it from.
struct SlotSignature {
  static constexpr uint8_t Handed = 1, FirstOfRecords = 2,
                           FirstOfVariables = 122;
  /// In a record, at a distance from its start.
  static uint8_t inRecord(int64_t Distance) {
    return FirstOfRecords +
           uint64_t(Distance) / 8 % (FirstOfVariables - FirstOfRecords);
  }
  static uint8_t inVariable(uint64_t Address) {
    return FirstOfVariables + Address / 8 % (256 - FirstOfVariables);
  }
};

/// Flags of a thread's own among those of GraphEdge::OnceFlag, by their
/// distance from the thread pointer.
struct OwnFlag {
  static constexpr uint64_t Bit = uint64_t(1) << 63;
  static uint64_t at(int64_t Distance) { return Bit | uint32_t(Distance); }
  static bool isOne(uint64_t Flag) { return Flag & Bit; }
};

/// The signature of what libraries call back, of both producers.
inline constexpr uint8_t LibraryCallback = 0;

/// How often a call must be made an entry to be one of those that are done each
/// time.
inline constexpr double EachTime = 0.5;

/// Position of a function, or of a table of functions, in a call graph.
using NodeIndex = uint32_t;
inline constexpr NodeIndex NoNode = UINT32_MAX;

using facts::FlagForm;
using facts::OnceShare;

struct GraphEdge {
  facts::CallKind Kind = facts::CallKind::Direct;
  /// NoNode for an indirect call, or a start of what is not known.
  NodeIndex Callee = NoNode;
  /// Executions per entry of the caller.
  double Weight = 1;
  uint32_t Stage = 0;
  bool InLoop = false;
  uint8_t Signature = 0;
  /// See facts::Access.
  uint64_t OnceFlag = 0;
  bool IsLocked = false;
  uint64_t HeldLock = 0;
  bool IsOneForAll = false;
  /// See facts::CallEdge.
  uint8_t Declared = 0;
};

/// See facts::ClosureUse.
struct GraphClosure {
  NodeIndex Run = NoNode;
  double Weight = 1;
  uint32_t Stage = 0;
  bool InLoop = false;
  bool IsHanded = false;
};

struct GraphNode {
  /// 0 for a table, for a function of another module, and for one that the
  /// linker discarded.
  LinkAddress Address;
  /// The linker's name; empty where it is not known.
  llvm::StringRef Name;
  /// Runs before or after main.
  bool IsStartUp = false;
  /// Other modules can call it.
  bool IsExported = false;
  /// Whoever calls it ends the process: what it does is done once.
  bool NeverReturns = false;
  /// It may leave a lock that it has not taken.
  bool LeavesLock = false;
  /// Of a library: see facts::WaitsForWork.
  bool WaitsForWork = false;
  /// Of a library: see facts::ThreadEnds.
  bool EndsThread = false;
  /// Of a library: see facts::ThreadJoins.
  bool JoinsThread = false;
  /// Of a library: see facts::SetUpCalls. Of the binary: it always calls one.
  bool IsSetUp = false;
  /// Of a library: see facts::isCostly. Of the binary: it always calls one.
  bool IsCostly = false;
  /// Something begins or ends there that is used many times, by its name.
  bool IsLifeCycle = false;
  /// By stage.
  std::vector<GraphEdge> Edges;
  llvm::SmallVector<facts::LockTake, 0> Takes;
  llvm::SmallVector<GraphClosure, 0> Closures;
};

struct CallGraph {
  std::vector<GraphNode> Nodes;
  /// Functions, by their addresses, and the OwnFlags that they set.
  llvm::DenseSet<std::pair<uint64_t, uint64_t>> OwnFlagsSet;
  /// Whether there are facts about calls at all.
  bool HasCalls = false;
  /// Signatures do not say which types functions have, but where pointers to
  /// them are kept (see SlotSignature).
  bool HasSlots = false;
  /// Threads are known to start at boxed closures (ClosureStarts.h).
  bool StartsClosures = false;
  /// Any processor runs any of it, whoever started what (KernelNames.h).
  bool IsKernel = false;

  /// The function with this name: the linker's, or the demangled one.
  NodeIndex find(llvm::StringRef Name) const;
};

/// A function of the symbol table. The name is not measured before it is asked
/// for: there are many.
struct FunctionSymbol {
  LinkAddress Address;
  const char *NameData = "";

  llvm::StringRef name() const { return NameData; }
};

/// Functions by facts::hashName.
using FunctionsByName = llvm::DenseMap<uint64_t, FunctionSymbol>;

class CallGraphBuilder {
public:
  /// The functions that calls refer to by name, as far as the binary defines
  /// them. Before the first call.
  void define(FunctionsByName Functions) { Named = std::move(Functions); }

  /// A function, known by its accesses or as one that runs before main.
  NodeIndex addFunction(LinkAddress Address, llvm::StringRef Name);
  void markStartUp(LinkAddress Address) {
    Graph.Nodes[addFunction(Address, "")].IsStartUp = true;
  }
  /// Code of a kernel that nobody can call when start-up is over.
  void markGivenBack(AddressRange Code) {
    Graph.IsKernel = true;
    GivenBack.push_back(Code);
  }
  /// Counts if anything else makes the function known: of a large library most
  /// neither call nor access anything.
  void markExported(LinkAddress Address) { Exported.push_back(Address); }
  void markNeverReturns(LinkAddress Address) {
    Graph.Nodes[addFunction(Address, "")].NeverReturns = true;
  }
  void markLeavesLock(LinkAddress Address) {
    Graph.Nodes[addFunction(Address, "")].LeavesLock = true;
  }
  void markSetsOwnFlag(LinkAddress Address, uint64_t Flag) {
    Graph.OwnFlagsSet.insert({Address.Value, Flag});
  }
  /// Functions whose addresses initialised data holds: they are there from the
  /// start. With them signatures are SlotSignature's.
  void addTables(llvm::ArrayRef<facts::CallEdge> Edges);
  /// Of several copies of a function (inline, in several objects) the first
  /// one's calls count.
  void add(const facts::Calls &Calls);
  bool hasCalls() const { return Graph.HasCalls; }
  /// The node that a reference means; NoNode for nothing, and for what the
  /// linker discarded.
  NodeIndex intern(facts::FunctionRef Ref);
  LinkAddress addressOf(NodeIndex Node) const {
    return Graph.Nodes[Node].Address;
  }
  /// Names a function that is only known by its address; of several names the
  /// first one counts.
  void name(const FunctionSymbol &Function);
  CallGraph finish() &&;

private:
  void dropGivenBack();

  CallGraph Graph;
  FunctionsByName Named;
  std::vector<LinkAddress> Exported;
  std::vector<AddressRange> GivenBack;
  /// ByName: of names that the binary does not define.
  llvm::DenseMap<uint64_t, NodeIndex> ByAddress, ByName, ByTable;
};

/// For each function, whether most of its calls are made while a lock is held.
std::vector<bool> findLocked(const CallGraph &Graph);

/// For each function, the address of a lock with which every call of it is made
/// that \p Counts, by the caller; 0 where there is none, or where not all calls
/// are known: its address is taken, or other modules can call it.
std::vector<uint64_t>
findEntryLocks(const CallGraph &Graph,
               llvm::function_ref<bool(NodeIndex)> Counts);

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_CALLGRAPH_H
