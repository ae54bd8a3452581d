// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Standing in for a linker. A folder of links to this program, named like
// linkers, goes first in COMPILER_PATH; compiler drivers look there. Who is
// called so writes down the link, and then runs the real linker or does not.
//
//     driver ─▶ FOLDER/bin/ld.lld (this program) ─▶ FOLDER/link-000001.json
//                                                └▶ the real ld.lld

#ifndef LINESMAN_RELINK_CAPTURELINK_H
#define LINESMAN_RELINK_CAPTURELINK_H

#include "linesman/Relink/Link.h"
#include "llvm/Support/Error.h"

namespace linesman::relink {

/// The environment of a process that stands in for a linker.
inline constexpr llvm::StringLiteral CaptureVariable = "LINESMAN_CAPTURE";
/// Set when the link is only to be written down.
inline constexpr llvm::StringLiteral CaptureOnlyVariable =
    "LINESMAN_CAPTURE_ONLY";

/// A captured link and what it made.
struct CapturedLink {
  Link Captured;
  /// As an absolute path.
  std::string Output;
};

/// The links in a folder after a build; builds that link nothing anew leave
/// those of earlier ones.
struct CapturedBuild {
  std::vector<CapturedLink> Links;
  /// How many the build added.
  size_t Added = 0;
};

/// Runs \p Build with our stdin, stdout and stderr, and returns the captured
/// links in \p Folder, at least one. \p Self is this program's file.
llvm::Expected<CapturedBuild> captureBuild(llvm::ArrayRef<std::string> Build,
                                           llvm::StringRef Folder,
                                           llvm::StringRef Self);

/// Called as a linker: writes \p Command down in \p Folder. Temporary objects,
/// which the driver will delete, are kept there.
llvm::Error recordLink(Link Command, llvm::StringRef Folder);

/// The captured links in \p Folder, in the order in which they ran; the last of
/// each output.
llvm::Expected<std::vector<CapturedLink>>
readCapturedLinks(llvm::StringRef Folder);

/// The last captured link whose output is \p Output (a path, or its end). Fails
/// with the outputs that there are.
llvm::Expected<Link> findCapturedLink(llvm::StringRef Folder,
                                      llvm::StringRef Output);

/// The linker's command that the driver's command \p Original would run,
/// without running it; \p Folder keeps what it needs. Nothing when the driver
/// called no linker that it looks up.
llvm::Expected<std::optional<Link>>
learnLink(const Link &Original, llvm::StringRef Folder, llvm::StringRef Self);

/// The real linker of the name \p Name: beside the program that called us, as a
/// driver would look it up, or in PATH; never this program.
llvm::Expected<std::string> findRealLinker(llvm::StringRef Name,
                                           llvm::StringRef Self);

} // namespace linesman::relink

#endif // LINESMAN_RELINK_CAPTURELINK_H
