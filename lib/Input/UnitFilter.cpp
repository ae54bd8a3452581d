// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks for addresses in sections, as bytes.

#include "UnitFilter.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFObject.h"
#include "llvm/DebugInfo/DWARF/DWARFSection.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"
#include "llvm/Support/Endian.h"
#include <cstring>

using namespace llvm;
using support::endian::read32le;
using support::endian::read64le;

namespace linesman::input {

/// On AArch64 compilers merge variables of a unit, and find them by a distance
/// from the first that one instruction reaches.
static constexpr uint64_t MergedDistance = 4095;

UnitFilter::UnitFilter(DWARFContext &Context, std::vector<uint64_t> Sought)
    : Addresses(std::move(Sought)),
      MostDistance(Context.getArch() == Triple::aarch64 ? MergedDistance : 0) {
  llvm::sort(Addresses);
  const DWARFObject &Sections = Context.getDWARFObj();
  Sections.forEachInfoSections([&](const DWARFSection &S) { Info = S.Data; });
  Table = Sections.getAddrSection().Data;

  const char *Cursor = Info.data(), *End = Cursor + Info.size();
  constexpr size_t OpSize = 1 + sizeof(uint64_t);
  while (size_t(End - Cursor) >= OpSize) {
    Cursor = static_cast<const char *>(std::memchr(
        Cursor, dwarf::DW_OP_addr, End - Cursor - sizeof(uint64_t)));
    if (!Cursor)
      break;
    if (isNear(read64le(++Cursor)))
      InInfo.push_back(Cursor - Info.data());
  }
  for (size_t I = 0; I + sizeof(uint64_t) <= Table.size();
       I += sizeof(uint64_t))
    if (isNear(read64le(Table.data() + I)))
      InTable.push_back(I);
  assert(is_sorted(InInfo) && is_sorted(InTable) && "they are searched");
}

bool UnitFilter::isNear(uint64_t Address) const {
  auto Next = llvm::lower_bound(Addresses, Address);
  return Next != Addresses.end() && *Next - Address <= MostDistance;
}

static bool hasBetween(ArrayRef<uint64_t> Sorted, uint64_t Begin,
                       uint64_t End) {
  auto First = llvm::lower_bound(Sorted, Begin);
  return First != Sorted.end() && *First < End;
}

bool UnitFilter::mayHave(DWARFUnit &Unit) const {
  if (hasBetween(InInfo, Unit.getOffset(), Unit.getNextUnitOffset()))
    return true;
  // The base is an attribute of the unit.
  if (!Unit.getUnitDIE())
    return false;
  std::optional<uint64_t> Base = Unit.getAddrOffsetSectionBase();
  if (!Base)
    return false;
  // Its length stands before the table, in the form that linkers keep. DWARF of
  // 64 bits is rare: what follows in the table may then belong to other units.
  uint64_t End = Table.size();
  constexpr uint64_t HeaderSize = 8, LengthSize = 4;
  if (Unit.getVersion() >= 5 && Unit.getFormParams().Format == dwarf::DWARF32 &&
      *Base >= HeaderSize && *Base <= Table.size()) {
    uint64_t Length = read32le(Table.data() + *Base - HeaderSize);
    End = std::min(End, *Base - HeaderSize + LengthSize + Length);
  }
  return hasBetween(InTable, *Base, End);
}

} // namespace linesman::input
