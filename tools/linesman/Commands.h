// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands and what they share: exit codes, output, errors. main.cpp has
// the table.

#ifndef LINESMAN_TOOLS_COMMANDS_H
#define LINESMAN_TOOLS_COMMANDS_H

#include "linesman/Input/ReadBinary.h"
#include "linesman/Layout/Lock.h"
#include "linesman/Plan/Plan.h"
#include "linesman/Relink/Relink.h"
#include "linesman/Report/Document.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::tool {

/// What every command returns.
enum ExitCode : int {
  Success = 0,
  /// --fail-on found something.
  Found = 1,
  Failure = 2,
};

/// The arguments of one command: argv[0] is "linesman COMMAND".
using Arguments = llvm::ArrayRef<const char *>;

int runAb(Arguments Args);
int runHunt(Arguments Args);
int runDoctor(Arguments Args);
int runExplain(Arguments Args);
int runFindings(Arguments Args);
int runTidy(Arguments Args);
int runLayout(Arguments Args);
int runDiff(Arguments Args);
int runLock(Arguments Args);
int runPlan(Arguments Args);
int runRecord(Arguments Args);
int runRelink(Arguments Args);
int runRun(Arguments Args);
int runPlace(Arguments Args);
int runPages(Arguments Args);
int runDirty(Arguments Args);
int runBisect(Arguments Args);
int runWatch(Arguments Args);
int runCapture(Arguments Args);

/// Whether the program was called by a linker's name, and being that linker.
bool isLinkerName(llvm::StringRef Program);
int runAsLinker(Arguments Args);

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
/// Links and does what \p Step asks. Returns the exit code of a linker.
int runLinkStep(const LinkStep &Step, const relink::Link &What);

/// The report of linesman layout, with its defaults.
llvm::Error printLayout(llvm::StringRef Binary, llvm::raw_ostream &OS);

/// Lines of a binary as a report of linesman layout has them, in this order.
llvm::Expected<std::vector<report::Finding>>
documentLines(llvm::StringRef Path, const input::Binary &Binary,
              layout::LineSize Line,
              llvm::ArrayRef<layout::LineFinding> Findings);

/// Reads a plan; the error names the file.
llvm::Expected<plan::Plan> readPlanFile(llvm::StringRef Path);
/// What \p Binary is against the lock in a file. \p Tolerance as in
/// layout::checkLock.
llvm::Expected<layout::LockCheck>
checkLockFile(llvm::StringRef Lock, llvm::StringRef Binary,
              input::FactsFrom Facts = input::FactsFrom::Auto,
              double Tolerance = layout::DefaultTolerance);
/// A line for each symbol of each edit.
void printApplied(llvm::ArrayRef<relink::AppliedEdit> Applied,
                  llvm::raw_ostream &OS);

/// Parses the options that the caller declared, in their subcommand. Nothing
/// on bad options (said on stderr); prints help and exits with 0 on --help.
bool parseOptions(Arguments Args, llvm::StringRef Overview);

/// The same where what is behind "--" is somebody else's: it goes into
/// \p Command as it is.
bool parseOptions(Arguments Args, llvm::StringRef Overview,
                  llvm::cl::list<std::string> &Command);

/// Prints "linesman: error: ..." for each error and returns Failure.
int fail(llvm::Error E);

/// Fails with "--OPTION=VALUE: expected a power of two from A to B".
llvm::Error checkPowerOfTwo(llvm::StringRef Option, uint64_t Value,
                            uint64_t Least, uint64_t Most);

/// The tree that a report's paths are of: \p Given, or the one that we are in.
llvm::Expected<report::SourceRoot> findSourceRoot(llvm::StringRef Given);

/// Fails for a path that writeOutput could not write to: for commands that take
/// long.
llvm::Error checkOutput(llvm::StringRef Path);

/// Writes a whole result to stdout, or to a file that appears only when it is
/// complete. An empty path or "-" is stdout.
llvm::Error writeOutput(llvm::StringRef Path,
                        llvm::function_ref<void(llvm::raw_ostream &)> Write);

} // namespace linesman::tool

#endif // LINESMAN_TOOLS_COMMANDS_H
