// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Link commands.

#include "LinkCommand.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace linesman::relink {

std::vector<std::string> withOutput(std::vector<std::string> Command,
                                    StringRef Output) {
  // The last output wins, and a driver may hand several to its linker: every
  // one of them is replaced.
  bool HasOutput = false;
  for (size_t I = 1; I < Command.size(); ++I) {
    StringRef Word = Command[I];
    if ((Word == "-o" || Word == "--output") && I + 1 < Command.size()) {
      Command[++I] = Output;
      HasOutput = true;
      continue;
    }
    // Words that begin with -o and are something else are linkers' options
    // with more letters (-omagic, -oformat).
    bool IsJoined = Word.starts_with("-o") && Word.size() > 2 &&
                    !is_contained({"-omagic", "-oformat"}, Word);
    if (Word.starts_with("--output=") || IsJoined) {
      Command[I] = ("-o" + Output).str();
      HasOutput = true;
    }
  }
  if (!HasOutput) {
    Command.push_back("-o");
    Command.push_back(Output.str());
  }
  return Command;
}

std::string outputOf(ArrayRef<std::string> Command) {
  std::string Output = "a.out";
  for (size_t I = 1; I < Command.size(); ++I) {
    StringRef Word = Command[I];
    if ((Word == "-o" || Word == "--output") && I + 1 < Command.size())
      Output = Command[++I];
    else if (Word.consume_front("--output=") ||
             (Word.size() > 2 && !is_contained({"-omagic", "-oformat"}, Word) &&
              Word.consume_front("-o")))
      Output = Word;
  }
  return Output;
}

ProgramKind kindOfProgram(StringRef Program) {
  StringRef Name = sys::path::filename(Program);
  Name.consume_front("linesman-");
  // With a version behind it (ld.lld-22), or a target before it (x-ld.bfd).
  Name = Name.rsplit('/').second.empty() ? Name : Name.rsplit('/').second;
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

Expected<std::string> runLink(const Link &What) {
  ErrorOr<std::string> Program = sys::findProgramByName(What.Command.front());
  if (!Program)
    return createFileError(What.Command.front(), Program.getError());
  SmallString<128> Printed;
  if (std::error_code EC =
          sys::fs::createTemporaryFile("linesman-link", "txt", Printed))
    return createFileError("temporary file", EC);
  FileRemover Remover(Printed);

  // env(1) changes the folder and the environment of the one process.
  std::vector<StringRef> Args;
  std::string Runs = *Program;
  if (!What.Folder.empty() || !What.Environment.empty()) {
    Args.push_back("env");
    if (!What.Folder.empty()) {
      Args.push_back("-C");
      Args.push_back(What.Folder);
    }
    Args.insert(Args.end(), What.Environment.begin(), What.Environment.end());
    Args.push_back(*Program);
    ErrorOr<std::string> Env = sys::findProgramByName("env");
    if (!Env)
      return createFileError("env", Env.getError());
    Runs = *Env;
  } else {
    Args.push_back(What.Command.front());
  }
  Args.insert(Args.end(), What.Command.begin() + 1, What.Command.end());
  std::optional<StringRef> Redirects[] = {std::nullopt, Printed.str(),
                                          Printed.str()};
  std::string Problem;
  int Status = sys::ExecuteAndWait(Runs, Args, /*Env=*/std::nullopt, Redirects,
                                   /*SecondsToWait=*/0,
                                   /*MemoryLimit=*/0, &Problem);
  std::string Text;
  if (auto Output = MemoryBuffer::getFile(Printed))
    Text = (*Output)->getBuffer().rtrim().str();
  if (Status == 0)
    return Text.empty() ? "" : Text + "\n";
  if (!Problem.empty())
    Text = Problem + (Text.empty() ? "" : "\n") + Text;
  return createStringError(
      formatv("{0} failed with {1}:\n{2}", What.Command.front(), Status, Text));
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
