// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variables a function compares with zero, or another number, before it
// branches:
//
//     mov eax, [ready]
//     test eax, eax          ready is compared with zero
//     jne .done              and what follows runs while it is

#ifndef LINESMAN_LIB_INPUT_VALUETESTS_H
#define LINESMAN_LIB_INPUT_VALUETESTS_H

#include "PointerUses.h"
#include "RegisterFlow.h"
#include <array>

namespace linesman::input {

class ValueTests {
public:
  ValueTests(const RegisterState &State, const ControlFlow &Flow,
             const CodeMap &Map, PointerUses &Pointers,
             std::vector<FlagTest> &Found)
      : State(State), Flow(Flow), Map(Map), Pointers(Pointers), Found(Found) {}

  void enterBlock();
  /// Each step, before its transfer.
  void follow(const Step &S, uint32_t Block);
  /// In this block: the address of the data whose value a register is, or the
  /// thread's own variable (layout::OwnFlag); 0 where there is none.
  uint64_t sourceOf(Register R) const { return LoadedFrom[R]; }

private:
  const RegisterState &State;
  const ControlFlow &Flow;
  const CodeMap &Map;
  PointerUses &Pointers;
  std::vector<FlagTest> &Found;
  std::array<uint64_t, MostValues> LoadedFrom = {};
  /// What the last test compared with zero, as in sourceOf.
  uint64_t Tested = 0;
  /// The same of what was compared with another number, which may be -1.
  uint64_t Matched = 0;
  bool IsMatchedMinus = false;
  /// The last comparison of pointers, if it was later.
  const Step *Compared = nullptr;
  /// Where the last load is, from the function's start.
  uint32_t LoadedAt = UINT32_MAX;

  uint64_t variableAt(const Place &Spot) const;
  void addTest(const Step &Branch, uint32_t Block);
};

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_VALUETESTS_H
