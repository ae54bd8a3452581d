// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The commands and what they share. Commands.def has the table.

#ifndef LINESMAN_TOOLS_COMMANDS_H
#define LINESMAN_TOOLS_COMMANDS_H

#include "linesman/Report/Document.h"
#include "options/Describe.h"
#include "terminal/Startup.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::tool {

using enum terminal::ExitCode;

/// The words of one command line, whose second one is the command's name.
using Arguments = llvm::ArrayRef<const char *>;

#define COMMAND(NAME, RUN, ...) llvm::Expected<int> RUN(Arguments Args);
#include "Commands.def"

struct Command {
  llvm::StringLiteral Name;
  /// The exit code; an error is Failure.
  llvm::Expected<int> (*Run)(Arguments Args);
  llvm::StringLiteral Purpose;
  options::Example Examples[3];
};

/// Null where there is no command of this name.
const Command *findCommand(llvm::StringRef Name);

/// Parses the options that the caller declared, in their subcommand. Does not
/// return where they ask for help or for a document: those are on stdout then.
llvm::Error parseOptions(Arguments Args);

/// The same where what is behind "--" is somebody else's: it goes into
/// \p Program as it is.
llvm::Error parseOptions(Arguments Args, llvm::cl::list<std::string> &Program);

/// Prints "linesman: warning: ...".
void warn(llvm::StringRef Text);

/// Fails with "--OPTION=VALUE: expected a power of two from A to B".
llvm::Error checkPowerOfTwo(llvm::StringRef Option, uint64_t Value,
                            uint64_t Least, uint64_t Most);

/// Fails where \p Value, not empty, is no regular expression.
llvm::Error checkRegex(llvm::StringRef Option, llvm::StringRef Value);

/// Columns of text on \p Output: the terminal's, from 80 (a line's picture) to
/// 160, or those of files and pipes.
size_t textColumns(llvm::StringRef Output);

} // namespace linesman::tool

#endif // LINESMAN_TOOLS_COMMANDS_H
