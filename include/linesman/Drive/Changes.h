// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a branch changes: lines of files, and the units that see them.

#ifndef LINESMAN_DRIVE_CHANGES_H
#define LINESMAN_DRIVE_CHANGES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace linesman::drive {

/// First and last, from 1.
struct LineRange {
  uint32_t First = 0, Last = 0;
};

struct Changes {
  /// The repository's root; whole path.
  std::string Root;
  /// By path from the root. A new file has one range with all lines.
  std::map<std::string, std::vector<LineRange>> Files;

  bool contains(llvm::StringRef File, uint32_t Line) const;
};

/// Of "git diff -U0": "+++ b/path" and "@@ -a,b +c,d @@".
std::map<std::string, std::vector<LineRange>> parseDiff(llvm::StringRef Text);

/// Between the merge base of HEAD and \p Revision, and the files as they are,
/// new ones too.
llvm::Expected<Changes> readChanges(llvm::StringRef Revision);

/// Those of \p Units (whole paths) that changed or include, also through other
/// files of the repository, what did. By the names in #include lines alone: a
/// unit may be too many, and one that includes a generated header that includes
/// a changed one is missed.
llvm::Expected<std::vector<bool>>
findAffected(const Changes &Changed, llvm::ArrayRef<std::string> Units);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_CHANGES_H
