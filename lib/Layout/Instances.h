// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings of what one template makes: they have one cause in the source, and
// one cure.

#ifndef LINESMAN_LIB_LAYOUT_INSTANCES_H
#define LINESMAN_LIB_LAYOUT_INSTANCES_H

#include "linesman/Layout/Finding.h"
#include "linesman/Layout/LineMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <vector>

namespace linesman::layout {

/// Is told of findings in their order.
class TemplateInstances {
public:
  /// Whether there was another instance's finding at the same place. \p Name is
  /// what a demangler says, of a variable or a type, and \p Place a line or a
  /// member of it.
  bool isLater(llvm::StringRef Name, llvm::StringRef Place);

private:
  llvm::StringSet<> Seen;
};

/// For each of \p Ranked, looked at in \p Order, whether it is.
std::vector<bool> findLaterInstances(const Image &Program, const LineMap &Lines,
                                     llvm::ArrayRef<RankedLine> Ranked,
                                     llvm::ArrayRef<uint32_t> Order);

} // namespace linesman::layout

#endif // LINESMAN_LIB_LAYOUT_INSTANCES_H
