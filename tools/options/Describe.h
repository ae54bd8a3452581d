// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Documents that are made from option tables: man pages, completions of shells
// and a page of the manual.

#ifndef LINESMAN_TOOLS_OPTIONS_DESCRIBE_H
#define LINESMAN_TOOLS_OPTIONS_DESCRIBE_H

#include "options/OptionTable.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::options {

/// A use of a command, as somebody would type it, and what it is for.
struct Example {
  llvm::StringRef Line, Purpose;
};

/// What is said of a command besides its options.
struct CommandPage {
  /// "accept the layout of a binary".
  llvm::StringRef Purpose;
  llvm::ArrayRef<Example> Examples;
  /// Of the program.
  llvm::StringRef Version;
};

struct CommandName {
  llvm::StringRef Name, Summary;
};

/// "man", "markdown", "bash", "zsh" and "fish". Nothing is written in another.
bool isDescription(llvm::StringRef Form);

/// One command's part of the document.
void describe(llvm::StringRef Form, const OptionTable &Table,
              const CommandPage &Page, llvm::raw_ostream &OS);

/// What stands before and behind the parts of all commands. For "man" this is
/// the page of the program itself; each command's is a page of its own.
void describeBegin(llvm::StringRef Form, llvm::ArrayRef<CommandName> Commands,
                   llvm::StringRef Version, llvm::raw_ostream &OS);
void describeEnd(llvm::StringRef Form, llvm::raw_ostream &OS);

} // namespace linesman::options

#endif // LINESMAN_TOOLS_OPTIONS_DESCRIBE_H
