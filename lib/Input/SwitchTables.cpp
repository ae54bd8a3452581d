// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Backwards from the jump, in straight lines: what was added to the register,
// what was read before, from where, and which comparison decided that the jump
// is reached. A table has no end of its own; the comparison says how many cases
// there are, and one that leads out of the function is none.

#include "SwitchTables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using support::endian::read32le;
using support::endian::read64le;

namespace linesman::input {

namespace {

/// Cases of one switch that are read: of generated code there are more, and of
/// those each is as good as the others.
constexpr uint64_t MostCases = 4096;

struct Table {
  uint64_t Address;
  /// Bytes of an entry: 4 for a distance from the table, 8 for an address.
  unsigned EntrySize;
};

bool endsLine(const Step &S) {
  return S.Kind == StepKind::Jump || S.Kind == StepKind::Branch ||
         S.Kind == StepKind::IndirectJump || S.Kind == StepKind::End;
}

bool isAddress(const Step &S, Register R) {
  return S.Kind == StepKind::Add && S.Dst == R && S.Spot.IsAddress &&
         S.Spot.Base == NoRegister && S.Spot.Index == NoRegister;
}

class Reader {
public:
  Reader(ArrayRef<Step> Steps, size_t Jump, const CodeFunction &Function,
         const CodeMap &Map)
      : Steps(Steps), Jump(Jump), Function(Function), Map(Map), Line(Jump) {
    while (Line && !endsLine(Steps[Line - 1]))
      --Line;
  }

  SmallVector<uint32_t, 8> read() const {
    std::optional<Table> Source = findTable();
    std::optional<uint64_t> Last = Source ? findLastCase() : std::nullopt;
    SmallVector<uint32_t, 8> Cases;
    if (!Last || *Last >= MostCases)
      return Cases;
    for (uint64_t I = 0; I <= *Last; ++I) {
      std::optional<uint32_t> Case = caseAt(*Source, I);
      if (!Case)
        return {};
      Cases.push_back(*Case);
    }
    llvm::sort(Cases);
    Cases.erase(llvm::unique(Cases), Cases.end());
    return Cases;
  }

private:
  ArrayRef<Step> Steps;
  size_t Jump;
  const CodeFunction &Function;
  const CodeMap &Map;
  /// Where the straight line begins that ends with the jump.
  size_t Line;

  std::optional<Table> findTable() const {
    const Place &Spot = Steps[Jump].Spot;
    if (Map.isFixed() && Spot.Index != NoRegister && Spot.Base == NoRegister &&
        Spot.Shift == 3)
      return Table{uint64_t(Spot.Disp), 8};
    Register Target = Steps[Jump].Dst;
    if (Target >= MostRegisters)
      return std::nullopt;
    for (size_t I = Jump; I-- != Line;) {
      const Step &S = Steps[I];
      if (S.Kind == StepKind::Add && S.Dst == Target)
        return S.Spot.IsAddress ? std::nullopt : findBase(I);
    }
    return std::nullopt;
  }

  /// The sum at \p Position is of what was read from a table and of the table.
  std::optional<Table> findBase(size_t Position) const {
    const Place &Sum = Steps[Position].Spot;
    if (Sum.Base == NoRegister || Sum.Index == NoRegister || Sum.Shift)
      return std::nullopt;
    for (size_t I = Position; I-- != Line;) {
      const Step &S = Steps[I];
      if (S.Kind != StepKind::Access || S.Access != facts::AccessKind::Read ||
          S.Size != 4 || S.Spot.Shift != 2 || S.Spot.Index == NoRegister ||
          S.Spot.Disp)
        continue;
      Register Base = S.Spot.Base;
      if (Base >= MostRegisters || (Base != Sum.Base && Base != Sum.Index))
        return std::nullopt;
      return findAddress(I, Base);
    }
    return std::nullopt;
  }

  /// What the register holds at \p Position: set in the line, or once in the
  /// function to something that looks like a table.
  std::optional<Table> findAddress(size_t Position, Register R) const {
    for (size_t I = Position; I-- != Line;) {
      if (isAddress(Steps[I], R))
        return Table{uint64_t(Steps[I].Spot.Disp), 4};
      if ((definesDst(Steps[I].Kind) && Steps[I].Dst == R) ||
          Steps[I].Clobbers >> R & 1)
        return std::nullopt;
    }
    std::optional<uint64_t> Only;
    for (const Step &S : Steps) {
      if (!isAddress(S, R) || !caseAt({uint64_t(S.Spot.Disp), 4}, 0))
        continue;
      if (Only.value_or(S.Spot.Disp) != uint64_t(S.Spot.Disp))
        return std::nullopt;
      Only = S.Spot.Disp;
    }
    return Only ? std::optional(Table{*Only, 4}) : std::nullopt;
  }

  std::optional<uint32_t> caseAt(Table Source, uint64_t I) const {
    ArrayRef<uint8_t> Bytes =
        Map.constantsFrom(Source.Address + I * Source.EntrySize);
    if (Bytes.size() < Source.EntrySize)
      return std::nullopt;
    uint64_t Target = Source.EntrySize == 8
                          ? read64le(Bytes.data())
                          : Source.Address + int32_t(read32le(Bytes.data()));
    uint64_t Offset = Target - Function.Range.Begin.Value;
    if (Offset >= Function.Bytes.size())
      return std::nullopt;
    return Offset;
  }

  /// The number that the comparison before the branch at \p Position is with.
  std::optional<uint64_t> comparedBefore(size_t Position) const {
    for (size_t I = Position; I-- != 0;) {
      const Step &S = Steps[I];
      if (S.Kind == StepKind::CompareValue)
        return S.Src == NoRegister && S.Immediate > 0
                   ? std::optional<uint64_t>(S.Immediate)
                   : std::nullopt;
      if (S.Kind == StepKind::Compare)
        return S.Spot.Base == NoRegister && S.Spot.Index == NoRegister &&
                       !S.Spot.IsAddress && S.Spot.Disp > 0
                   ? std::optional<uint64_t>(S.Spot.Disp)
                   : std::nullopt;
      if (endsLine(S) || S.Kind == StepKind::Test)
        break;
    }
    return std::nullopt;
  }

  std::optional<uint64_t> findLastCase() const {
    auto IsRange = [](const Step &S) {
      return S.Kind == StepKind::Branch && S.If == Condition::Other;
    };
    if (Line && IsRange(Steps[Line - 1]))
      return comparedBefore(Line - 1);
    // Or the line is somewhere else, and jumped to.
    uint64_t Begin = Function.Range.Begin.Value;
    uint64_t After = Line ? Begin + Steps[Line - 1].Offset : Begin;
    for (auto [I, S] : enumerate(Steps))
      if (IsRange(S) && uint64_t(S.Spot.Disp) > After &&
          uint64_t(S.Spot.Disp) <= Begin + Steps[Line].Offset)
        return comparedBefore(I);
    return std::nullopt;
  }
};

} // namespace

SmallVector<uint32_t, 8> readSwitch(ArrayRef<Step> Steps, size_t Jump,
                                    const CodeFunction &Function,
                                    const CodeMap &Map) {
  return Reader(Steps, Jump, Function, Map).read();
}

} // namespace linesman::input
