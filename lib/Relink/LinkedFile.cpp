// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a linker and translates what it says.

#include "LinkedFile.h"
#include "LinkCommand.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace linesman::relink {

static std::string replaceAll(StringRef Text, StringRef Subject,
                              StringRef Source) {
  SmallVector<StringRef> Pieces;
  Text.split(Pieces, Subject);
  return join(Pieces, Source);
}

std::string MeantNames::in(StringRef Text) const {
  std::string Result = Text.str();
  for (const auto &[Said, Meant] : Names)
    if (StringRef(Result).contains(Said))
      Result = replaceAll(Result, Said, Meant);
  return Result;
}

Expected<LinkedFile> linkTo(StringRef Path, const ReadLink &Read,
                            ArrayRef<std::string> Command, StringRef Output,
                            const ScratchFolder &Scratch) {
  SmallString<128> Absolute = Path;
  if (!Read.Command.Folder.empty())
    if (std::error_code EC = sys::fs::make_absolute(Absolute))
      return createFileError(Path, EC);
  LinkedFile Result{Path.str(), "", {}};
  Result.Names.add(Absolute.str().str(), Output.str());
  Result.Names.add(Scratch.file("lto.out"), Output.str());
  // Where it is escaped, as in a dependency file.
  if (StringRef Suffix = Path; Suffix.consume_front(Output))
    Result.Names.add(Suffix.str(), "");
  for (auto [Copy, Original] : zip(Command, Read.Command.Command))
    if (Copy != Original)
      Result.Names.add(Copy, Original);

  Link Step = Read.Command;
  Step.Command = withOutput(Command.vec(), Absolute);
  Expected<std::string> Said = runLink(Step, Scratch.path());
  if (!Said)
    return createStringError(Result.Names.in(toString(Said.takeError())));
  if (!sys::fs::exists(Path))
    return createStringError(Read.Command.Command.front() +
                             " ended without an error, and made no file");
  Result.Said = Result.Names.in(*Said);
  return Result;
}

} // namespace linesman::relink
