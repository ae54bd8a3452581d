// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman.json: what a link does when it is told to.
//
//     { "outputs": { "app": { "plan": "plan.json", "lock": "layout.lock",
//                             "report": true, "max_score": 10,
//                             "fail_on": "located", "baseline": "old.json",
//                             "first_lock": true } } }
//
// "report_file" writes the report to a file (.html, .json, else text).
// Paths are relative to the file; a bare name is an output's in any folder. An
// output without an entry only passes through.

#ifndef LINESMAN_DRIVE_LINKSTEP_H
#define LINESMAN_DRIVE_LINKSTEP_H

#include "linesman/Relink/Link.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>
#include <string>
#include <vector>

namespace linesman::drive {

/// What a linesman.json asks of the link of one output.
struct LinkStep {
  /// Paths; empty is none.
  std::string Plan, Lock;
  /// A word of --fail-on; empty is no gate.
  std::string FailOn;
  /// Accepted findings, with FailOn; a path, or empty.
  std::string Baseline;
  std::optional<double> MaxScore;
  enum class Reports : uint8_t { None, Printed } Report = Reports::None;
  /// A path, or empty. The ending says the form: .html, .json, else text.
  std::string ReportFile;
  /// Whether a lock that is not there is made, and not an error.
  bool MakesFirstLock = false;
};

/// The entry of \p Output in the linesman.json \p Path; nothing if it has none.
llvm::Expected<std::optional<LinkStep>> readLinkStep(llvm::StringRef Path,
                                                     llvm::StringRef Output);

/// The words of linesman layout that write the report and judge the findings of
/// \p Output.
std::vector<std::string> layoutWords(const LinkStep &Step,
                                     llvm::StringRef Output);

/// Removes --linesman=FILE from a linker's \p Command, which only we know, and
/// returns the file; or the linesman.json beside \p Output, if there is one.
std::string takeSettings(std::vector<std::string> &Command,
                         llvm::StringRef Output);

/// Runs the link \p Call and does what \p Step asks; \p Self is this program's
/// file. Returns the exit code of the linker. What there is to say goes to
/// \p Said. An output that breaks a gate is removed.
llvm::Expected<int> runLinkStep(const LinkStep &Step, const relink::Link &Call,
                                llvm::StringRef Self, llvm::raw_ostream &Said);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_LINKSTEP_H
