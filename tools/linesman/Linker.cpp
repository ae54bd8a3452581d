// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This program in a linker's place. Called as "ld.lld" or "linesman-ld.lld" it
// is ld.lld; as "ld" or "linesman-ld", ld, or what LINESMAN_LINKER names.
//
//     LINESMAN_CAPTURE is set    write the link down (linesman capture)
//     linesman.json is there     link, report, check the lock, apply the plan
//     otherwise                  become the linker

#include "Commands.h"
#include "linesman/Relink/CaptureLink.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include <unistd.h>

using namespace llvm;
using namespace linesman::drive;

namespace linesman::tool {

namespace {

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

int runAsLinker(Arguments Args) {
  StringRef Name = sys::path::filename(Args.front());
  Name.consume_front("linesman-");
  std::string Wanted = Name.str();
  if (Name == "ld")
    Wanted = sys::Process::GetEnv("LINESMAN_LINKER").value_or("ld");
  std::string Self = sys::fs::getMainExecutable(nullptr, nullptr);
  Expected<std::string> Real = relink::findRealLinker(Wanted, Self);
  if (!Real)
    return fail(Real.takeError());
  if (isQuestion(Args))
    return fail(become(*Real, Args));

  relink::Link Linked;
  Linked.Command.push_back(*Real);
  for (StringRef Word : Args.drop_front())
    Linked.Command.push_back(Word.str());
  SmallString<128> Folder;
  if (std::error_code EC = sys::fs::current_path(Folder))
    return fail(createFileError("current folder", EC));
  Linked.Folder = Folder.str();
  Linked.Environment = pluginEnvironment();
  // Drivers put long command lines into files; ours may stand there.
  Expected<std::vector<std::string>> Words =
      relink::expandResponseFiles(Linked.Command, "");
  if (!Words)
    return fail(Words.takeError());
  Linked.Command = std::move(*Words);
  std::string Settings =
      takeSettings(Linked.Command, relink::outputOf(Linked.Command));
  if (auto Capture = sys::Process::GetEnv(relink::CaptureVariable)) {
    if (Error E = relink::recordLink(Linked, *Capture))
      return fail(std::move(E));
    if (sys::Process::GetEnv(relink::CaptureOnlyVariable))
      return Success;
  }
  if (Settings.empty())
    return fail(become(*Real, Args));
  Expected<std::optional<LinkStep>> Step =
      readLinkStep(Settings, relink::outputOf(Linked.Command));
  if (!Step)
    return fail(Step.takeError());
  return runLinkStep(Step->value_or(LinkStep()), Linked);
}

} // namespace linesman::tool
