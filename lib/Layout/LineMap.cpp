// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines and pages as views of the image.

#include "linesman/Layout/LineMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cassert>

using namespace llvm;

namespace linesman::layout {

template <typename IndexT, typename SizeT>
BlockMap<IndexT, SizeT>::BlockMap(const Image &Program, SizeT Block)
    : Program(Program), Bytes(Block.Bytes) {
  for (auto [Index, S] : enumerate(Program.sections()))
    if (S.Kind == SectionKind::Data && S.Range.size())
      DataSections.push_back(
          {uint16_t(Index),
           DataSections.empty()
               ? S.Range.End
               : std::max(DataSections.back().Reach, S.Range.End)});
}

template <typename IndexT, typename SizeT>
SmallVector<OccupantIndex, 8>
BlockMap<IndexT, SizeT>::occupants(IndexT Block, OccupantIndex Hint) const {
  AddressRange Wanted = range(Block);
  SmallVector<OccupantIndex, 8> Result;
  auto FirstSection = partition_point(DataSections, [&](const DataSection &S) {
    return S.Reach <= Wanted.Begin;
  });
  for (auto [Index, Reach] : make_range(FirstSection, DataSections.end())) {
    const Section &S = Program.sections()[Index];
    if (S.Range.Begin >= Wanted.End)
      break;
    AddressRange Common = intersect(S.Range, Wanted);
    if (!Common.size())
      continue;
    ArrayRef<Occupant> All = Program.occupants();
    const OccupantIndex End = Program.firstOccupantOf(Index + 1);
    for (OccupantIndex I = Program.occupantIn(Index, Common.Begin, Hint);
         I != End && All[I].Address < Common.End; ++I)
      Result.push_back(I);
  }
  return Result;
}

template <typename IndexT, typename SizeT>
void BlockMap<IndexT, SizeT>::visit(function_ref<bool(IndexT)> Visit) const {
  uint64_t Next = 0;
  for (auto [Index, Reach] : DataSections) {
    AddressRange Range = Program.sections()[Index].Range;
    // The first block may be the last one of the section before.
    uint64_t First = std::max(Next, Range.Begin.Value / Bytes);
    uint64_t Last = (Range.End.Value - 1) / Bytes;
    for (uint64_t Block = First; Block <= Last; ++Block)
      if (!Visit({Block}))
        return;
    Next = std::max(Next, Last + 1);
  }
}

template <typename IndexT, typename SizeT>
uint64_t BlockMap<IndexT, SizeT>::count() const {
  uint64_t Count = 0, Next = 0;
  for (auto [Index, Reach] : DataSections) {
    AddressRange Range = Program.sections()[Index].Range;
    uint64_t First = std::max(Next, Range.Begin.Value / Bytes);
    uint64_t End = (Range.End.Value - 1) / Bytes + 1;
    if (First < End)
      Count += End - First;
    Next = std::max(Next, End);
  }
  return Count;
}

template class BlockMap<LineIndex, LineSize>;
template class BlockMap<PageIndex, PageSize>;

} // namespace linesman::layout
