// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes links down and finds them again.

#include "linesman/Relink/CaptureLink.h"
#include "LinkCommand.h"
#include "linesman/Guard/Document.h"
#include "linesman/Guard/Head.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <unistd.h>

using namespace llvm;

namespace linesman::relink {

/// Fills \p Folder/bin with links to \p Self. Returns what a command needs in
/// its environment, as "NAME=value".
static Expected<std::vector<std::string>> prepareCapture(StringRef Folder,
                                                         StringRef Self) {
  SmallString<128> Absolute = Folder;
  if (std::error_code EC = sys::fs::make_absolute(Absolute))
    return createFileError(Folder, EC);
  std::string Bin = (Absolute + "/bin").str();
  if (std::error_code EC = sys::fs::create_directories(Bin))
    return createFileError(Bin, EC);
  for (StringRef Name : {"ld", "ld.bfd", "ld.gold", "ld.lld", "ld.mold", "mold",
                         "ld.wild", "wild"}) {
    std::string Path = (Bin + "/" + Name).str();
    // Other captures may use the folder at this moment: no name is ever
    // missing.
    std::string Fresh = Path + "." + utostr(sys::Process::getProcessId());
    sys::fs::remove(Fresh);
    if (std::error_code EC = sys::fs::create_link(Self, Fresh))
      return createFileError(Fresh, EC);
    if (std::error_code EC = sys::fs::rename(Fresh, Path))
      return createFileError(Path, EC);
  }
  std::string Search = Bin;
  if (std::optional<std::string> Old = sys::Process::GetEnv("COMPILER_PATH"))
    Search += ":" + *Old;
  return std::vector<std::string>{
      "COMPILER_PATH=" + Search,
      (CaptureVariable + "=" + Absolute).str(),
  };
}

/// Drivers put their temporary objects right into the temporary folder.
static Error keepTemporaryFiles(Link &Step, StringRef Folder) {
  SmallString<128> Temporary;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, Temporary);
  for (std::string &Word : Step.Command) {
    if (sys::path::parent_path(Word) != Temporary ||
        !sys::fs::is_regular_file(Word) || Word == outputOf(Step.Command))
      continue;
    SmallString<128> Kept;
    if (std::error_code EC = sys::fs::createUniqueFile(
            Folder + "/%%%%%%-" + sys::path::filename(Word), Kept))
      return createFileError(Folder, EC);
    if (std::error_code EC = sys::fs::copy_file(Word, Kept))
      return createFileError(Word, EC);
    Word = Kept.str();
  }
  return Error::success();
}

Error recordLink(Link Step, StringRef Folder) {
  Expected<std::vector<std::string>> Words =
      expandResponseFiles(Step.Command, Step.Folder);
  if (!Words)
    return Words.takeError();
  Step.Command = std::move(*Words);
  if (Error E = keepTemporaryFiles(Step, Folder))
    return E;
  json::Object Record = guard::makeHead("capture");
  Record["link"] = json::Array(Step.Command);
  Record["folder"] = Step.Folder;
  Record["environment"] = json::Array(Step.Environment);
  // Links run at the same time: the first free number is taken by creating it.
  for (unsigned Number = 1;; ++Number) {
    std::string Path = formatv("{0}/link-{1,0+6}.json", Folder, Number);
    int File = -1;
    std::error_code EC =
        sys::fs::openFileForWrite(Path, File, sys::fs::CD_CreateNew);
    if (EC == std::errc::file_exists)
      continue;
    if (EC)
      return createFileError(Path, EC);
    raw_fd_ostream OS(File, /*shouldClose=*/true);
    OS << formatv("{0:2}\n", json::Value(std::move(Record)));
    OS.close();
    EC = OS.error();
    OS.clear_error();
    return EC ? createFileError(Path, EC) : Error::success();
  }
}

static Expected<CapturedLink> readLink(StringRef Path) {
  Expected<json::Value> Parsed = guard::readJson(Path);
  if (!Parsed)
    return Parsed.takeError();
  CapturedLink Result;
  json::Path::Root Root("link");
  json::ObjectMapper Map(*Parsed, Root);
  if (!Map || !Map.map("link", Result.Captured.Command) ||
      !Map.map("folder", Result.Captured.Folder) ||
      !Map.map("environment", Result.Captured.Environment))
    return createFileError(Path, Root.getError());
  if (Result.Captured.Command.empty())
    return createFileError(
        Path, createStringError("'link' is empty, expected a command"));
  SmallString<128> Output =
      StringRef(Result.Captured.path(outputOf(Result.Captured.Command)));
  sys::path::remove_dots(Output, /*remove_dot_dot=*/true);
  Result.Output = Output.str();
  return Result;
}

Expected<std::vector<CapturedLink>> readCapturedLinks(StringRef Folder) {
  std::vector<std::string> Paths;
  std::error_code EC;
  for (sys::fs::directory_iterator It(Folder, EC), End; !EC && It != End;
       It.increment(EC)) {
    StringRef Name = sys::path::filename(It->path());
    if (Name.starts_with("link-") && Name.ends_with(".json"))
      Paths.push_back(It->path());
  }
  if (EC)
    return createFileError(Folder, EC);
  llvm::sort(Paths);
  std::vector<CapturedLink> Result;
  for (const std::string &Path : Paths) {
    Expected<CapturedLink> One = readLink(Path);
    if (!One)
      return One.takeError();
    // The last one made what is there.
    erase_if(Result, [&](const CapturedLink &Old) {
      return Old.Output == One->Output;
    });
    Result.push_back(std::move(*One));
  }
  return Result;
}

