// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the pointers are kept that a function calls through:
//
//     mov rax, [rdi + 24]    rax is from 24 in a record
//     call rax               so the callee is whatever is kept there

#ifndef LINESMAN_LIB_INPUT_POINTERSLOTS_H
#define LINESMAN_LIB_INPUT_POINTERSLOTS_H

#include "RegisterState.h"
#include <array>

namespace linesman::input {

/// By layout::SlotSignature; 0 where nothing is known.
class PointerSlots {
public:
  explicit PointerSlots(const RegisterState &State) : State(State) {}

  /// Each step, before its transfer. Loads and calls are in straight lines of
  /// code, mostly: branches are passed over.
  void follow(const Step &S);
  void enterBlock() { LoadedAt = UINT32_MAX; }

  /// Of what is at a place.
  uint8_t at(const Place &Spot) const;
  /// Of the callee of an indirect call; before follow.
  uint8_t ofCallee(const Step &S) const;

private:
  const RegisterState &State;
  /// By register.
  std::array<uint8_t, MostValues> SlotOf = {};
  /// Where the last load is, from the function's start.
  uint32_t LoadedAt = UINT32_MAX;
};

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_POINTERSLOTS_H
