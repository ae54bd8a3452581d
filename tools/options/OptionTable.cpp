// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "options/OptionTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace linesman::options {

namespace {

/// cl knows an option's words only by its parser, which has no common base. An
/// option without a name has its words for names, and lists them.
SmallVector<StringRef> choices(cl::Option &Option) {
  SmallVector<StringRef> Words;
  StringRef Name = std::exchange(Option.ArgStr, StringRef());
  Option.getExtraOptionNames(Words);
  Option.ArgStr = Name;
  return Words;
}

cl::SubCommand *findSubCommand(StringRef Command) {
  for (cl::SubCommand *S : cl::getRegisteredSubcommands())
    if (S->getName() == Command)
      return S;
  return nullptr;
}

} // namespace

std::string OptionRow::flag() const {
  return ((name().size() == 1 ? "-" : "--") + name()).str();
}

bool OptionRow::takesValue() const {
  return Option->getValueExpectedFlag() == cl::ValueRequired;
}

bool OptionRow::isRepeatable() const {
  cl::NumOccurrencesFlag Flag = Option->getNumOccurrencesFlag();
  return Flag == cl::ZeroOrMore || Flag == cl::OneOrMore;
}

std::string OptionRow::value() const {
  if (!takesValue())
    return "";
  if (!Choices.empty())
    return join(Choices, "|");
  return Option->ValueStr.empty() ? "value" : Option->ValueStr.str();
}

OptionTable::OptionTable(StringRef Command, ArrayRef<Grouping> Groupings)
    : Command(Command), Groupings(Groupings) {
  cl::SubCommand *Found = findSubCommand(Command);
  if (!Found)
    return;
  for (auto &[Name, Option] : Found->OptionsMap)
    // Not those that LLVM gives to every command.
    if (Name == Option->ArgStr &&
        !is_contained(Option->Subs, &cl::SubCommand::getAll()))
      Rows.push_back({Option, choices(*Option)});
  llvm::sort(Rows, [](const OptionRow &A, const OptionRow &B) {
    return A.name() < B.name();
  });
  append_range(Positionals, Found->PositionalOpts);
}

const OptionRow *OptionTable::find(StringRef Name) const {
  auto Found =
      find_if(Rows, [&](const OptionRow &Row) { return Row.name() == Name; });
  return Found == Rows.end() ? nullptr : &*Found;
}

std::vector<OptionGroup> OptionTable::groups() const {
  std::vector<OptionGroup> Result;
  OptionGroup Others{"others", {}};
  for (const OptionRow &Row : Rows)
    if (Row.Option->getOptionHiddenFlag() == cl::NotHidden &&
        none_of(Groupings, [&](const Grouping &G) {
          return is_contained(G.Names, Row.name());
        }))
      Others.Rows.push_back(Row);
  for (const Grouping &G : Groupings) {
    OptionGroup Group{G.Title, {}};
    for (StringRef Name : G.Names)
      if (const OptionRow *Row = find(Name);
          Row && Row->Option->getOptionHiddenFlag() == cl::NotHidden)
        Group.Rows.push_back(*Row);
    if (!Group.Rows.empty())
      Result.push_back(std::move(Group));
  }
  if (!Others.Rows.empty())
    Result.push_back(std::move(Others));
  return Result;
}

std::string OptionTable::wanted() const {
  std::string Result;
  for (const cl::Option *Positional : Positionals)
    Result += (" " + Positional->HelpStr.rtrim('.')).str();
  return StringRef(Result).ltrim().str();
}

} // namespace linesman::options
