// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second search of `linesman bisect`: over the symbols of a culprit's page,
// in a program or library that has each of them on pages of its own.

#ifndef LINESMAN_DRIVE_BISECTSYMBOLS_H
#define LINESMAN_DRIVE_BISECTSYMBOLS_H

#include "linesman/Drive/BisectSearch.h"
#include "linesman/Drive/Explode.h"

namespace linesman::drive {

/// A link, and the module of the process that it made: the program or one of
/// its libraries.
struct LinkedModule {
  relink::Link Original;
  std::string Path;
  input::Binary Binary;
};

/// The module that \p Original makes: the one with its output's path, else with
/// its name, else the program, where it is a program's link. Fails when there
/// is none that is searched, and when nothing of it can be told apart, all
/// before the first window. \p Notes gets what can only in part.
llvm::Expected<LinkedModule> findLinked(relink::Link Original,
                                        const SearchSettings &Pages,
                                        const SearchField &Field,
                                        std::vector<std::string> &Notes);

struct SymbolSearch {
  Exploded Layout;
  bisect::Result Found;
  std::vector<std::string> Notes;
};

/// Fails for a log that would be in the way at the end of the first search,
/// whose settings are \p Pages.
llvm::Error checkSymbolLogs(const SearchSettings &Pages,
                            const SearchField &Field,
                            const LinkedModule &Linked);

/// Links the module again, and searches with the settings of the first search
/// but for the log.
llvm::Expected<SymbolSearch>
searchSymbols(BisectConfig Config, const SearchSettings &Pages,
              const SearchField &Field, const LinkedModule &Linked,
              const PageCandidate &Page, SearchListener &Listener);

/// What the exploded layout says about the kind of sharing.
std::string explainSymbols(const SymbolSearch &Symbols);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_BISECTSYMBOLS_H
