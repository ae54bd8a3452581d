// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman COMMAND: the table below is the table of contents.

#include "Commands.h"
#include "Startup.h"
#include "linesman/Guard/Suggest.h"
#include "options/Describe.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace linesman::tool;
namespace options = linesman::options;

namespace {

struct Command {
  StringLiteral Name;
  StringLiteral Summary;
  int (*Run)(Arguments Args);
};

int runHelp(Arguments Args);

constexpr Command Commands[] = {
    {"layout", "lines and pages of a binary, what shares them, ranked findings",
     runLayout},
    {"scan", "the layout of many programs and packages as one ranked table",
     runScan},
    {"diff", "whose neighbours changed between two binaries, or against a lock",
     runDiff},
    {"lock", "accept the line-mates of a binary, for diff --lock", runLock},
    {"plan", "edits that would fix findings, and what they cost", runPlan},
    {"relink", "link again with symbols on lines of their own, and verify it",
     runRelink},
    {"capture", "run a build and record its links, for relink --captured",
     runCapture},
    {"tidy", "the checks over a build, side by side, as a gate", runTidy},
    {"findings", "convert findings of any rung, such as clang-tidy's results",
     runFindings},
    {"run", "a program under the shim, with a placement", runRun},
    {"place", "move static pages of a running program", runPlace},
    {"pages", "where every static page of a process is", runPages},
    {"dirty", "which static pages are being written", runDirty},
    {"bisect", "which static page, then which symbol, makes it slow",
     runBisect},
    {"ab", "two commands measured in turn: which is faster, by how much",
     runAb},
    {"hunt", "find, watch, cost: the whole ladder, told on one page", runHunt},
    {"doctor", "what this machine and container allow, and what to change",
     runDoctor},
    {"watch", "who touches this line of a running process", runWatch},
    {"record", "who touched what: ground truth of an instrumented program",
     runRecord},
    {"help", "what a command does, its options, and examples", runHelp},
    {"explain", "the page of a check, or what a word of a report means",
     runExplain},
};

void printUsage(raw_ostream &OS) {
  OS << "usage: linesman COMMAND [OPTIONS]\n\n"
        "Finds cache lines that several cores fight over.\n\n"
        "commands:\n";
  for (const Command &C : Commands)
    OS << "  " << left_justify(C.Name, 10) << C.Summary << '\n';
  OS << "\n'linesman help COMMAND' shows a command's options and examples, "
        "'linesman explain WORD' what a word of a report means\n";
}

const Command *findCommand(StringRef Name) {
  const Command *Found =
      find_if(Commands, [&](const Command &C) { return C.Name == Name; });
  return Found == std::end(Commands) ? nullptr : Found;
}

Error unknownCommand(StringRef Name) {
  linesman::guard::Suggestion Meant(Name);
  for (const Command &C : Commands)
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
int describeAll(StringRef Form) {
  std::vector<options::CommandName> Names;
  for (const Command &C : Commands)
    Names.push_back({C.Name, C.Summary});
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
      return fail(createFileError(Self, createStringError(Problem)));
  }
  options::describeEnd(Form, outs());
  return Success;
}

int runHelp(Arguments Args) {
  cl::SubCommand Sub{"help", "What a command does"};
  cl::opt<std::string> Wanted{cl::Positional, cl::desc("[COMMAND]"),
                              cl::sub(Sub)};
  StringRef Form = Args.size() == 3 ? Args[2] : "";
  if (Form.consume_front("--describe-all=")) {
    if (options::isDescription(Form))
      return describeAll(Form);
    return fail(
        createStringError("--describe-all=" + Form +
                          ": expected man, markdown, bash, zsh or fish"));
  }
  if (!parseOptions(Args, "linesman help: what a command does, its options, "
                          "and examples\n"))
    return Failure;
  if (!Wanted.getNumOccurrences()) {
    printUsage(outs());
    return Success;
  }
  const Command *Found = findCommand(Wanted);
  if (!Found)
    return fail(unknownCommand(Wanted));
  std::string Name = Found->Name.str();
  const char *Asked[] = {Args[0], Name.c_str(), "--help"};
  return Found->Run(Asked);
}

} // namespace

int main(int argc, char **argv) {
  if (prepareStandardFiles())
    return Failure;
  IgnoredSignals Ignored;
  setBugReportMsg("linesman: a defect of linesman; please report it with the "
                  "lines below and the command\n");
  InitLLVM Init(argc, argv);
  handleSignals(Ignored);
  checkStreamsAtExit();
  if (argc && isLinkerName(argv[0]))
    return runAsLinker(ArrayRef(argv, argc));
  StringRef Name = argc > 1 ? argv[1] : "";
  if (Name == "--version") {
    outs() << "linesman " LINESMAN_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
    return Success;
  }
  if (Name == "--help" || Name == "-h") {
    printUsage(outs());
    return Success;
  }
  // The command's own name stays in argv[1]: that is how the options'
  // subcommand is found.
  if (const Command *Found = findCommand(Name))
    return Found->Run(ArrayRef(argv, argc));
  if (!Name.empty())
    return fail(unknownCommand(Name));
  errs() << "linesman: error: no command\n\n";
  printUsage(errs());
  return Failure;
}
