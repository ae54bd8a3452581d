// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a hunt is about, and on which rung it ended.

#include "linesman/Control/Actuator.h"
#include "linesman/Drive/Explode.h"
#include "linesman/Drive/Hunt.h"
#include "linesman/Drive/RunTidy.h"
#include "linesman/Process/DynamicNames.h"
#include "linesman/Process/Launchers.h"
#include "linesman/Process/ProcFiles.h"
#include "linesman/Process/State.h"
#include "linesman/Relink/CaptureLink.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace linesman::drive {

Expected<std::string> findProgramFile(StringRef Named,
                                      ArrayRef<std::string> Command, int Pid) {
  std::string Path = Named.str();
  if (Named.empty() && Command.empty()) {
    Path = process::procPath({Pid}, "exe");
  } else if (Named.empty()) {
    StringRef Name = process::skipLaunchers(Command).Words.front();
    ErrorOr<std::string> Found = sys::findProgramByName(Name);
    if (!Found)
      return createFileError(Name, Found.getError());
    Path = *Found;
  }
  SmallString<256> Whole;
  if (std::error_code EC = sys::fs::real_path(Path, Whole)) {
    if (Named.empty() && Command.empty())
      if (Error E = process::checkReadable({Pid}))
        return std::move(E);
    return createFileError(Path, EC);
  }
  if (sys::fs::is_directory(Whole))
    return createFileError(Path,
                           std::make_error_code(std::errc::is_a_directory));
  return std::string(Whole);
}

std::string describeProgram(StringRef Program, ArrayRef<std::string> Command) {
  if (Command.empty())
    return "";
  if (process::isInterpreter(Program))
    return formatv("the program hunted in is {0}, not what it may start; "
                   "--program=FILE names the one that is meant",
                   Program);
  process::LaunchedCommand Launched = process::skipLaunchers(Command);
  if (Launched.Launchers.empty())
    return "";
  return formatv("the program hunted in is {0}, which {1} starts", Program,
                 Launched.Launchers.back());
}

Expected<std::string> findHuntBuild(StringRef Named) {
  if (!Named.empty())
    return findBuild(Named);
  for (StringRef Folder : {".", "build"})
    if (sys::fs::exists(Folder + "/compile_commands.json"))
      return Folder.str();
  return "";
}

/// The C and C++ libraries and the loader: every program has them.
static bool isOfTheSystem(StringRef Library) {
  constexpr StringRef Names[] = {"libc",      "libm",      "libpthread",
                                 "librt",     "libdl",     "libgcc_s",
                                 "libatomic", "libstdc++", "libc++",
                                 "libc++abi", "libunwind"};
  return Library.starts_with("ld-linux") ||
         is_contained(Names,
                      Library.take_until([](char C) { return C == '.'; }));
}

Error completeRequest(HuntRequest &Request) {
  if (!Request.LinkCommand.empty()) {
    Expected<relink::Link> Link = readLinkCommand(Request.LinkCommand);
    if (!Link)
      return Link.takeError();
    Request.LinkWords = Link->Command;
  }
  if (!Request.Captured.empty())
    if (auto Link = relink::findCapturedLink(Request.Links, Request.Captured);
        !Link)
      return Link.takeError();
  Request.Libraries = process::readDynamicNamesOfFile(Request.Program).Needed;
  erase_if(Request.Libraries, isOfTheSystem);
  if (!Request.Command.empty())
    if (ErrorOr<std::string> First =
            sys::findProgramByName(Request.Command.front()))
      Request.Command.front() = *First;
  Expected<std::vector<int>> Nodes = control::readNodes();
  if (Nodes)
    Request.HasNodes = Nodes->size() > 1;
  else
    consumeError(Nodes.takeError());
  return Error::success();
}

layout::Rung HuntResult::rung() const {
  switch (outcome()) {
  case HuntOutcome::Costed:
    return layout::Rung::Costed;
  case HuntOutcome::Observed:
    return layout::Rung::Observed;
  case HuntOutcome::Open:
  case HuntOutcome::NothingFound:
  case HuntOutcome::Stopped:
    return layout::Rung::Located;
  }
  llvm_unreachable("unknown outcome");
}

} // namespace linesman::drive
