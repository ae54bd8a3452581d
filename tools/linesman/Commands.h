// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands and what they share: exit codes, output, errors. main.cpp has
// the table.

#ifndef LINESMAN_TOOLS_COMMANDS_H
#define LINESMAN_TOOLS_COMMANDS_H

#include "linesman/Drive/LinkStep.h"
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
int runScan(Arguments Args);
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

/// Links and does what \p Step asks. Returns the exit code of a linker.
int runLinkStep(const drive::LinkStep &Step, const relink::Link &Command);

/// The report of linesman layout, with its defaults.
llvm::Error printLayout(llvm::StringRef Binary, llvm::raw_ostream &OS);

/// Parses the options that the caller declared, in their subcommand. Nothing
/// on bad options (said on stderr); prints help and exits with 0 on --help.
bool parseOptions(Arguments Args, llvm::StringRef Overview);

/// The same where what is behind "--" is somebody else's: it goes into
/// \p Command as it is.
bool parseOptions(Arguments Args, llvm::StringRef Overview,
                  llvm::cl::list<std::string> &Command);

/// Prints "linesman: warning: ...".
void warn(llvm::StringRef Text);

/// Prints "linesman: error: ..." for each error and returns Failure.
int fail(llvm::Error E);

/// Fails with "--OPTION=VALUE: expected a power of two from A to B".
llvm::Error checkPowerOfTwo(llvm::StringRef Option, uint64_t Value,
                            uint64_t Least, uint64_t Most);

/// Fails where \p Value, not empty, is no regular expression.
llvm::Error checkRegex(llvm::StringRef Option, llvm::StringRef Value);

/// The tree that a report's paths are of: \p Given, or the one that we are in.
llvm::Expected<report::SourceRoot> findSourceRoot(llvm::StringRef Given);

/// How wide text on \p Output is: as the terminal, from 80 (a line's
/// picture) to 160 columns, or
/// as files and pipes have it.
size_t textColumns(llvm::StringRef Output);

} // namespace linesman::tool

#endif // LINESMAN_TOOLS_COMMANDS_H
