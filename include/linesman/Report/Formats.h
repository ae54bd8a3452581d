// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats for other people's tools: each visits a document, whatever command it
// is of.

#ifndef LINESMAN_REPORT_FORMATS_H
#define LINESMAN_REPORT_FORMATS_H

#include "linesman/Report/Document.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::report {

/// SARIF 2.1.0 (OASIS): one run with all findings. A finding without a place in
/// the source has a logical location only.
void writeSarif(const Document &Report, llvm::StringRef Version,
                llvm::raw_ostream &OS);

/// GitLab's code quality report, an array. Returns how many findings are not in
/// it, as they have no place in the source and the format wants one.
size_t writeGitLab(const Document &Report, llvm::raw_ostream &OS);

/// For a pull request: a heading, what changed, and of each finding the line as
/// a picture, its fields and what was measured.
void writeMarkdown(const Document &Report, llvm::raw_ostream &OS);

/// The line of \p Found with its bytes and fields, indented by nothing. Nothing
/// where the finding has no line.
void writeLinePicture(const Finding &Found, llvm::raw_ostream &OS);

/// A rule of SARIF and a check's name in GitLab.
struct Rule {
  std::string Id;
  llvm::StringRef Summary, Help;
};
/// The checks' rules, and one for each kind of sharing.
std::vector<Rule> allRules();
/// The Id of the rule that \p Found breaks.
std::string ruleOf(const Finding &Found);

} // namespace linesman::report

#endif // LINESMAN_REPORT_FORMATS_H
