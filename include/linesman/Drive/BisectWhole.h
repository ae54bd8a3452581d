// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The search from its first start to the symbol: what can be searched, the
// pages, and with a link the symbols of each page that costs.

#ifndef LINESMAN_DRIVE_BISECTWHOLE_H
#define LINESMAN_DRIVE_BISECTWHOLE_H

#include "linesman/Drive/BisectSymbols.h"

namespace linesman::drive {

struct WholeSearch {
  SearchField Field;
  bisect::Result Pages;
  /// Why "no effect" would say too much; empty where it would not.
  std::string CannotTell;
  /// One for each culprit of Pages; nothing where its symbols were not
  /// searched.
  std::vector<std::optional<SymbolSearch>> Symbols;
  std::vector<std::string> Notes;

  bool isStopped() const { return Pages.Outcome == bisect::Verdict::Stopped; }
};

/// \p Selectors as readField has them, \p Original the link of the program or
/// of one of its libraries.
llvm::Expected<WholeSearch> searchWhole(const BisectConfig &Config,
                                        const SearchSettings &Settings,
                                        llvm::StringRef Selectors,
                                        std::optional<relink::Link> Original,
                                        SearchListener &Listener);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_BISECTWHOLE_H
