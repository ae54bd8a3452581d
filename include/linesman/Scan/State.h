// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a scan knows so far: one line of JSON for each file and package,
// appended as soon as it is known. Whatever ends a scan, the next one goes on
// from it, and the states of several machines make one when they are put behind
// each other.

#ifndef LINESMAN_SCAN_STATE_H
#define LINESMAN_SCAN_STATE_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <string>
#include <vector>

namespace linesman::scan {

/// Where a file is from. Both are empty for files that are in no package.
struct Origin {
  std::string Package, Version;
};

struct ScannedFile {
  Origin Source;
  /// As it was found; in a package from its root.
  std::string Path;
  /// Of the contents: XXH3, 128 bits, hexadecimal.
  std::string Hash;
  /// In bytes.
  uint64_t Size = 0;
  /// What reading it took: seconds of processor time, and the most memory, in
  /// KiB.
  double Seconds = 0;
  uint64_t PeakKiB = 0;
  /// Of all findings (line transfers an operation, at most), also of those that
  /// are left out.
  double TotalScore = 0;
  uint64_t Hidden = 0;
  /// As linesman layout wrote them, without what a table has no room for: an
  /// object of JSON each, as text: parsed it takes ten times the memory.
  std::vector<std::string> Findings;
  /// Why there is no report of it; empty where there is one.
  std::string Problem;
  /// Why no gate can judge its report; empty where one can.
  std::string Blind = {};
};

/// A package of which every file is known: one that was given up, for its time
/// or memory, leaves it unknown.
struct ScannedPackage {
  Origin Is;
  uint64_t Files = 0;
};

class State {
public:
  /// Of the file \p Path, where it exists; later lines win. Without a path it
  /// is kept in memory only. \p Reader tells which program and options wrote a
  /// result; those of others are left out. What is no state is an error, a last
  /// line that was not finished is none.
  static llvm::Expected<State> open(llvm::StringRef Path,
                                    llvm::StringRef Reader);

  /// The result for the same contents; null where there is none yet.
  const ScannedFile *find(llvm::StringRef Hash) const;
  /// Whether all of it is known.
  bool hasPackage(llvm::StringRef Name) const;

  /// What is known already is not written again.
  llvm::Error add(ScannedFile File);
  llvm::Error add(ScannedPackage Package);

  /// By package and path.
  const std::map<std::pair<std::string, std::string>, ScannedFile> &
  files() const {
    return Files;
  }
  /// By name.
  const std::map<std::string, ScannedPackage> &packages() const {
    return Packages;
  }

private:
  std::string Path, Reader;
  std::map<std::pair<std::string, std::string>, ScannedFile> Files;
  std::map<std::string, ScannedPackage> Packages;
  /// The key of one that was read.
  llvm::StringMap<std::pair<std::string, std::string>> ByHash;

  void keep(ScannedFile File);
  llvm::Error readLine(llvm::StringRef Line);
  llvm::Error append(llvm::json::Object Line) const;
};

} // namespace linesman::scan

#endif // LINESMAN_SCAN_STATE_H