static Error runBuild(ArrayRef<std::string> Build,
                      ArrayRef<std::string> Environment) {
  // 'env' would complain in words of its own.
  ErrorOr<std::string> Program = sys::findProgramByName(Build.front());
  std::error_code Problem = Program.getError();
  if (!Problem)
    Problem = sys::fs::access(*Program, sys::fs::AccessMode::Execute);
  if (Problem)
    return createFileError(Build.front(), Problem);
  ErrorOr<std::string> Env = sys::findProgramByName("env");
  if (!Env)
    return createFileError("env", Env.getError());
  std::vector<StringRef> Words = {"env"};
  append_range(Words, Environment);
  append_range(Words, Build);
  std::string Reason;
  int Status = sys::ExecuteAndWait(*Env, Words, /*Env=*/std::nullopt,
                                   /*Redirects=*/{}, /*SecondsToWait=*/0,
                                   /*MemoryLimit=*/0, &Reason);
  if (Status == 0)
    return Error::success();
  // LLVM's word for a shell's 126 and 127, which the build may end with, too.
  if (Status == -1)
    return createStringError(Build.front() + " failed: " + Reason);
  return createStringError(formatv("{0} failed with {1}{2}{3}", Build.front(),
                                   Status, Reason.empty() ? "" : ": ", Reason));
}

Expected<CapturedBuild> captureBuild(ArrayRef<std::string> Build,
                                     StringRef Folder, StringRef Self) {
  Expected<std::vector<std::string>> Environment = prepareCapture(Folder, Self);
  if (!Environment)
    return Environment.takeError();
  Expected<std::vector<CapturedLink>> Before = readCapturedLinks(Folder);
  if (!Before)
    return Before.takeError();
  if (Error E = runBuild(Build, *Environment))
    return std::move(E);
  Expected<std::vector<CapturedLink>> Links = readCapturedLinks(Folder);
  if (!Links)
    return Links.takeError();
  if (Links->empty())
    return createStringError(
        "the build ran no linker that a compiler looks up (nothing to link, or "
        "a driver with --ld-path and a whole path)");
  size_t Added = Links->size() - Before->size();
  return CapturedBuild{std::move(*Links), Added};
}

Expected<Link> findCapturedLink(StringRef Folder, StringRef Output) {
  Expected<std::vector<CapturedLink>> Links = readCapturedLinks(Folder);
  if (!Links)
    return Links.takeError();
  SmallString<128> Absolute = Output;
  if (std::error_code EC = sys::fs::make_absolute(Absolute))
    return createFileError(Output, EC);
  sys::path::remove_dots(Absolute, /*remove_dot_dot=*/true);
  std::vector<std::string> Others;
  for (const CapturedLink &Link : reverse(*Links)) {
    StringRef Made = Link.Output;
    if (Made == Absolute || Made.ends_with(("/" + Output).str()))
      return Link.Captured;
    Others.push_back(Made.str());
  }
  std::string Problem = formatv("no captured link makes '{0}'", Output);
  Problem += Others.empty() ? "; the folder has no captured link at all"
                            : "; there are links of " + join(Others, ", ");
  return createFileError(Folder, createStringError(Problem));
}

Expected<std::optional<Link>> learnLink(const Link &Original, StringRef Folder,
                                        StringRef Self) {
  if (std::error_code EC = sys::fs::create_directories(Folder))
    return createFileError(Folder, EC);
  Expected<std::vector<std::string>> Environment = prepareCapture(Folder, Self);
  if (!Environment)
    return Environment.takeError();
  Link Driver = Original;
  // A driver that looks up no linker links for real: not over the old output.
  Driver.Command = withOutput(Original.Command, (Folder + "/output").str());
  append_range(Driver.Environment, *Environment);
  Driver.Environment.push_back((CaptureOnlyVariable + "=1").str());
  // Its warnings are the compiler's, who has said them before.
  if (Expected<std::string> Said = runLink(Driver, Folder); !Said)
    return Said.takeError();
  Expected<std::vector<CapturedLink>> Links = readCapturedLinks(Folder);
  if (!Links)
    return Links.takeError();
  if (Links->empty())
    return std::nullopt;
  return Links->back().Captured;
}

/// What a cross compiler's name has before "gcc", as its linker's has: GCC
/// calls the one of its target plain "ld".
static std::string targetPrefix() {
  std::string Compiler = sys::Process::GetEnv("COLLECT_GCC").value_or("");
  StringRef Name = sys::path::filename(Compiler);
  size_t End = Name.rfind("-g"); // gcc, g++, gcc-12
  return End == StringRef::npos ? "" : Name.take_front(End + 1).str();
}

Expected<std::string> findRealLinker(StringRef Name, StringRef Self) {
  SmallVector<std::string> Folders;
  SmallString<128> Caller;
  // The driver that called us, whose linker is beside it. All else that /proc
  // says of processes is Process's; a relink looks at none.
  std::string Link = formatv("/proc/{0}/exe", ::getppid());
  if (!sys::fs::real_path(Link, Caller))
    Folders.push_back(sys::path::parent_path(Caller).str());
  SmallVector<StringRef> Searched;
  std::string Path = sys::Process::GetEnv("PATH").value_or("");
  StringRef(Path).split(Searched, ':', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  append_range(Folders, Searched);
  SmallVector<std::string> Names = {targetPrefix() + Name.str(), Name.str()};
  for (const std::string &Wanted : Names)
    for (const std::string &Folder : Folders) {
      std::string Candidate = Folder + "/" + Wanted;
      if (sys::fs::can_execute(Candidate) &&
          !sys::fs::equivalent(Candidate, Self))
        return Candidate;
    }
  return createStringError(
      formatv("no linker '{0}' beside the calling program or in PATH", Name));
}

} // namespace linesman::relink
