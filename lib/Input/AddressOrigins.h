// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often a pointer that is one of several is a certain address:
//
//     switch (kind) {                     1
//     case 0: timer = &spare; break;      1/26   where &spare comes from
//     case 1: timer = &user->timer; ...
//     }
//     timer->ticks = 0;                   1      a 26th of which is spare.ticks
//
// No more often than control passes where it comes from.

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
  /// Of an access, by its position: through a pointer that may be \p Address
  /// or something else.
  void addUse(size_t Access, int64_t Address) {
    Uses.push_back({Access, Address});
  }
  /// Takes off what such accesses count too much.
  void boundUses(llvm::MutableArrayRef<FoundAccess> Accesses) const;

private:
  const RegisterState &State;
  const ControlFlow &Flow;
  struct Use {
    size_t Access;
    int64_t Address;
  };
  llvm::SmallVector<Use, 4> Uses;
  /// Blocks in which a register becomes an address and nothing else.
  llvm::DenseMap<int64_t, llvm::SmallVector<uint32_t, 2>> MadeIn;
  /// What comes from elsewhere, too: out of memory, or as one of several.
  llvm::DenseSet<int64_t> Others;

  std::optional<uint32_t> loopOf(uint32_t Block) const {
    const input::Block &B = Flow.Blocks[Block];
    return B.IsHeader ? Block : B.Loop;
  }
};

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_ADDRESSORIGINS_H
