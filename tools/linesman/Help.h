// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the option tables say to people: --help, and the same as man pages, as
// completions of shells and as a page of the manual.

#ifndef LINESMAN_TOOLS_HELP_H
#define LINESMAN_TOOLS_HELP_H

#include "OptionTable.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::tool {

/// A use of a command, as somebody would type it, and what it is for.
struct Example {
  llvm::StringRef Line, Purpose;
};
/// At least one for each command.
llvm::ArrayRef<Example> examplesOf(llvm::StringRef Command);

/// Purpose, usage, options in groups, examples. \p Overview is the purpose with
/// the command's name before it.
void writeHelp(const OptionTable &Table, llvm::StringRef Overview,
               llvm::raw_ostream &OS);

/// One command's part of the document \p Form: "man", "markdown", "bash",
/// "zsh", "fish". Nothing for another form.
void describe(const OptionTable &Table, llvm::StringRef Overview,
              llvm::StringRef Form, llvm::raw_ostream &OS);

struct CommandName {
  llvm::StringRef Name, Summary;
};
/// What stands before and behind the parts of all commands. For "man" this is
/// the page of the program itself; each command's is a page of its own.
void describeBegin(llvm::StringRef Form, llvm::ArrayRef<CommandName> Commands,
                   llvm::raw_ostream &OS);
void describeEnd(llvm::StringRef Form, llvm::raw_ostream &OS);
bool isDescription(llvm::StringRef Form);

} // namespace linesman::tool

#endif // LINESMAN_TOOLS_HELP_H
