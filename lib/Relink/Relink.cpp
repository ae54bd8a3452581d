// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of a relink, each from a value to the next one.

#include "linesman/Relink/Relink.h"
#include "LinkCommand.h"
#include "VerifyFile.h"
#include "llvm/Support/BuryPointer.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace linesman::relink {

static Error expectReplaceable(StringRef Output) {
  if (!sys::fs::exists(Output) || sys::fs::is_regular_file(Output))
    return Error::success();
  return createFileError(Output,
                         createStringError("is not a regular file, which a "
                                           "relink could replace"));
}

/// All symbols of the link are much memory: the end of the process is faster
/// than a destructor.
static Expected<ReadLink *> readForGood(const RelinkConfig &Config,
                                        const ScratchFolder &Scratch) {
  Expected<ReadLink> Read = readLink(Config, Scratch);
  if (!Read)
    return Read.takeError();
  auto Kept = std::make_unique<ReadLink>(std::move(*Read));
  ReadLink *Result = Kept.get();
  BuryPointer(std::move(Kept));
  return Result;
}

Expected<Relinked> relink(const RelinkConfig &Config) {
  if (Error E = expectReplaceable(Config.Output))
    return std::move(E);
  EndsLinksOnSignal Ends;
  Expected<ScratchFolder> Scratch = ScratchFolder::create();
  if (!Scratch)
    return Scratch.takeError();

  Expected<ReadLink *> Read = readForGood(Config, *Scratch);
  if (!Read)
    return Read.takeError();
  ReadLink &Link = **Read;

  Expected<std::vector<plan::Edit>> Named = nameEdits(Link, Config, *Scratch);
  if (!Named)
    return Named.takeError();
  Expected<std::vector<ResolvedEdit>> Resolved =
      resolveEdits(Link.Inputs, *Named, Config.Units);
  if (!Resolved)
    return Resolved.takeError();
  std::optional<LinkedFile> Plain;
  if (growsThreadBlock(Link.Inputs, *Resolved)) {
    Expected<LinkedFile> Linked =
        linkTo(Scratch->file("plain"), Link, Link.Command.Command,
               Config.Output, *Scratch);
    if (!Linked)
      return Linked.takeError();
    Plain = std::move(*Linked);
  }

  // Beside the output, so that the last step is a rename.
  Expected<ScratchFolder> Folder = ScratchFolder::createBeside(Config.Output);
  if (!Folder)
    return Folder.takeError();
  Expected<EditedFile> Linked = linkEdits(
      Folder->file(sys::path::filename(Config.Output)), Link,
      chooseEdits(std::move(*Resolved),
                  {Config.Original.path(outputOf(Config.Original.Command)),
                   Config.Output}),
      Config.Output, *Scratch);
  if (!Linked)
    return Linked.takeError();
  Expected<VerifiedEdits> Verified =
      verifyFile(*Linked, Link.Inputs, Plain ? &*Plain : nullptr);
  if (!Verified)
    return Verified.takeError();

  const LinkedFile &File = Linked->File;
  if (Error E = stripSymbols(File.Path, Link.Dropped))
    return std::move(E);
  if (Error E =
          Link.Sides.write([&](StringRef Text) { return File.Names.in(Text); }))
    return std::move(E);
  if (Error E = expectUnchanged(Link.Files))
    return std::move(E);
  if (wasInterrupted())
    return createStringError("interrupted");
  if (Error E = replaceFile(Config.Output, File.Path))
    return std::move(E);
  return Relinked{std::move(Verified->Edits), Link.Said + File.Said,
                  std::move(Verified->Warnings)};
}

Expected<std::vector<std::string>> findProblems(const RelinkConfig &Config) {
  EndsLinksOnSignal Ends;
  Expected<ScratchFolder> Scratch = ScratchFolder::create();
  if (!Scratch)
    return Scratch.takeError();
  Expected<ReadLink *> Link = readForGood(Config, *Scratch);
  if (!Link)
    return Link.takeError();
  Expected<std::vector<plan::Edit>> Edits = nameEdits(**Link, Config, *Scratch);
  if (!Edits)
    return Edits.takeError();
  std::vector<std::string> Result;
  for (const plan::Edit &Edit : *Edits) {
    Error E = resolveEdits((*Link)->Inputs, Edit, Config.Units).takeError();
    Result.push_back(E ? toString(std::move(E)) : "");
  }
  return Result;
}

} // namespace linesman::relink
