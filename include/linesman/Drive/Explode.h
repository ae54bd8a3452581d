// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the page to the symbol: one relink that gives every symbol of the page
// pages of its own turns the search over pages into one over symbols.

#ifndef LINESMAN_DRIVE_EXPLODE_H
#define LINESMAN_DRIVE_EXPLODE_H

#include "linesman/Drive/BisectSetup.h"
#include "linesman/Relink/Link.h"

namespace linesman::drive {

struct Exploded {
  /// The symbols, each with its pages in the new binary.
  std::vector<PageCandidate> Symbols;
  /// Objects of the page that can not have pages of their own: the tool
  /// chain's, and what shares an input section.
  std::vector<std::string> Left;
};

/// The link command in \p File.
llvm::Expected<relink::Link> readLinkCommand(llvm::StringRef File);

/// For each of \p Pages why its symbols can not be told apart, as far as the
/// link's inputs tell, which are read for it; nothing where they can.
llvm::Expected<std::vector<std::string>>
findInseparable(const input::Binary &Binary,
                llvm::ArrayRef<PageCandidate> Pages,
                const relink::Link &Original, llvm::StringRef Output);

/// Links \p Output, by the link that made \p Binary.
llvm::Expected<Exploded> explodePage(const input::Binary &Binary,
                                     const PageCandidate &Page,
                                     const relink::Link &Original,
                                     llvm::StringRef Output);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_EXPLODE_H
