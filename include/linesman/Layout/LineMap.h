// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which occupants share a cache line, and which a page. Both are the same
// question asked with another block size, so both are one template; the index
// types keep them apart.
//
//     occupants   |--nil_root--|hole|log_level|------table------|
//     lines       |      line 257         |      line 258       |

#ifndef LINESMAN_LAYOUT_LINEMAP_H
#define LINESMAN_LAYOUT_LINEMAP_H

#include "linesman/Layout/Image.h"
#include "llvm/ADT/SmallVector.h"
#include <algorithm>

namespace linesman::layout {

/// A line's or a page's number: its address divided by the block size.
struct LineIndex {
  uint64_t Value = 0;
  friend auto operator<=>(LineIndex, LineIndex) = default;
};
struct PageIndex {
  uint64_t Value = 0;
  friend auto operator<=>(PageIndex, PageIndex) = default;
};

/// Maps the Data sections of an image to blocks of 2^n bytes. Holds no table:
/// occupants are sorted, so every answer is a search.
template <typename IndexT, typename SizeT> class BlockMap {
public:
  BlockMap(const Image &Program, SizeT Block);

  uint64_t blockSize() const { return Bytes; }
  IndexT indexOf(LinkAddress Address) const { return {Address.Value / Bytes}; }
  AddressRange range(IndexT Block) const {
    LinkAddress Begin{Block.Value * Bytes};
    // A range can not end at 2^64; no section has that last byte.
    return {Begin, {std::max(Begin.Value + Bytes, Begin.Value | (Bytes - 1))}};
  }

  /// The occupants with a byte in the block, in address order; sections may
  /// end and begin inside it. \p Hint as in Image::occupantIn.
  llvm::SmallVector<OccupantIndex, 8> occupants(IndexT Block,
                                                OccupantIndex Hint = 0) const;

  /// Calls \p Visit once for every block that has an occupant, in address
  /// order, for as long as it returns true.
  void visit(llvm::function_ref<bool(IndexT)> Visit) const;

  /// Number of blocks that have an occupant.
  uint64_t count() const;

private:
  const Image &Program;
  uint64_t Bytes;
  /// The Data sections that have bytes, by address.
  struct DataSection {
    uint16_t Index;
    /// Where the last of those up to here ends: damaged files have sections
    /// that overlap.
    LinkAddress Reach;
  };
  std::vector<DataSection> DataSections;
};

using LineMap = BlockMap<LineIndex, LineSize>;
using PageMap = BlockMap<PageIndex, PageSize>;

extern template class BlockMap<LineIndex, LineSize>;
extern template class BlockMap<PageIndex, PageSize>;

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_LINEMAP_H
