// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What checks would change in the source, as a patch that `git apply` and
// `patch -p1` take.

#ifndef LINESMAN_REPORT_PATCH_H
#define LINESMAN_REPORT_PATCH_H

#include "linesman/Report/Document.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::report {

/// Adds the edits of one fix to \p Fixes, each once. False, and nothing is
/// added, where one changes lines that \p Fixes changes otherwise: half a fix
/// may be wrong.
[[nodiscard]] bool addFix(llvm::ArrayRef<FindingEdit> Fix,
                          std::vector<FindingEdit> &Fixes);

/// The lines that an edit takes away and those that it puts there, with "-" and
/// "+" in front.
void writeEdit(const FindingEdit &Edit, llvm::raw_ostream &OS);

/// The fixes of all findings of \p Report as one unified diff, with paths from
/// the root of \p Tree. In front of it, which patch programs pass over, are the
/// findings that it is for, and those whose fix changes the same lines
/// otherwise, which is left out; nothing at all where none has a fix. Fails
/// where a file cannot be read, or is not what the checks have seen.
llvm::Error writePatch(const Document &Report, const SourceRoot &Tree,
                       llvm::raw_ostream &OS);

} // namespace linesman::report

#endif // LINESMAN_REPORT_PATCH_H
