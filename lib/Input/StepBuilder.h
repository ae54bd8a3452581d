// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the decoders of all architectures write steps with, so that none of them
// forgets the rules: the stack is each thread's own, and nothing is assigned to
// a register that is not followed.

#ifndef LINESMAN_LIB_INPUT_STEPBUILDER_H
#define LINESMAN_LIB_INPUT_STEPBUILDER_H

#include "MachineStep.h"

namespace linesman::input {

class StepBuilder {
public:
  StepBuilder(const CodeMap &Map, Register Stack) : Map(Map), Stack(Stack) {}

protected:
  const CodeMap &Map;
  const Register Stack;
  std::vector<Step> *Made = nullptr;

  Step &add(uint64_t Offset, StepKind Kind) {
    Step &S = Made->emplace_back();
    S.Kind = Kind;
    S.Offset = Offset;
    return S;
  }

  /// A number, or an address in a binary that is loaded where it says.
  Place constant(int64_t Number) const {
    Place P;
    P.Disp = Number;
    P.IsAddress = Map.isAbsolute(Number);
    return P;
  }
  static Place in(Register R, int64_t Disp = 0) {
    Place P;
    P.Base = R;
    P.Disp = Disp;
    return P;
  }
  static Place address(uint64_t Address) {
    Place P;
    P.Disp = Address;
    P.IsAddress = true;
    return P;
  }

  /// Null where it is no access that threads can share, nor to a thread-local
  /// variable.
  Step *addAccess(uint64_t Offset, facts::AccessKind Kind, const Place &Spot,
                  uint32_t Size, Register Count = NoRegister) {
    if (Spot.Base == Stack ||
        (!Spot.IsAddress && !Spot.IsOwn && Spot.Base == NoRegister &&
         Spot.Index == NoRegister))
      return nullptr;
    Step &S = add(Offset, StepKind::Access);
    S.Access = Kind;
    S.Spot = Spot;
    S.Size = Size;
    S.Count = Count;
    return &S;
  }

  void clobber(uint64_t Offset, uint32_t Mask) {
    if (Mask >> Stack & 1)
      setStack(Offset, in(UnknownRegister));
    Mask &= ~(1u << Stack);
    if (Mask)
      add(Offset, StepKind::Clobber).Clobbers = Mask;
  }

  /// Dst = the place's base minus its index.
  void subtract(uint64_t Offset, Register Dst, const Place &Difference) {
    if (Dst >= MostRegisters || Dst == Stack)
      return clobber(Offset, Dst < MostRegisters ? 1u << Dst : 0);
    Step &S = add(Offset, StepKind::Clobber);
    S.Clobbers = 1u << Dst;
    S.Dst = Dst;
    S.Spot = Difference;
  }

  /// A store to the stack; nothing if it is another place.
  void addSpill(uint64_t Offset, const Place &Spot, uint32_t Size,
                Register Src = UnknownRegister) {
    if (Spot.Base != Stack)
      return;
    Step &S = add(Offset, StepKind::Spill);
    S.Spot = Spot;
    S.Size = Size;
    S.Src = Src;
  }
  void setStack(uint64_t Offset, const Place &Target) {
    add(Offset, StepKind::SetStack).Spot = Target;
  }

  /// Dst = the place, if it is a register that is followed.
  void assign(uint64_t Offset, StepKind Kind, Register Dst, const Place &Spot) {
    if (Dst == Stack)
      return setStack(Offset,
                      Kind == StepKind::Add ? Spot : in(UnknownRegister));
    if (Dst == NoRegister)
      return;
    if (Kind == StepKind::Load && Spot.Base == Stack)
      Kind = StepKind::Reload;
    Step &S = add(Offset, Kind);
    S.Dst = Dst;
    S.Spot = Spot;
  }
};

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_STEPBUILDER_H
