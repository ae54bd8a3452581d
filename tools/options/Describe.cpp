// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Documents that are made from the option tables: a form is one row of the
// table at the end.

#include "options/Describe.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace linesman::options {

namespace {

using Names = ArrayRef<CommandName>;

/// \p Text with \p Escape before each of \p Special.
std::string escape(StringRef Text, StringRef Special, StringRef Escape) {
  std::string Result;
  for (char C : Text) {
    if (Special.contains(C))
      Result += Escape;
    Result += C;
  }
  return Result;
}

// Manual pages, as man(7) has them. A dash is a hyphen unless it is escaped,
// and a dot that begins a line is a request.
std::string roff(StringRef Text) {
  std::string Result = escape(Text, "\\-", "\\");
  return (StringRef(Result).starts_with(".") ? "\\&" : "") + Result;
}

void beginMan(Names Commands, StringRef Version, raw_ostream &OS) {
  OS << ".TH LINESMAN 1 \"\" \"linesman " << Version
     << "\"\n"
        ".SH NAME\nlinesman \\- find cache lines that cores fight over\n"
        ".SH SYNOPSIS\n.B linesman\n.I COMMAND\n[\\fIOPTIONS\\fR]\n"
        ".SH COMMANDS\n";
  for (const CommandName &C : Commands)
    OS << ".TP\n.BR linesman\\-" << C.Name << " (1)\n"
       << roff(C.Summary) << '\n';
  OS << ".SH EXIT STATUS\n"
        ".TP\n0\ndone\n"
        ".TP\n1\na gate found something, or there is a difference\n"
        ".TP\n2\nan error, or a gate that could not see\n";
}

void man(const OptionTable &Table, const CommandPage &Page, raw_ostream &OS) {
  OS << ".TH LINESMAN\\-" << Table.command().upper() << " 1 \"\" \"linesman "
     << Page.Version << "\"\n.SH NAME\nlinesman\\-" << Table.command()
     << " \\- " << roff(Page.Purpose) << "\n.SH SYNOPSIS\n.B linesman "
     << Table.command() << "\n[\\fIOPTIONS\\fR] " << roff(Table.wanted())
     << '\n';
  for (const OptionGroup &Group : Table.groups()) {
    OS << ".SH " << Group.Title.upper() << '\n';
    for (const OptionRow &Row : Group.Rows) {
      OS << ".TP\n\\fB" << roff(Row.flag()) << "\\fR";
      if (Row.takesValue())
        OS << (Row.name().size() == 1 ? " " : "=") << "\\fI"
           << roff(Row.value()) << "\\fR";
      OS << '\n' << roff(Row.Option->HelpStr) << '\n';
    }
  }
  OS << ".SH EXAMPLES\n";
  for (const Example &E : Page.Examples)
    OS << ".TP\n.B " << roff(E.Line) << '\n' << roff(E.Purpose) << '\n';
  OS << ".SH SEE ALSO\n.BR linesman (1)\n";
}

// The page of the manual.
void beginMarkdown(Names Commands, StringRef, raw_ostream &OS) {
  OS << "# Reference\n\nMade from the program's own tables. [The command "
        "line](cli.md) says more about each.\n\n";
  for (const CommandName &C : Commands)
    OS << formatv("- [{0}](#linesman-{0}): {1}\n", C.Name, C.Summary);
}

/// A bar would end the cell of a table.
std::string cell(StringRef Text) {
  std::string Result = escape(Text, "|<>*", "\\");
  return Result;
}

void markdown(const OptionTable &Table, const CommandPage &Page,
              raw_ostream &OS) {
  OS << "\n## linesman " << Table.command() << "\n\n"
     << Page.Purpose << "\n\n```\nlinesman " << Table.command() << " [OPTIONS]";
  if (!Table.wanted().empty())
    OS << ' ' << Table.wanted();
  OS << "\n```\n";
  for (const OptionGroup &Group : Table.groups()) {
    OS << "\n| " << Group.Title << " | |\n|---|---|\n";
    for (const OptionRow &Row : Group.Rows) {
      OS << "| `" << Row.flag();
      if (Row.takesValue())
        OS << (Row.name().size() == 1 ? " " : "=")
           << escape(Row.value(), "|", "\\");
      OS << "` | " << cell(Row.Option->HelpStr) << " |\n";
    }
  }
  OS << "\n```sh\n";
  for (const Example &E : Page.Examples)
    OS << E.Line << "   # " << E.Purpose << '\n';
  OS << "```\n";
}

// bash: words of the command, then files.
void beginBash(Names Commands, StringRef, raw_ostream &OS) {
  OS << "# bash completion for linesman; made by 'linesman help "
        "--describe=bash'\n"
        "_linesman() {\n"
        "  local word=${COMP_WORDS[COMP_CWORD]} options='' values='' i\n"
        "  COMPREPLY=()\n"
        "  # What is behind -- is another program's.\n"
        "  for ((i = 2; i < COMP_CWORD; i++)); do\n"
        "    [[ ${COMP_WORDS[i]} == -- ]] && compopt -o default && return\n"
        "  done\n"
        "  if ((COMP_CWORD == 1)); then\n"
        "    COMPREPLY=($(compgen -W '";
  for (const CommandName &C : Commands)
    OS << C.Name << ' ';
  OS << "--help --version' -- \"$word\"))\n    return\n  fi\n"
        "  # bash takes = for a word of its own.\n"
        "  local option=${COMP_WORDS[COMP_CWORD-1]}\n"
        "  [[ $word == = ]] && word=''\n"
        "  [[ ${COMP_WORDS[COMP_CWORD-1]} == = ]] && "
        "option=${COMP_WORDS[COMP_CWORD-2]}\n"
        "  [[ ${COMP_WORDS[COMP_CWORD]} != = ]] || "
        "option=${COMP_WORDS[COMP_CWORD-1]}\n"
        "  case ${COMP_WORDS[1]} in\n";
}

void bash(const OptionTable &Table, const CommandPage &, raw_ostream &OS) {
  OS << "  " << Table.command() << ")\n    options='";
  for (const OptionGroup &Group : Table.groups())
    for (const OptionRow &Row : Group.Rows)
      OS << Row.flag()
         << (Row.takesValue() && Row.name().size() > 1 ? "= " : " ");
  OS << "--help'\n";
  bool HasChoices = false;
  for (const OptionRow &Row : Table.rows())
    if (!Row.Choices.empty()) {
      if (!std::exchange(HasChoices, true))
        OS << "    case $option in\n";
      OS << "    " << Row.flag() << ") values='" << join(Row.Choices, " ")
         << "' ;;\n";
    }
  if (HasChoices)
    OS << "    esac\n";
  OS << "    ;;\n";
}

void endBash(raw_ostream &OS) {
  OS << "  esac\n"
        "  if [[ -n $values ]]; then\n"
        "    COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
        "  elif [[ $word == -* ]]; then\n"
        "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
        "    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace\n"
        "  else\n"
        "    compopt -o default\n"
        "  fi\n"
        "}\n"
        "complete -F _linesman linesman\n";
}

// zsh: _arguments, with the help beside each.
std::string zshText(StringRef Text) {
  std::string Quoted;
  for (char C : Text) {
    if (C == '\'')
      Quoted += "'\\'";
    else if (StringRef("[]:\\").contains(C))
      Quoted += '\\';
    Quoted += C;
  }
  return Quoted;
}

void beginZsh(Names Commands, StringRef, raw_ostream &OS) {
  OS << "#compdef linesman\n# made by 'linesman help --describe=zsh'\n"
        "_linesman() {\n"
        "  local -a commands\n  commands=(\n";
  for (const CommandName &C : Commands)
    OS << "    '" << C.Name << ':' << zshText(C.Summary) << "'\n";
  OS << "  )\n"
        "  if ((CURRENT == 2)); then\n"
        "    _describe command commands\n    return\n  fi\n"
        "  local command=$words[2]\n"
        "  shift words\n  ((CURRENT--))\n"
        "  case $command in\n";
}

void zsh(const OptionTable &Table, const CommandPage &, raw_ostream &OS) {
  OS << "  " << Table.command() << ")\n    _arguments -S";
  for (const OptionGroup &Group : Table.groups())
    for (const OptionRow &Row : Group.Rows) {
      OS << " \\\n      '" << (Row.isRepeatable() ? "*" : "") << Row.flag();
      if (Row.takesValue())
        OS << (Row.name().size() == 1 ? "+" : "=");
      OS << '[' << zshText(Row.Option->HelpStr) << ']';
      if (!Row.takesValue())
        ;
      else if (!Row.Choices.empty())
        OS << ':' << Row.name() << ":(" << join(Row.Choices, " ") << ')';
      else
        OS << ':' << zshText(Row.value()) << ":_files";
      OS << '\'';
    }
  OS << " \\\n      '--help[options of this command]' '*:file:_files'\n    "
        ";;\n";
}

void endZsh(raw_ostream &OS) { OS << "  esac\n}\n_linesman \"$@\"\n"; }

// fish: a line for each option.
std::string fishText(StringRef Text) {
  return "'" + escape(Text, "'\\", "\\") + "'";
}

void beginFish(Names Commands, StringRef, raw_ostream &OS) {
  OS << "# fish completion for linesman; made by 'linesman help "
        "--describe=fish'\n";
  for (const CommandName &C : Commands)
    OS << "complete -c linesman -n __fish_use_subcommand -f -a " << C.Name
       << " -d " << fishText(C.Summary) << '\n';
}

void fish(const OptionTable &Table, const CommandPage &, raw_ostream &OS) {
  for (const OptionGroup &Group : Table.groups())
    for (const OptionRow &Row : Group.Rows) {
      OS << "complete -c linesman -n '__fish_seen_subcommand_from "
         << Table.command() << "' " << (Row.name().size() == 1 ? "-s " : "-l ")
         << Row.name();
      if (!Row.Choices.empty())
        OS << " -x -a " << fishText(join(Row.Choices, " "));
      else if (Row.takesValue())
        OS << " -r";
      OS << " -d " << fishText(Row.Option->HelpStr) << '\n';
    }
}

struct Form {
  StringLiteral Name;
  void (*Begin)(Names, StringRef Version, raw_ostream &);
  void (*Part)(const OptionTable &, const CommandPage &, raw_ostream &);
  void (*End)(raw_ostream &);
};

constexpr Form Forms[] = {
    {"man", beginMan, man, nullptr},
    {"markdown", beginMarkdown, markdown, nullptr},
    {"bash", beginBash, bash, endBash},
    {"zsh", beginZsh, zsh, endZsh},
    {"fish", beginFish, fish, nullptr},
};

const Form *findForm(StringRef Name) {
  auto Found = find_if(Forms, [&](const Form &F) { return F.Name == Name; });
  return Found == std::end(Forms) ? nullptr : Found;
}

} // namespace

bool isDescription(StringRef Form) { return findForm(Form); }

void describeBegin(StringRef Form, Names Commands, StringRef Version,
                   raw_ostream &OS) {
  if (const auto *F = findForm(Form))
    F->Begin(Commands, Version, OS);
}

void describe(StringRef Form, const OptionTable &Table, const CommandPage &Page,
              raw_ostream &OS) {
  if (const auto *F = findForm(Form))
    F->Part(Table, Page, OS);
}

void describeEnd(StringRef Form, raw_ostream &OS) {
  if (const auto *F = findForm(Form); F && F->End)
    F->End(OS);
}

} // namespace linesman::options
