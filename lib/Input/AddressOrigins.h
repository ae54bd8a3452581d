// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pointer may hold one of several addresses. It holds each of them no more
// often than control passes the code that forms that address:
//
//     switch (kind) {                     frequency 1
//     case 0: timer = &spare; break;      1/26: forms &spare
//     case 1: timer = &user->timer; ...
//     }
//     timer->ticks = 0;                   1, but at most 1/26 for spare

#ifndef LINESMAN_LIB_INPUT_ADDRESSORIGINS_H
#define LINESMAN_LIB_INPUT_ADDRESSORIGINS_H

#include "RegisterFlow.h"
#include "RegisterState.h"
#include "llvm/ADT/DenseSet.h"

namespace linesman::input {

class AddressOrigins {
public:
  AddressOrigins(const RegisterState &State, const ControlFlow &Flow)
      : State(State), Flow(Flow) {}

  /// After the step's transfer, in the order of the steps.
  void follow(const Step &S, uint32_t Block);
  /// \p Access is an index of FoundFacts::Accesses, of an access through a
  /// pointer that holds \p Address or something else.
  void addUse(size_t Access, int64_t Address) {
    Uses.push_back({Access, Address});
  }
  /// Lowers the weights of such accesses to what their origins allow.
  void boundUses(llvm::MutableArrayRef<FoundAccess> Accesses) const;

private:
  const RegisterState &State;
  const ControlFlow &Flow;
  struct Use {
    size_t Access;
    int64_t Address;
  };
  llvm::SmallVector<Use, 4> Uses;
  /// By address, the blocks in which a register becomes it and nothing else.
  llvm::DenseMap<int64_t, llvm::SmallVector<uint32_t, 2>> Origins;
  /// Addresses that a register also gets from memory, or as one of several.
  llvm::DenseSet<int64_t> Unbounded;

  std::optional<uint32_t> loopOf(uint32_t Block) const {
    const input::Block &B = Flow.Blocks[Block];
    return B.IsHeader ? Block : B.Loop;
  }
};

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_ADDRESSORIGINS_H
