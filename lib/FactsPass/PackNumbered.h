// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What few edges and uses of pointers have, as bytes: of each function that has
// any, its reference, and for those their numbers and what it is.

#ifndef LINESMAN_LIB_FACTSPASS_PACKNUMBERED_H
#define LINESMAN_LIB_FACTSPASS_PACKNUMBERED_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::facts {

/// Those of \p All whose \p Member is not empty, which \p Write writes.
template <typename ListT, typename PartT, typename OwnerT, typename WriterT>
void writeNumbered(const ListT &All, PartT OwnerT::*Member, WriterT Write,
                   llvm::raw_ostream &OS) {
  auto Has = [&](const OwnerT &One) { return bool(One.*Member); };
  llvm::encodeULEB128(llvm::count_if(All, Has), OS);
  for (auto [Number, One] : llvm::enumerate(All))
    if (Has(One)) {
      llvm::encodeULEB128(Number, OS);
      Write(One.*Member);
    }
}

} // namespace linesman::facts

#endif // LINESMAN_LIB_FACTSPASS_PACKNUMBERED_H
