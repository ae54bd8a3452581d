// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks over a build, with the facts of its units, as one list:
//
//     build ─▶ tools ─▶ canary ─▶ units ─▶ checks, side by side ───┐
//                                   └────▶ facts, built or compiled ┴▶ list

#ifndef LINESMAN_DRIVE_CHECKBUILD_H
#define LINESMAN_DRIVE_CHECKBUILD_H

#include "linesman/Drive/GatherFacts.h"
#include "linesman/Report/Merge.h"

namespace linesman::drive {

struct CheckRequest {
  /// Of compile_commands.json; empty for the first one that findBuild() knows.
  std::string Build;
  /// Only these units; empty for all.
  std::vector<std::string> Files;
  /// Only units that see what changed since this revision, and findings on
  /// lines that did; empty for all.
  std::string Since;
  /// As findTidyTools() takes them.
  std::string ClangTidy, Plugin, Program;
  /// Globs, as clang-tidy has them.
  std::string Checks;
  UnitFacts Facts = UnitFacts::Compiled;
  /// Units at one time.
  unsigned Jobs = 1;
  /// What the caller is going to write. Fails where that is read.
  std::vector<std::string> Outputs;
};

struct CheckedBuild {
  report::MergedFindings Findings;
  /// What was not looked at or is not in the list, for a reader of it.
  std::vector<std::string> Notes;
  /// Units of which the checks have not seen all: what was found holds all the
  /// same.
  llvm::Error Incomplete = llvm::Error::success();
};

/// After each unit, one call at a time: what was done with it ("checked",
/// "compiled for their facts"), how many are done, how many there are, which
/// one.
using UnitProgress =
    llvm::function_ref<void(llvm::StringRef, size_t, size_t, llvm::StringRef)>;

llvm::Expected<CheckedBuild> checkBuild(const CheckRequest &Request,
                                        UnitProgress Done);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_CHECKBUILD_H
