// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Link commands.

#include "LinkCommand.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

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

Error runCommand(ArrayRef<std::string> Command) {
  ErrorOr<std::string> Program = sys::findProgramByName(Command.front());
  if (!Program)
    return createFileError(Command.front(), Program.getError());
  SmallString<128> Printed;
  if (std::error_code EC =
          sys::fs::createTemporaryFile("linesman-link", "txt", Printed))
    return createFileError("temporary file", EC);
  FileRemover Remover(Printed);

  std::vector<StringRef> Args(Command.begin(), Command.end());
  std::optional<StringRef> Redirects[] = {std::nullopt, Printed.str(),
                                          Printed.str()};
  std::string Problem;
  int Status = sys::ExecuteAndWait(*Program, Args, /*Env=*/std::nullopt,
                                   Redirects, /*SecondsToWait=*/0,
                                   /*MemoryLimit=*/0, &Problem);
  if (Status == 0)
    return Error::success();
  std::string Text;
  if (auto Output = MemoryBuffer::getFile(Printed))
    Text = (*Output)->getBuffer().rtrim().str();
  if (!Problem.empty())
    Text = Problem + (Text.empty() ? "" : "\n") + Text;
  return createStringError(
      formatv("{0} failed with {1}:\n{2}", Command.front(), Status, Text));
}

} // namespace linesman::relink
