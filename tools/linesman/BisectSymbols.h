// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second search of `linesman bisect`: over the symbols of a culprit's page,
// in a program that has each of them on pages of its own.

#ifndef LINESMAN_TOOLS_BISECTSYMBOLS_H
#define LINESMAN_TOOLS_BISECTSYMBOLS_H

#include "BisectSearch.h"
#include "Explode.h"

namespace linesman::tool {

struct SymbolSearch {
  Exploded Layout;
  bisect::Result Found;
  std::vector<std::string> Notes;
};

/// Fails for a log that would be in the way at the end of the first search,
/// whose settings are \p Pages.
llvm::Error checkSymbolLogs(const SearchSettings &Pages, const SearchField &In);

/// Links the program by \p From, and searches with the settings of the first
/// search but for the log.
llvm::Expected<SymbolSearch> searchSymbols(BisectConfig Config,
                                           const SearchSettings &Pages,
                                           const SearchField &In,
                                           const relink::Link &From,
                                           const PageCandidate &Page);

/// What the exploded layout says about the kind of sharing.
std::string explainSymbols(const SymbolSearch &Symbols);

} // namespace linesman::tool

#endif // LINESMAN_TOOLS_BISECTSYMBOLS_H
