// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks over a build: which units, which clang-tidy with which plugin, and
// proof that the checks run.

#ifndef LINESMAN_DRIVE_RUNTIDY_H
#define LINESMAN_DRIVE_RUNTIDY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace linesman::drive {

/// A clang-tidy and the plugin of its release.
struct TidyTools {
  std::string ClangTidy, Plugin;
  unsigned Major = 0;
};

/// \p ClangTidy and \p Plugin as the user gave them, or empty. The plugin is
/// looked for near \p Program, this program's path: in a build tree and in an
/// installed one. Without \p ClangTidy, the one of the release that this
/// program was built with comes first. Fails where a clang-tidy has no plugin
/// of its release, with the way out.
llvm::Expected<TidyTools> findTidyTools(llvm::StringRef ClangTidy,
                                        llvm::StringRef Plugin,
                                        llvm::StringRef Program);

/// Where builds and packages have a plugin of a release, seen from \p Program,
/// this program's path; empty where they have none.
std::string findPlugin(llvm::StringRef Program, llvm::StringRef Name,
                       unsigned Major);

/// Runs the checks over code that one of them is known to report. Fails where
/// it does not: what says nothing then proves nothing.
/// Fails also where none of linesman's checks is among \p Checks, globs as
/// clang-tidy has them.
llvm::Error proveChecksRun(const TidyTools &Tools, llvm::StringRef Checks);

/// An entry of compile_commands.json; whole paths.
struct CompiledUnit {
  std::string File, Folder;
  /// Where the build puts it; empty where the entry does not say.
  std::string Object;
  /// The compiler's words; empty where the entry has none.
  std::vector<std::string> Command;
};

/// By its name.
bool isAssembly(const CompiledUnit &Unit);

/// The folder of compile_commands.json: \p Given, or the first of ".", "build"
/// and the folders above that has one.
llvm::Expected<std::string> findBuild(llvm::StringRef Given);
/// Each file once, in the file's order.
llvm::Expected<std::vector<CompiledUnit>> readUnits(llvm::StringRef Build);

/// What clang-tidy made of one unit.
struct UnitResult {
  std::string File;
  /// What it exported (YAML); empty without any diagnostic.
  std::string Exported;
  /// Why the unit was not checked; empty where it was.
  std::string Problem;
  /// Options of the build's compiler that clang does not know.
  std::vector<std::string> LeftOut;
};

struct TidyRun {
  std::string Build, Checks;
  /// At one time.
  unsigned Jobs = 1;
};

/// In the order of \p Units. \p Done is called after each unit with how many
/// are done and how many there are, one call at a time. All headers are looked
/// at, whatever the project's HeaderFilterRegex says.
llvm::Expected<std::vector<UnitResult>>
runTidy(const TidyTools &Tools, const TidyRun &Run,
        llvm::ArrayRef<CompiledUnit> Units,
        llvm::function_ref<void(size_t, size_t, llvm::StringRef)> Done);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_RUNTIDY_H
