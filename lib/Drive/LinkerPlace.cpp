// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/LinkerPlace.h"
#include "linesman/Drive/LinkStep.h"
#include "linesman/Relink/CaptureLink.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <unistd.h>

using namespace llvm;

namespace linesman::drive {

namespace {

using Arguments = ArrayRef<const char *>;

/// Does not return unless it fails.
Error become(const std::string &Program, Arguments Args) {
  std::vector<char *> Words;
  // A linker with several faces (lld) goes by its name.
  Words.push_back(const_cast<char *>(Program.c_str()));
  for (const char *Arg : Args.drop_front())
    Words.push_back(const_cast<char *>(Arg));
  Words.push_back(nullptr);
  ::execv(Program.c_str(), Words.data());
  return createFileError(Program,
                         std::error_code(errno, std::system_category()));
}

/// Drivers and configure scripts also ask linkers who they are.
bool isQuestion(Arguments Args) {
  return any_of(Args.drop_front(), [](StringRef Word) {
    return is_contained({"-v", "-V", "--version", "--help"}, Word);
  });
}

/// What GCC's driver tells the plugin that it gives to the linker.
std::vector<std::string> pluginEnvironment() {
  std::vector<std::string> Result;
  for (StringRef Name : {"COLLECT_GCC", "COLLECT_GCC_OPTIONS",
                         "COLLECT_LTO_WRAPPER", "COMPILER_PATH"})
    if (std::optional<std::string> Value = sys::Process::GetEnv(Name))
      Result.push_back((Name + "=" + *Value).str());
  return Result;
}

} // namespace

bool isLinkerName(StringRef Program) {
  StringRef Name = sys::path::filename(Program);
  return Name == "ld" || Name == "mold" || Name == "wild" ||
         Name.starts_with("ld.") || Name.starts_with("linesman-ld");
}

/// Called as \p Words, with the words of response files in their place.
static Expected<relink::Link> readCall(StringRef Linker, Arguments Words) {
  relink::Link Call;
  SmallString<128> Folder;
  if (std::error_code EC = sys::fs::current_path(Folder))
    return createFileError("current folder", EC);
  Call.Folder = Folder.str();
  Call.Environment = pluginEnvironment();
  std::vector<std::string> Command = {Linker.str()};
  append_range(Command, Words.drop_front());
  // Drivers put long command lines into files; ours may stand there.
  if (Error E = relink::expandResponseFiles(Command, "").moveInto(Call.Command))
    return std::move(E);
  return Call;
}

Expected<int> actAsLinker(Arguments Words, StringRef Self, raw_ostream &Said) {
  StringRef Name = sys::path::filename(Words.front());
  Name.consume_front("linesman-");
  std::string Wanted = Name.str();
  if (Name == "ld")
    Wanted = sys::Process::GetEnv("LINESMAN_LINKER").value_or("ld");
  Expected<std::string> Real = relink::findRealLinker(Wanted, Self);
  if (!Real)
    return Real.takeError();
  if (isQuestion(Words))
    return become(*Real, Words);

  Expected<relink::Link> Call = readCall(*Real, Words);
  if (!Call)
    return Call.takeError();
  std::string Output = relink::outputOf(Call->Command);
  std::string Settings = takeSettings(Call->Command, Output);
  if (auto Capture = sys::Process::GetEnv(relink::CaptureVariable)) {
    if (Error E = relink::recordLink(*Call, *Capture))
      return std::move(E);
    if (sys::Process::GetEnv(relink::CaptureOnlyVariable))
      return 0;
  }
  if (Settings.empty())
    return become(*Real, Words);
  Expected<std::optional<LinkStep>> Step = readLinkStep(Settings, Output);
  if (!Step)
    return Step.takeError();
  return runLinkStep(Step->value_or(LinkStep()), *Call, Self, Said);
}

} // namespace linesman::drive
