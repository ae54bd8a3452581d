// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Backwards from the jump, in straight lines: what was added to the register,
// what was read before, from where, and which comparison decided that the jump
// is reached. A table has no end of its own: a comparison of what picks its
// entry says how many cases there are. One of anything else says nothing, and
// a case that leads out of the function is none.
//
//     cmp  edi, 6                     (7 cases)
//     ja   .default
//     mov  eax, edi
//     lea  rdx, [rip + table]
//     movsxd rax, [rdx + 4*rax]       (entry rax of the table)
//     add  rax, rdx
//     jmp  rax

#include "SwitchTables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using support::endian::read32le;
using support::endian::read64le;

namespace linesman::input {

namespace {

/// Entries of one table that are read: of generated code there are more, and of
/// those each is as good as the others.
constexpr uint64_t MostEntries = 4096;

struct Table {
  uint64_t Address;
  /// Bytes of an entry: 4 for a distance from the table, 8 for an address.
  unsigned EntrySize;
};

/// Which entry of a table is read: by this register, at this step.
struct TableRead {
  Table Source;
  Register Index;
  size_t Position;
};

/// Where a number comes from: a register as it was behind a step, or memory at
/// a distance from there.
struct Origin {
  Register R;
  std::optional<Place> Memory;
  /// The first of the steps that leave the register as it is.
  size_t Since = 0;

  /// A register that is not followed may be any, and is equal to none.
  bool operator==(const Origin &Other) const {
    return R == Other.R && (R < MostRegisters || R == NoRegister) &&
           Since == Other.Since &&
           Memory.has_value() == Other.Memory.has_value() &&
           (!Memory || (Memory->Disp == Other.Memory->Disp &&
                        Memory->IsAddress == Other.Memory->IsAddress &&
                        Memory->IsOwn == Other.Memory->IsOwn));
  }
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
      : Steps(Steps), Jump(Jump), Function(Function), Map(Map),
        Line(lineBefore(Jump)) {}

  SmallVector<uint32_t, 8> read() const {
    std::optional<TableRead> Read = findTable();
    std::optional<uint64_t> Last = Read ? findLastCase(*Read) : std::nullopt;
    SmallVector<uint32_t, 8> Cases;
    if (!Last || *Last >= MostEntries)
      return Cases;
    for (uint64_t I = 0; I <= *Last; ++I) {
      std::optional<uint32_t> Case = caseAt(Read->Source, I);
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

  /// Where the straight line begins that ends before \p Position.
  size_t lineBefore(size_t Position) const {
    while (Position && !endsLine(Steps[Position - 1]))
      --Position;
    return Position;
  }

  std::optional<TableRead> findTable() const {
    const Place &Spot = Steps[Jump].Spot;
    if (Map.isFixed() && Spot.Index != NoRegister && Spot.Base == NoRegister &&
        Spot.Shift == 3)
      return TableRead{{uint64_t(Spot.Disp), 8}, Spot.Index, Jump};
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
  std::optional<TableRead> findBase(size_t Position) const {
    const Place &Sum = Steps[Position].Spot;
    if (Sum.Base == NoRegister || Sum.Index == NoRegister || Sum.Shift ||
        Sum.Factor != NoRegister)
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
      std::optional<Table> Source = findAddress(I, Base);
      return Source ? std::optional(TableRead{*Source, S.Spot.Index, I})
                    : std::nullopt;
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

  /// Goes back from \p Position over copies, and over one load, to \p Begin at
  /// most.
  Origin follow(Origin Source, size_t Position, size_t Begin) const {
    while (Source.R < MostRegisters && Position != Begin) {
      const Step &S = Steps[--Position];
      bool IsDefined = definesDst(S.Kind) && S.Dst == Source.R;
      if (!IsDefined && !(S.Clobbers >> Source.R & 1))
        continue;
      bool IsCopy =
          S.Kind == StepKind::Add && !S.Spot.IsAddress && !S.Spot.Disp;
      bool IsLoad = S.Kind == StepKind::Load || S.Kind == StepKind::Access ||
                    S.Kind == StepKind::Reload;
      if (S.Kind == StepKind::Clobber && S.Src < MostRegisters) {
        Source.R = S.Src;
      } else if (IsDefined && S.Spot.Index == NoRegister &&
                 (IsCopy || (IsLoad && !Source.Memory))) {
        if (IsLoad)
          Source.Memory = S.Spot;
        Source.R = S.Spot.Base;
      } else {
        Source.Since = Position + 1;
        return Source;
      }
      while (Position != Begin && Steps[Position - 1].Offset == S.Offset)
        --Position;
    }
    Source.Since = Source.R < MostRegisters ? Begin : 0;
    return Source;
  }

  /// The number that the comparison before the branch at \p Position is with,
  /// if it compares what \p Read takes for its index.
  std::optional<uint64_t> comparedBefore(size_t Position,
                                         const TableRead &Read) const {
    size_t I = Position;
    auto IsComparison = [](const Step &S) {
      return S.Kind == StepKind::CompareValue || S.Kind == StepKind::Compare ||
             S.Kind == StepKind::Test;
    };
    while (I && !endsLine(Steps[I - 1]) && !IsComparison(Steps[I - 1]))
      --I;
    if (!I || endsLine(Steps[I - 1]))
      return std::nullopt;
    const Step &S = Steps[--I];
    std::optional<int64_t> Last;
    if (S.Kind == StepKind::CompareValue && S.Src == NoRegister)
      Last = S.Immediate;
    else if (S.Kind == StepKind::Compare && S.Spot.Base == NoRegister &&
             S.Spot.Index == NoRegister && !S.Spot.IsAddress)
      Last = S.Spot.Disp;
    if (Last.value_or(0) <= 0)
      return std::nullopt;

    Origin Index = follow({Read.Index, std::nullopt}, Read.Position, Line);
    if (Index.R < MostRegisters && Index.Since != Line)
      return std::nullopt;
    Index = follow(Index, Position, I);
    if (Index.R < MostRegisters && Index.Since != I)
      return std::nullopt;
    bool IsMemory = S.Kind == StepKind::CompareValue && S.Dst == NoRegister;
    if (IsMemory && S.Spot.Index != NoRegister)
      return std::nullopt;
    Origin Compared =
        IsMemory ? Origin{S.Spot.Base, S.Spot} : Origin{S.Dst, std::nullopt};
    size_t Begin = lineBefore(I);
    return follow(Index, I, Begin) == follow(Compared, I, Begin)
               ? std::optional<uint64_t>(*Last)
               : std::nullopt;
  }

  std::optional<uint64_t> findLastCase(const TableRead &Read) const {
    auto IsRange = [](const Step &S) {
      return S.Kind == StepKind::Branch && S.If == Condition::Other;
    };
    if (Line && IsRange(Steps[Line - 1]))
      return comparedBefore(Line - 1, Read);
    // Or the line is somewhere else, and jumped to.
    uint64_t Begin = Function.Range.Begin.Value;
    uint64_t After = Line ? Begin + Steps[Line - 1].Offset : Begin;
    for (auto [I, S] : enumerate(Steps))
      if (IsRange(S) && uint64_t(S.Spot.Disp) > After &&
          uint64_t(S.Spot.Disp) <= Begin + Steps[Line].Offset)
        return comparedBefore(I, Read);
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
