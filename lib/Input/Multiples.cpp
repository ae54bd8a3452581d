// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block by block: what each register is in terms of what another one was.

#include "Multiples.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <cstdlib>
#include <optional>

using namespace llvm;

namespace linesman::input {

namespace {

class Reader {
public:
  void enterBlock() { Forms.fill({}); }

  void follow(Step &S) {
    bool Subtracts = S.Kind == StepKind::Clobber && S.Dst < MostValues;
    std::optional<Form> Made;
    if (Subtracts || S.Kind == StepKind::Add || S.Kind == StepKind::Load ||
        S.Kind == StepKind::Access)
      Made = read(S.Spot, Subtracts);
    if (Made && S.Spot.Index != NoRegister && S.Spot.Base != NoRegister &&
        S.Spot.Base != S.Spot.Index)
      rewrite(S, *Made, Subtracts);
    for (unsigned R = 0; R != MostRegisters && S.Clobbers; ++R)
      if (S.Clobbers >> R & 1)
        Forms[R] = {};
    if (S.Dst >= MostValues || !(Subtracts || definesDst(S.Kind)))
      return;
    bool IsKnown =
        Made && !S.Spot.IsAddress && (S.Kind == StepKind::Add || Subtracts);
    Forms[S.Dst] = IsKnown ? *Made : Form();
  }

private:
  /// Times what Root stands for, plus a number. A register that nothing is
  /// known of has no root until somebody asks.
  struct Form {
    uint32_t Root = 0;
    int64_t Times = 0, Number = 0;
  };
  std::array<Form, MostValues> Forms;
  uint32_t LastRoot = 0;
  /// Larger factors are no sizes of elements.
  static constexpr int64_t MostTimes = int64_t(1) << MostShift;

  std::optional<Form> formOf(Register R) {
    if (R >= MostValues)
      return std::nullopt;
    if (!Forms[R].Root)
      Forms[R] = {++LastRoot, 1, 0};
    return Forms[R];
  }

  /// What a place is, less than its address; nothing where that is no multiple
  /// of one register.
  std::optional<Form> read(const Place &Spot, bool Subtracts) {
    if (Spot.Factor != NoRegister || Spot.IsOwn || Spot.Shift >= MostShift ||
        int64_t(Spot.Times) << Spot.Shift >= MostTimes)
      return std::nullopt;
    const int64_t Times = int64_t(Spot.Times) << Spot.Shift;
    std::optional<Form> Sum, Part;
    if (Spot.Base != NoRegister && !(Sum = formOf(Spot.Base)))
      return std::nullopt;
    if (Spot.Index != NoRegister && !(Part = formOf(Spot.Index)))
      return std::nullopt;
    if (!Sum && !Part)
      return std::nullopt;
    if (Part) {
      Part->Times *= Subtracts ? -Times : Times;
      Part->Number *= Subtracts ? -Times : Times;
      if (Sum && Sum->Root != Part->Root)
        return std::nullopt;
      Sum = Form{Part->Root, Part->Times + (Sum ? Sum->Times : 0),
                 Part->Number + (Sum ? Sum->Number : 0)};
    }
    bool IsSmall =
        std::abs(Sum->Times) < MostTimes &&
        (Spot.IsAddress || !AddOverflow(Sum->Number, Spot.Disp, Sum->Number)) &&
        Sum->Number > -MostTimes && Sum->Number < MostTimes;
    return IsSmall ? Sum : std::nullopt;
  }

  void rewrite(Step &S, const Form &Made, bool Subtracts) {
    if (Made.Times <= 0)
      return;
    for (Register R = 0; R != MostValues; ++R) {
      const Form &Held = Forms[R];
      if (Held.Root != Made.Root || Held.Times != 1 || Held.Number)
        continue;
      const uint64_t Disp = S.Spot.IsAddress ? S.Spot.Disp : 0;
      S.Spot.Base = NoRegister;
      S.Spot.Index = R;
      S.Spot.Times = Made.Times;
      S.Spot.Shift = 0;
      S.Spot.Disp = int64_t(Disp + uint64_t(Made.Number));
      if (Subtracts) {
        S.Kind = StepKind::Add;
        S.Clobbers = 0;
      }
      return;
    }
  }
};

} // namespace

/// Most blocks are done with here.
static bool mayBeMultiple(const Step &S) {
  return S.Spot.Base < MostValues && S.Spot.Index < MostValues &&
         S.Spot.Base != S.Spot.Index;
}

void nameMultiples(MutableArrayRef<Step> Steps, const ControlFlow &Flow) {
  Reader Registers;
  for (const Block &B : Flow.Blocks) {
    MutableArrayRef<Step> OfBlock = Steps.slice(B.First, B.Last - B.First);
    if (none_of(OfBlock, mayBeMultiple))
      continue;
    Registers.enterBlock();
    for (Step &S : OfBlock)
      Registers.follow(S);
  }
}

} // namespace linesman::input
