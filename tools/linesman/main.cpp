// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman COMMAND: the table below is the table of contents.

#include "Commands.h"
#include "linesman/Control/Process.h"
#include "linesman/Guard/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::tool;
using linesman::control::Descriptor;

namespace {

struct Command {
  StringLiteral Name;
  StringLiteral Summary;
  int (*Run)(Arguments Args);
};

constexpr Command Commands[] = {
    {"layout", "lines and pages of a binary, what shares them, ranked findings",
     runLayout},
    {"diff", "whose neighbours changed between two binaries, or against a lock",
     runDiff},
    {"lock", "accept the line-mates of a binary, for diff --lock", runLock},
    {"plan", "edits that would fix findings, and what they cost", runPlan},
    {"relink", "link again with symbols on lines of their own, and verify it",
     runRelink},
    {"capture", "run a build and record its links, for relink --captured",
     runCapture},
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
};

void printUsage(raw_ostream &OS) {
  OS << "usage: linesman COMMAND [OPTIONS]\n\n"
        "Finds cache lines that several cores fight over.\n\n"
        "commands:\n";
  for (const Command &C : Commands)
    OS << "  " << left_justify(C.Name, 10) << C.Summary << '\n';
  OS << "\n'linesman COMMAND --help' lists a command's options\n";
}

/// Where stderr leads, while LLVM's parser has another one.
int RealStderr = -1;

void restoreStderr() {
  if (RealStderr < 0)
    return;
  ::dup2(RealStderr, STDERR_FILENO);
  ::close(RealStderr);
  RealStderr = -1;
}

/// Parses, and keeps what LLVM's parser says: its parsers of values know no
/// stream but stderr, and what they say of a positional argument fails nothing.
bool parse(Arguments Args, StringRef Overview, std::string &Text) {
  Descriptor Said(::memfd_create("linesman-options", MFD_CLOEXEC));
  RealStderr = ::fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
  ::dup2(Said.get(), STDERR_FILENO);
  bool IsGood =
      cl::ParseCommandLineOptions(Args.size(), Args.data(), Overview, &errs());
  restoreStderr();
  Text.resize(std::max<off_t>(0, ::lseek(Said.get(), 0, SEEK_END)));
  Text.resize(
      std::max<ssize_t>(0, ::pread(Said.get(), Text.data(), Text.size(), 0)));
  return IsGood && Text.empty();
}

/// " PID SELECTOR=NODE": what a command wants besides options.
std::string positionals(StringRef Name) {
  std::string Result;
  for (const cl::SubCommand *S : cl::getRegisteredSubcommands())
    if (S->getName() == Name)
      for (const cl::Option *Wanted : S->PositionalOpts)
        Result += (" " + Wanted->HelpStr.rtrim('.')).str();
  return Result;
}

/// From "linesman: Unknown argument '-x'.  Try: 'linesman --help'" to what this
/// program says.
std::string reword(StringRef Said, StringRef Program, StringRef Command) {
  std::string Result;
  SmallVector<StringRef> Lines;
  Said.split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines) {
    Line.consume_front((Program + ": ").str());
    Line = Line.take_front(Line.find(" Try: "));
    Line = Line.take_front(Line.find(" See: ")).trim().rtrim("!.:");
    if (Line.empty() || Line.starts_with("Must specify at least"))
      continue;
    if (!Result.empty())
      Result += "; ";
    if (Line.starts_with("Not enough positional")) {
      Result += "expected" + positionals(Command);
      continue;
    }
    // "Unknown", but "PID".
    bool IsWord = Line.size() > 1 && isLower(Line[1]);
    Result += IsWord ? toLower(Line.front()) : Line.front();
    Result += Line.drop_front();
  }
  return Result;
}

/// At exit, as LLVM's --help exits by itself, and before the streams go, which
/// would end the program with a message about a crash and 1, "found".
void checkStreams() {
  restoreStderr();
  outs().flush();
  std::error_code EC = outs().error();
  outs().clear_error();
  if (EC)
    fail(createFileError("stdout", EC));
  // Nobody can be told.
  errs().clear_error();
  if (EC)
    ::_exit(Failure);
}

