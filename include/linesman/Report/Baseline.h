// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is new or worse than what was accepted, whatever command found it.

#ifndef LINESMAN_REPORT_BASELINE_H
#define LINESMAN_REPORT_BASELINE_H

#include "linesman/Report/Document.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::report {

/// Gives each finding of \p Now its state, and \p Now its comparison: new is a
/// finding whose identity \p Accepted does not have; worse, one on a higher
/// rung, or with a score that is higher by more than a tenth. Several findings
/// of one identity count together, by the sum of their scores. Of what only one
/// side has, layout::matchLines says whether it is one line by two names.
void compare(Document &Now, const Document &Accepted);

/// Fails where both are of one binary, and most of what both name is defined in
/// other files: names like 'requests' are in many programs, and the findings of
/// one must not be accepted with those of another.
llvm::Error checkSameProgram(const Document &Now, const Document &Accepted);

/// Findings of \p Report on \p Least or above that fail a gate: all, or with a
/// comparison those that are new or worse. What was refuted fails nothing.
std::vector<const Finding *> findFailing(const Document &Report,
                                         layout::Rung Least);

/// Made to be committed: identities, rungs, scores and who is on the line,
/// sorted, and the names of the binary and of the source files; no folders,
/// lines or addresses.
void writeBaseline(const Document &Accepted, llvm::raw_ostream &OS);

} // namespace linesman::report

#endif // LINESMAN_REPORT_BASELINE_H
