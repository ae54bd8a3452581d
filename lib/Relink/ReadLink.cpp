// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the command that the user gave to native objects and their definitions.

#include "ReadLink.h"
#include "LinkCommand.h"
#include "LtoObjects.h"
#include "linesman/Relink/CaptureLink.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace linesman::relink {

/// The old output may be replaced, what the link reads may not.
static Error expectNoInput(StringRef Path, ArrayRef<std::string> Inputs) {
  sys::fs::UniqueID Output, Input;
  if (sys::fs::getUniqueID(Path, Output))
    return Error::success(); // there is none yet
  for (const std::string &Name : Inputs)
    if (!sys::fs::getUniqueID(Name, Input) && Input == Output)
      return createFileError(Path,
                             createStringError("is an input of the link, which "
                                               "the output would replace"));
  return Error::success();
}

static bool hasIntermediateCode(const LinkInputs &Inputs) {
  return Inputs.LtoObjects || any_of(Inputs.Objects, [](const InputObject &O) {
           return O.Code == CodeKind::Intermediate;
         });
}

/// Nothing where a driver runs no linker.
static Expected<std::optional<Link>>
findLinkersCommand(const RelinkConfig &Config, const ScratchFolder &Scratch) {
  if (kindOfProgram(Config.Original.Command.front()) == ProgramKind::Linker)
    return Config.Original;
  return learnLink(Config.Original, Scratch.file("driver"), Config.Self);
}

Expected<ReadLink> readLink(const RelinkConfig &Config,
                            const ScratchFolder &Scratch) {
  Expected<std::optional<Link>> Linkers = findLinkersCommand(Config, Scratch);
  if (!Linkers)
    return Linkers.takeError();
  ReadLink Result;
  Result.Command = Linkers->value_or(Config.Original);
  Expected<std::vector<std::string>> Words =
      expandResponseFiles(Result.Command.Command, Result.Command.Folder);
  if (!Words)
    return Words.takeError();
  Result.Command.Command = std::move(*Words);
  Result.Dropped = takeStripping(Result.Command.Command);
  Result.Sides = SideOutputs(Result.Command, Scratch);

  Expected<LinkInputs> Inputs = readInputs(Result.Command);
  if (!Inputs)
    return Inputs.takeError();
  if (!*Linkers && Inputs->Paths.empty() && !Inputs->Sources)
    return createStringError(
        formatv("{0} ran no linker, and names no object to link",
                Result.Command.Command.front()));
  if (Error E = expectNoInput(Config.Output, Inputs->Paths))
    return std::move(E);
  Result.Files = Inputs->Read;

  if (hasIntermediateCode(*Inputs)) {
    Expected<NativeLink> Native =
        linkNativeObjects(Result.Command, *Inputs, Scratch);
    if (!Native)
      return Native.takeError();
    Result.Command = std::move(Native->Command);
    Result.Said = std::move(Native->Said);
    Result.Sides.keepDependencies(Result.Command);
    Inputs = readInputs(Result.Command);
    if (!Inputs)
      return Inputs.takeError();
    append_range(Result.Files, Inputs->Read);
  }
  Result.Inputs = std::move(*Inputs);
  return Result;
}

Error expectUnchanged(ArrayRef<ReadFile> Files) {
  for (const ReadFile &File : Files) {
    sys::fs::file_status Now;
    sys::fs::status(File.Path, Now);
    if (Now.getUniqueID() != File.Status.getUniqueID() ||
        Now.getSize() != File.Status.getSize() ||
        Now.getLastModificationTime() != File.Status.getLastModificationTime())
      return createFileError(
          File.Path, createStringError("changed while it was being linked; "
                                       "link again when it is complete"));
  }
  return Error::success();
}

} // namespace linesman::relink
