// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman COMMAND: Commands.def is the table of contents.

#include "Commands.h"
#include "linesman/Drive/LinkerPlace.h"
#include "linesman/Guard/Suggest.h"
#include "linesman/Guard/Text.h"
#include "options/Describe.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Program.h"
#include <malloc.h>

using namespace llvm;
using namespace linesman::terminal;
using namespace linesman::tool;
namespace options = linesman::options;

namespace {

constexpr Command Table[] = {
#define COMMAND(NAME, RUN, PURPOSE, ...) {NAME, RUN, PURPOSE, {__VA_ARGS__}},
#include "Commands.def"
};

void printUsage(raw_ostream &OS) {
  OS << "usage: linesman COMMAND [OPTIONS]\n\n"
        "Finds cache lines that several cores fight over.\n\n"
        "commands:\n";
  for (const Command &C : Table)
    OS << "  " << left_justify(C.Name, 10) << C.Purpose << '\n';
  OS << "\n'linesman help COMMAND' shows a command's options and examples, "
        "'linesman explain WORD' what a word of a report means\n";
}

Error unknownCommand(StringRef Name) {
  linesman::guard::Suggestion Meant(Name);
  for (const Command &C : Table)
    Meant.consider(C.Name);
  if (Name.starts_with("-")) {
    for (StringRef Option : {"--help", "--version"})
      Meant.consider(Option);
    return createStringError("unknown option '" + Name + "'" + Meant.text() +
                             "; 'linesman help' lists the commands");
  }
  return createStringError("unknown command '" + Name + "'" + Meant.text() +
                           "; 'linesman help' lists the commands");
}

/// The document \p Form of all commands. The options of a command exist only
/// while it runs, so each writes its part in a process of its own.
Error describeAll(StringRef Form) {
  std::vector<options::CommandName> Names;
  for (const Command &C : Table)
    Names.push_back({C.Name, C.Purpose});
  std::string Self = sys::fs::getMainExecutable(nullptr, nullptr);
  std::string Option = ("--describe=" + Form).str();
  options::describeBegin(Form, Names, LINESMAN_VERSION, outs());
  // A manual page is one command's.
  for (const options::CommandName &C : Names) {
    if (Form == "man")
      break;
    outs().flush();
    std::string Problem;
    int Code = sys::ExecuteAndWait(Self, {Self, C.Name, Option}, std::nullopt,
                                   {}, 0, 0, &Problem);
    if (Code < 0)
      return createFileError(Self, createStringError(Problem));
  }
  options::describeEnd(Form, outs());
  return Error::success();
}

Expected<int> runAsLinker(Arguments Words) {
  linesman::guard::PrintableStream Said(errs());
  // What the linker says comes in between.
  Said.SetUnbuffered();
  return linesman::drive::actAsLinker(
      Words, sys::fs::getMainExecutable(nullptr, nullptr), Said);
}

Expected<int> run(Arguments Args) {
  if (!Args.empty() && linesman::drive::isLinkerName(Args[0]))
    return runAsLinker(Args);
  StringRef Name = Args.size() > 1 ? Args[1] : "";
  if (Name == "--version") {
    outs() << "linesman " LINESMAN_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
    return Success;
  }
  if (Name == "--help" || Name == "-h") {
    printUsage(outs());
    return Success;
  }
  // The command's own name stays in Args[1]: that is how the options'
  // subcommand is found.
  if (const Command *Found = findCommand(Name))
    return Found->Run(Args);
  if (!Name.empty())
    return unknownCommand(Name);
  errs() << "linesman: error: no command\n\n";
  printUsage(errs());
  return Failure;
}

} // namespace

const Command *linesman::tool::findCommand(StringRef Name) {
  const Command *Found =
      find_if(Table, [&](const Command &C) { return C.Name == Name; });
  return Found == std::end(Table) ? nullptr : Found;
}

Expected<int> linesman::tool::runHelp(Arguments Args) {
  cl::SubCommand Sub{"help"};
  cl::opt<std::string> Asked{cl::Positional, cl::desc("[COMMAND]"),
                             cl::sub(Sub)};
  StringRef Form = Args.size() == 3 ? Args[2] : "";
  if (Form.consume_front("--describe-all=")) {
    if (!options::isDescription(Form))
      return createStringError("--describe-all=" + Form +
                               ": expected man, markdown, bash, zsh or fish");
    if (Error E = describeAll(Form))
      return std::move(E);
    return Success;
  }
  if (Error E = parseOptions(Args))
    return std::move(E);
  if (!Asked.getNumOccurrences()) {
    printUsage(outs());
    return Success;
  }
  const Command *Found = findCommand(Asked);
  if (!Found)
    return unknownCommand(Asked);
  const char *Words[] = {Args[0], Found->Name.data(), "--help"};
  return Found->Run(Words);
}

/// Large arrays come and go, and what one leaves goes back to the system: by
/// default glibc keeps up to 32 MB of it, in pieces that the next one does not
/// fit into.
static void giveBackArrays() {
#ifdef M_MMAP_THRESHOLD
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

int main(int argc, char **argv) {
  if (prepareStandardFiles())
    return Failure;
  giveBackArrays();
  IgnoredSignals Ignored;
  setBugReportMsg("linesman: a defect of linesman; please report it with the "
                  "lines below and the command\n");
  InitLLVM Init(argc, argv);
  handleSignals(Ignored);
  checkStreamsAtExit();
  Expected<int> Code = run(ArrayRef(argv, argc));
  endProcess(Code ? *Code : fail(Code.takeError()));
}
