// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Link commands.

#include "LinkCommand.h"
#include "Scratch.h"
#include "linesman/Layout/Address.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/StringSaver.h"
#include <atomic>
#include <csignal>
#include <unistd.h>

using namespace llvm;

namespace linesman::relink {

std::vector<OutputWord> findOutputWords(ArrayRef<std::string> Command) {
  std::vector<OutputWord> Found;
  for (size_t I = 1; I < Command.size(); ++I) {
    StringRef Word = Command[I];
    if ((Word == "-o" || Word == "--output") && I + 1 < Command.size())
      Found.push_back({++I, 0});
    else if (Word.starts_with("--output="))
      Found.push_back({I, StringRef("--output=").size()});
    // Words that begin with -o and are something else are linkers' options
    // with more letters.
    else if (Word.starts_with("-o") && Word.size() > 2 &&
             !is_contained({"-omagic", "-oformat"}, Word))
      Found.push_back({I, StringRef("-o").size()});
  }
  return Found;
}

std::vector<std::string> withOutput(std::vector<std::string> Command,
                                    StringRef Output) {
  // The last output wins, and a driver may hand several to its linker: every
  // one of them is replaced.
  std::vector<OutputWord> Words = findOutputWords(Command);
  for (OutputWord Word : Words)
    Command[Word.Position].replace(Word.Prefix, std::string::npos,
                                   Output.str());
  if (Words.empty()) {
    Command.push_back("-o");
    Command.push_back(Output.str());
  }
  return Command;
}

std::string outputOf(ArrayRef<std::string> Command) {
  std::vector<OutputWord> Words = findOutputWords(Command);
  if (Words.empty())
    return "a.out";
  return Command[Words.back().Position].substr(Words.back().Prefix);
}

namespace {

/// Of the one link that runs: a handler of signals knows nothing else. On a
/// line of its own, whatever the tool's other data is.
struct alignas(layout::LineSize().Bytes) LinkState {
  std::atomic<sys::procid_t> Running = 0;
  std::atomic<bool> Interrupted = false;
};
LinkState TheLink;

void endLink() {
  TheLink.Interrupted = true;
  if (sys::procid_t Linker = TheLink.Running)
    ::kill(Linker, SIGTERM);
}

} // namespace

EndsLinksOnSignal::EndsLinksOnSignal() { sys::SetInterruptFunction(endLink); }
EndsLinksOnSignal::~EndsLinksOnSignal() { sys::SetInterruptFunction(nullptr); }
bool wasInterrupted() { return TheLink.Interrupted; }

ProgramKind kindOfProgram(StringRef Program) {
  StringRef Name = sys::path::filename(Program);
  Name.consume_front("linesman-");
  // With a version behind it (ld.lld-22), or a target before it (x-ld.bfd).
  for (StringRef Linker : {"ld", "ld.lld", "ld.bfd", "ld.gold", "ld.mold",
                           "mold", "lld", "gold", "wild"}) {
    StringRef Rest = Name;
    if (Name.ends_with(("-" + Linker).str()))
      return ProgramKind::Linker;
    if (Rest.consume_front(Linker) &&
        Rest.find_first_not_of("-.0123456789") == StringRef::npos)
      return ProgramKind::Linker;
  }
  return ProgramKind::Driver;
}

std::string Link::path(StringRef File) const {
  if (Folder.empty() || sys::path::is_absolute(File))
    return File.str();
  return (Folder + "/" + File).str();
}

/// Writes the words behind the program into \p Path, as every linker and driver
/// reads them.
static Error writeWords(ArrayRef<std::string> Command, StringRef Path) {
  std::string Text;
  raw_string_ostream OS(Text);
  for (StringRef Word : Command.drop_front()) {
    sys::printArg(OS, Word, /*Quote=*/true);
    OS << '\n';
  }
  if (std::error_code EC = sys::writeFileWithEncoding(Path, Text))
    return createFileError(Path, EC);
  return Error::success();
}

Expected<std::vector<std::string>>
shortenCommand(std::vector<std::string> Command, StringRef Path,
               FileRemover &Remover) {
  SmallVector<StringRef> Words(Command.begin(), Command.end());
  if (sys::commandLineFitsWithinSystemLimits(Command.front(), Words))
    return Command;
  Remover.setFile(Path);
  if (Error E = writeWords(Command, Path))
    return std::move(E);
  return std::vector<std::string>{Command.front(), ("@" + Path).str()};
}

/// A linker that finds no space often dies of it without a word (SIGBUS).
static std::string describeLittleSpace(ArrayRef<StringRef> Folders) {
  constexpr uint64_t Little = 1 << 20;
  for (StringRef Folder : Folders) {
    if (Folder.empty())
      Folder = ".";
    ErrorOr<sys::fs::space_info> Space = sys::fs::disk_space(Folder);
    if (Space && Space->available < Little)
      return formatv(", and '{0}' has only {1} KiB left", Folder,
                     Space->available / 1024);
  }
  return "";
}

/// This process's environment with \p Changed, of the form NAME=VALUE each.
static std::vector<StringRef> environmentWith(ArrayRef<std::string> Changed) {
  auto NameOf = [](StringRef Word) { return Word.split('=').first; };
  std::vector<StringRef> Result;
  for (char **Word = environ; *Word; ++Word)
    if (none_of(Changed,
                [&](StringRef New) { return NameOf(New) == NameOf(*Word); }))
      Result.push_back(*Word);
  append_range(Result, Changed);
  return Result;
}

Expected<std::string> runLink(const Link &Step, StringRef Temporary) {
  ErrorOr<std::string> Program = sys::findProgramByName(Step.Command.front());
  if (!Program)
    return createFileError(Step.Command.front(), Program.getError());
  std::string Printed = (Temporary + "/link.txt").str();
  if (Error E = writeFile(Printed, ArrayRef<char>()))
    return std::move(E);
  FileRemover WordsRemover;
  Expected<std::vector<std::string>> Command = shortenCommand(
      Step.Command, (Temporary + "/link.rsp").str(), WordsRemover);
  if (!Command)
    return Command.takeError();

  // env(1) changes the folder of the one process; to start it takes a
  // millisecond, which most links need not spend.
  std::vector<StringRef> Args;
  std::string Runs = *Program;
  if (!Step.Folder.empty() && !sys::fs::equivalent(Step.Folder, ".")) {
    ErrorOr<std::string> Env = sys::findProgramByName("env");
    if (!Env)
      return createFileError("env", Env.getError());
    Runs = *Env;
    Args = {"env", "-C", Step.Folder, *Program};
  } else {
    Args.push_back(Step.Command.front());
  }
  Args.insert(Args.end(), Command->begin() + 1, Command->end());
  std::optional<StringRef> Redirects[] = {std::nullopt, StringRef(Printed),
                                          StringRef(Printed)};
  std::string Problem;
  sys::ProcessInfo Linker = sys::ExecuteNoWait(
      Runs, Args, environmentWith(Step.Environment), Redirects,
      /*MemoryLimit=*/0, &Problem);
  TheLink.Running = Linker.Pid;
  if (Linker.Pid && TheLink.Interrupted)
    ::kill(Linker.Pid, SIGTERM);
  int Status = Linker.Pid
                   ? sys::Wait(Linker, /*SecondsToWait=*/std::nullopt, &Problem)
                         .ReturnCode
                   : -1;
  TheLink.Running = 0;
  if (TheLink.Interrupted)
    return createStringError("interrupted");
  std::string Text;
  if (auto Output = MemoryBuffer::getFile(Printed))
    Text = (*Output)->getBuffer().rtrim().str();
  if (Status == 0)
    return Text.empty() ? "" : Text + "\n";
  std::string Space = describeLittleSpace(
      {Temporary, sys::path::parent_path(Step.path(outputOf(Step.Command)))});
  // LLVM's word for a signal, whose name is the problem.
  constexpr int Signalled = -2;
  std::string Method =
      Status == Signalled ? formatv("was killed ({0})", Problem).str()
      : Problem.empty()
          ? formatv("failed with {0}", Status).str()
          : formatv("failed with {0} ({1})", Status, Problem).str();
  return createStringError(formatv("{0} {1}{2}{3}{4}", Step.Command.front(),
                                   Method, Space, Text.empty() ? "" : ":\n",
                                   Text));
}

Expected<std::vector<std::string>>
expandResponseFiles(ArrayRef<std::string> Command, StringRef Folder) {
  BumpPtrAllocator Storage;
  StringSaver Saver(Storage);
  SmallVector<const char *, 64> Words;
  for (const std::string &Word : Command)
    Words.push_back(Word.c_str());
  cl::ExpansionContext Context(Storage, cl::TokenizeGNUCommandLine);
  if (!Folder.empty())
    Context.setCurrentDir(Folder);
  if (Error E = Context.expandResponseFiles(Words))
    return std::move(E);
  return std::vector<std::string>(Words.begin(), Words.end());
}

} // namespace linesman::relink
