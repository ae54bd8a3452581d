// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whom a function calls, starts as a thread or hands to somebody, and which
// functions it only puts somewhere, to be called through a pointer later.

#ifndef LINESMAN_LIB_INPUT_CALLEDGES_H
#define LINESMAN_LIB_INPUT_CALLEDGES_H

#include "PointerSlots.h"
#include "PointerUses.h"
#include "RegisterFlow.h"
#include "llvm/ADT/DenseSet.h"
#include <map>

namespace linesman::input {

class CallEdges {
public:
  CallEdges(layout::AddressRange Function, const RegisterState &State,
            const ControlFlow &Flow, const Architecture &Arch,
            const CodeMap &Map, PointerUses &Pointers,
            std::vector<FoundCall> &Found)
      : Function(Function), State(State), Flow(Flow), Arch(Arch), Map(Map),
        Pointers(Pointers), Found(Found), Slots(State) {}

  void enterBlock() { Slots.enterBlock(); }
  /// Each step, before its transfer, and after it.
  void follow(const Step &S, uint32_t Block);
  void followTaken(const Step &S, uint32_t Block);
  /// Adds what was taken and given to nobody.
  void finish();

private:
  const layout::AddressRange Function;
  const RegisterState &State;
  const ControlFlow &Flow;
  const Architecture &Arch;
  const CodeMap &Map;
  PointerUses &Pointers;
  std::vector<FoundCall> &Found;
  PointerSlots Slots;

  /// Functions whose addresses it takes, and those that a callee is given.
  std::vector<FoundCall> Taken;
  llvm::DenseSet<uint64_t> Handed;
  /// By a function's address: where it is put.
  std::map<uint64_t, llvm::SmallVector<uint8_t, 1>> KeptAt;
  bool HandsToOnce = false;
  /// Calls by their offset, and whether each is given a record with a handler
  /// of signals; without those that only fill it in.
  std::map<uint32_t, bool> CallsAt;
  /// What a thread runs whose state has the last such vtable that was taken,
  /// where that was, and where such threads start.
  facts::FunctionRef LastState;
  uint32_t LastStateAt = 0;
  llvm::SmallVector<layout::AddressRange, 2> StateStarts;

  FoundCall &add(facts::CallKind Kind, facts::FunctionRef Callee, const Step &S,
                 uint32_t Block);
  void addCall(const Step &S, uint32_t Block, uint8_t Slot);
  void addStart(const Step &S, facts::ThreadStart Start, uint32_t Block);
  using ClosureUse = FoundCall::ClosureUse;
  void addClosure(const Value &V, uint32_t Offset, uint32_t Block,
                  ClosureUse Use);
  void addRare(const Step &S, facts::RareCallees Callees, uint32_t Block);
  void addStateStart(const Step &S, uint32_t Block);
  /// Whether it is given one.
  bool addHandedFunctions(const Step &S, llvm::StringRef Name, bool IsOwn,
                          uint32_t Block);
  void addKept(const Step &S);
  void keepTaken(FoundCall Edge);
  bool isHandler(uint32_t Offset) const;
  bool isStates(uint32_t Offset) const;
  llvm::SmallVector<uint64_t, 4> functionsIn(const Value &V) const;
};

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_CALLEDGES_H