/// A file that is opened as number 1 would be taken for stdout, so all three
/// are taken. What is written to a closed stdout is lost, and has to fail:
/// here, and in a program that inherits it.
std::error_code fixStandardFiles() {
  bool IsClosed = ::fcntl(STDOUT_FILENO, F_GETFD) < 0;
  if (std::error_code EC = sys::Process::FixupStandardFileDescriptors())
    return EC;
  if (IsClosed) {
    Descriptor NotWritable(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (::dup2(NotWritable.get(), STDOUT_FILENO) < 0)
      return std::error_code(errno, std::generic_category());
  }
  return {};
}

/// What the caller had ignored (nohup, a shell's background job): LLVM's
/// handlers would end that, here and in a program that is started.
class IgnoredSignals {
public:
  IgnoredSignals() {
    struct sigaction Now;
    for (int Signal = 1; Signal != SIGRTMIN; ++Signal)
      if (::sigaction(Signal, nullptr, &Now) == 0 && Now.sa_handler == SIG_IGN)
        Signals.push_back(Signal);
  }
  void restore() {
    for (int Signal : Signals)
      ::signal(Signal, SIG_IGN);
  }

private:
  SmallVector<int> Signals;
};

/// A file that was mapped and is shorter now: somebody rewrites what is being
/// read. That is no defect of this program.
void reportShorterFile(int Signal, siginfo_t *Info, void *) {
  if (Info->si_code != BUS_ADRERR) {
    ::signal(Signal, SIG_DFL);
    ::raise(Signal);
    return;
  }
  constexpr StringLiteral Message =
      "linesman: error: a file became shorter while it was read; try again "
      "when it is complete\n";
  [[maybe_unused]] ssize_t Written =
      ::write(STDERR_FILENO, Message.data(), Message.size());
  sys::RunInterruptHandlers(); // temporary files
  ::_exit(Failure);
}

/// LLVM takes SIGQUIT for a crash, with a backtrace. It is a wish.
void quit(int Signal) {
  sys::RunInterruptHandlers();
  ::signal(Signal, SIG_DFL);
  ::raise(Signal);
}

/// Nothing is overwritten that is read: no word of the command line may name
/// the file of -o. What follows "--" is a command's, of which the output may be
/// linked again, as may the output of --captured.
Error checkOverwrites(Arguments Args) {
  StringRef Output;
  for (const cl::SubCommand *S : cl::getRegisteredSubcommands())
    if (S->getName() == Args[1])
      if (cl::Option *Found = S->OptionsMap.lookup("o"))
        Output = static_cast<cl::opt<std::string> *>(Found)->getValue();
  sys::fs::file_status Status;
  if (Output.empty() || sys::fs::status(Output, Status) ||
      Status.type() != sys::fs::file_type::regular_file)
    return Error::success();
  StringRef Before;
  for (StringRef Word : Args.drop_front(2)) {
    if (Word == "--")
      break;
    StringRef Option = std::exchange(Before, Word);
    StringRef File = Word;
    if (Word.starts_with("-"))
      std::tie(Option, File) = Word.split('=');
    Option = Option.ltrim('-');
    if (Option == "o" || Option == "captured" || File.empty() ||
        !sys::fs::equivalent(File, Output))
      continue;
    return createStringError("-o " + Output + ": " +
                             (File == Output ? "this is" : File + " is") +
                             " an input of this command, which would be "
                             "overwritten");
  }
  return Error::success();
}

} // namespace

namespace linesman::tool {

bool parseOptions(Arguments Args, StringRef Overview) {
  std::string Said;
  if (!parse(Args, Overview, Said)) {
    fail(createStringError(
        formatv("{0}; see 'linesman {1} --help'",
                reword(Said, sys::path::filename(Args[0]), Args[1]), Args[1])));
    return false;
  }
  if (Error E = checkOverwrites(Args)) {
    fail(std::move(E));
    return false;
  }
  return true;
}

bool parseOptions(Arguments Args, StringRef Overview,
                  cl::list<std::string> &Command) {
  // LLVM puts the words of FILE in the place of @FILE, also after "--".
  auto End = find(Args, StringRef("--"));
  Arguments Rest = ArrayRef(End, Args.end());
  Rest = Rest.drop_front(!Rest.empty());
  if (!Rest.empty())
    Command.setNumOccurrencesFlag(cl::ZeroOrMore);
  if (!parseOptions(ArrayRef(Args.begin(), End), Overview))
    return false;
  for (const char *Word : Rest)
    Command.push_back(Word);
  return true;
}

int fail(Error E) {
  handleAllErrors(std::move(E), [](const ErrorInfoBase &Problem) {
    guard::PrintableStream(errs())
        << "linesman: error: " << Problem.message() << '\n';
  });
  return Failure;
}

Error checkPowerOfTwo(StringRef Option, uint64_t Value, uint64_t Least,
                      uint64_t Most) {
  if (isPowerOf2_64(Value) && Value >= Least && Value <= Most)
    return Error::success();
  return createStringError(
      formatv("--{0}={1}: expected a power of two from {2} to {3}", Option,
              Value, Least, Most));
}

} // namespace linesman::tool

int main(int argc, char **argv) {
  if (fixStandardFiles())
    return Failure;
  IgnoredSignals Ignored;
  setBugReportMsg("linesman: a defect of linesman; please report it with the "
                  "lines below and the command\n");
  InitLLVM Init(argc, argv);
  ::signal(SIGQUIT, quit);
  struct sigaction Shorter = {};
  Shorter.sa_sigaction = reportShorterFile;
  Shorter.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &Shorter, nullptr);
  Ignored.restore();
  // Before the destructors of these two, which it makes now.
  outs(), errs();
  std::atexit(checkStreams);
  if (argc && isLinkerName(argv[0]))
    return runAsLinker(ArrayRef(argv, argc));
  StringRef Name = argc > 1 ? argv[1] : "";
  if (Name == "--version") {
    outs() << "linesman " LINESMAN_VERSION " (LLVM " LLVM_VERSION_STRING ")\n";
    return Success;
  }
  if (Name == "--help" || Name == "-h" || Name == "help") {
    printUsage(outs());
    return Success;
  }
  for (const Command &C : Commands)
    if (C.Name == Name)
      // The command's own name stays in argv[1]: that is how the options'
      // subcommand is found.
      return C.Run(ArrayRef(argv, argc));
  if (Name.empty())
    errs() << "linesman: error: no command\n\n";
  else
    linesman::guard::PrintableStream(errs())
        << "linesman: error: unknown command '" << Name << "'\n\n";
  printUsage(errs());
  return Failure;
}
