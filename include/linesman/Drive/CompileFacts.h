// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts of units whose build made none: the unit's own command, by a clang with
// the facts pass, optimised.

#ifndef LINESMAN_DRIVE_COMPILEFACTS_H
#define LINESMAN_DRIVE_COMPILEFACTS_H

#include "linesman/Drive/RunTidy.h"

namespace linesman::drive {

/// A clang and the facts pass of its release.
struct FactsTools {
  std::string Clang, Plugin;
};

/// Those beside the checks' tools, or those of this release near \p Program.
/// Fails where there are none.
llvm::Expected<FactsTools> findFactsTools(const TidyTools &Tools,
                                          llvm::StringRef Program);

/// What compiles \p Unit for its facts into \p Object. Its command is of any
/// compiler that takes GCC's options: what decides about code stays; what would
/// hide what an optimiser makes of it goes (no or little optimisation,
/// sanitizers, coverage, LTO), and so does what writes other files.
std::vector<std::string> factsCommand(const FactsTools &Tools,
                                      const CompiledUnit &Unit,
                                      llvm::StringRef Object);

/// Options that clang said it does not know.
std::vector<std::string> readUnknownOptions(llvm::StringRef Stderr);

/// Compiles \p Unit into \p Object. Fails with the compiler's first error.
llvm::Error compileFacts(const FactsTools &Tools, const CompiledUnit &Unit,
                         llvm::StringRef Object);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_COMPILEFACTS_H
