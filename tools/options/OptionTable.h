// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of a command as one table. Commands declare theirs with LLVM's
// cl::opt, whose registry is the table; parsing, --help, man pages, completions
// and the reference all read it here. cl's own parser is not used: it says what
// is wrong on stderr in words of its own.

#ifndef LINESMAN_TOOLS_OPTIONS_OPTIONTABLE_H
#define LINESMAN_TOOLS_OPTIONS_OPTIONTABLE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CommandLine.h"
#include <initializer_list>
#include <string>
#include <vector>

namespace linesman::options {

struct OptionRow {
  llvm::cl::Option *Option;
  /// The words that it takes; empty: any.
  llvm::SmallVector<llvm::StringRef> Choices;

  llvm::StringRef name() const { return Option->ArgStr; }
  /// "-o" or "--format".
  std::string flag() const;
  bool takesValue() const;
  /// Whether every use adds to the others.
  bool isRepeatable() const;
  /// What stands behind it: "file", "text|json"; empty for a flag.
  std::string value() const;
};

/// Options of all commands that belong together, in this order, so that what is
/// alike looks alike.
struct Grouping {
  llvm::StringLiteral Title;
  std::initializer_list<llvm::StringLiteral> Names;
};

/// Those of one command.
struct OptionGroup {
  llvm::StringRef Title;
  std::vector<OptionRow> Rows;
};

class OptionTable {
public:
  /// Of the options that are declared in the subcommand \p Command; they and
  /// \p Groupings must live as long.
  OptionTable(llvm::StringRef Command, llvm::ArrayRef<Grouping> Groupings);

  llvm::StringRef command() const { return Command; }
  llvm::ArrayRef<OptionRow> rows() const { return Rows; }
  /// None that is hidden, and no empty group. Options that no grouping names
  /// come last.
  std::vector<OptionGroup> groups() const;
  const OptionRow *find(llvm::StringRef Name) const;
  /// In the order in which they were declared.
  llvm::ArrayRef<llvm::cl::Option *> positionals() const { return Positionals; }
  /// "PID SELECTOR=NODE": what a command wants besides options.
  std::string wanted() const;

private:
  llvm::StringRef Command;
  llvm::ArrayRef<Grouping> Groupings;
  std::vector<OptionRow> Rows;
  llvm::SmallVector<llvm::cl::Option *> Positionals;
};

} // namespace linesman::options

#endif // LINESMAN_TOOLS_OPTIONS_OPTIONTABLE_H
