// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Forward data flow over a function: which addresses registers hold.
//
//     entry:  lea rax, table          rax = {table}
//     loop:   inc dword [rax]         rax = {table, moving}   a loop's pointer
//             add rax, 4
//             jne loop
//
// The lattice: a set of at most four alternatives, each an address, a number or
// a distance from what is only known later (a parameter), exact or moving
// ("begins there and goes on"), and whether there are others that are not
// known.

#ifndef LINESMAN_LIB_INPUT_REGISTERSTATE_H
#define LINESMAN_LIB_INPUT_REGISTERSTATE_H

#include "ControlFlow.h"
#include "RegisterValue.h"
#include "linesman/Facts/Pointers.h"

namespace linesman::input {

/// Which values count from what is known later.
enum class OriginsWanted : uint8_t {
  No,
  /// The first parameter only, for the indices that come from it.
  First,
  /// All parameters, what callees return, and what variables hold.
  All,
};

/// What registers hold, block by block: enter one, then transfer its steps.
class RegisterState {
public:
  RegisterState(llvm::ArrayRef<Step> Steps, const ControlFlow &Flow,
                const Architecture &Arch, const CodeMap &Map, unsigned Slots,
                OriginsWanted Origins)
      : Steps(Steps), Flow(Flow), Arch(Arch), Map(Map), Wanted(Origins),
        Registers(Arch.registers()), Places(Registers + Slots) {}

  /// Before that nothing is known anywhere.
  void solve();
  bool isSolved() const { return !Values.empty(); }
  void enter(uint32_t Block);
  void transfer(const Step &S);

  Value valueOf(Register R) const;
  /// What a call hands over here; unknown where that is in no register.
  Value argument(unsigned Number) const {
    return Number < Arch.arguments().size() ? valueOf(Arch.arguments()[Number])
                                            : Value::unknown();
  }
  /// The address of a place.
  Value evaluate(const Place &Spot) const;
  /// Of an alternative that is neither a number nor an address.
  facts::Origin originOf(const Alternative &A) const;

private:
  llvm::ArrayRef<Step> Steps;
  const ControlFlow &Flow;
  const Architecture &Arch;
  const CodeMap &Map;
  const OriginsWanted Wanted;
  const unsigned Registers, Places;
  /// At the start of each block.
  std::vector<Value> Values;
  std::vector<Value> State;
  /// Behind the parameters, and from Base::FirstLoaded on.
  struct KnownOrigin {
    facts::Origin Known;
    /// Of a call or a load through a pointer, from the function's start: each
    /// has a result of its own.
    uint32_t Offset;
  };
  std::vector<KnownOrigin> Origins, LoadedOrigins;

  /// Where in a state a register is, or a slot of the stack.
  size_t placeOf(Register R) const {
    return R < FirstSlot ? R : Registers + (R - FirstSlot);
  }
  bool isPlace(Register R) const {
    return R < Registers || (R >= FirstSlot && placeOf(R) < Places);
  }

  Value load(const Value &Source, const Step &S);
  Value loadThrough(const Alternative &Pointer, const Step &S);
  Value loadVariable(const Alternative &Source);
  Value resultOf(const Step &Call);
  Value intern(facts::Origin Source, uint32_t Offset);
  Value internLoaded(facts::Origin Source, uint32_t Offset);
  void clobber(uint32_t Mask);
};

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_REGISTERSTATE_H
