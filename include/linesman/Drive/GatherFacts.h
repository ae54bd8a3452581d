// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts of a build's units, for one list with what the checks say.

#ifndef LINESMAN_DRIVE_GATHERFACTS_H
#define LINESMAN_DRIVE_GATHERFACTS_H

#include "linesman/Drive/CompileFacts.h"
#include "linesman/Report/Merge.h"

namespace linesman::drive {

enum class UnitFacts : uint8_t {
  Compiled, ///< Of objects that have some; other units are compiled for them.
  Built,    ///< Of objects that have some.
  None,
};

struct FactsRequest {
  UnitFacts Source = UnitFacts::Compiled;
  /// The folder of the build where all its units are asked for; else empty.
  std::string WholeBuild;
  /// At one time.
  unsigned Jobs = 1;
};

struct GatheredFacts {
  std::vector<report::FindingsList> Lists;
  llvm::StringMap<std::string> Contradicted;
  /// Whether who runs what is known: units may be of several programs.
  bool IsOneProgram = true;
  /// Which units nothing is known of, and why.
  std::vector<std::string> Notes;
};

/// Facts support, rank and contradict what checks say, so that missing ones are
/// a note and no failure. \p Done is called after each compiled unit with how
/// many are done and how many there are, one call at a time.
GatheredFacts
gatherFacts(llvm::ArrayRef<CompiledUnit> Units, const FactsRequest &Request,
            llvm::function_ref<llvm::Expected<FactsTools>()> FindTools,
            llvm::function_ref<void(size_t, size_t, llvm::StringRef)> Done);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_GATHERFACTS_H
