// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the programs and libraries of a scan come from.

#ifndef LINESMAN_LIB_SCAN_PROGRAMS_H
#define LINESMAN_LIB_SCAN_PROGRAMS_H

#include "linesman/Process/Subprocess.h"
#include "linesman/Scan/State.h"

namespace linesman::scan {

/// The programs and shared objects at \p Path, a file or a folder with all
/// below it, in the order of their names. Links are not followed, and debug
/// files are left out. What cannot be read is among them. Fails for a file that
/// is neither.
llvm::Expected<std::vector<std::string>> findPrograms(llvm::StringRef Path);

/// A package with its files, which go with it.
struct Unpacked {
  process::TemporaryFolder Folder;
  Origin Is;
  /// Below it are the package's files.
  std::string Root;
};

/// Unpacks Debian's package in the file \p Path.
llvm::Expected<Unpacked> unpack(llvm::StringRef Path);
/// Downloads the package \p Name from where apt has packages from, and unpacks
/// it.
llvm::Expected<Unpacked> download(llvm::StringRef Name);

/// What an argument is.
enum class TargetKind { Path, Archive, Package };
/// Fails for what is no path and no package's name.
llvm::Expected<TargetKind> classify(llvm::StringRef Target);

/// What a file holds: XXH3, 128 bits, hexadecimal, and its bytes.
struct Content {
  std::string Hash;
  uint64_t Size = 0;
};
llvm::Expected<Content> readContent(llvm::StringRef Path);

} // namespace linesman::scan

#endif // LINESMAN_LIB_SCAN_PROGRAMS_H
