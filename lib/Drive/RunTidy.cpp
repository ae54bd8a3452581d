// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang-tidy as a subprocess: a plugin is loaded into nothing else.

#include "linesman/Drive/RunTidy.h"
#include "linesman/Guard/Document.h"
#include "linesman/Process/Subprocess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/StringSaver.h"
#include "llvm/Support/ThreadPool.h"
#include <mutex>

using namespace llvm;
using namespace linesman::process;

namespace linesman::drive {

namespace {

constexpr StringLiteral TidyPlugin = "linesman-tidy.so";
/// The release in which clang-tidy learnt --removed-arg.
constexpr unsigned FirstWithRemovedArgs = 22;

/// "Debian LLVM version 22.1.8" or "LLVM version 19.1.7".
Expected<unsigned> readMajor(StringRef ClangTidy) {
  Expected<Output> Said = runAndCapture({ClangTidy.str(), "--version"});
  if (!Said)
    return Said.takeError();
  SmallVector<StringRef> Groups;
  unsigned Major = 0;
  if (Said->Code != 0 ||
      !Regex("version ([0-9]+)\\.").match(Said->Stdout, &Groups) ||
      !to_integer(Groups[1], Major))
    return createFileError(ClangTidy,
                           createStringError("this is no clang-tidy"));
  return Major;
}

std::string findClangTidy() {
  std::string Release = utostr(LLVM_VERSION_MAJOR);
  for (const std::string &Name :
       {"clang-tidy-" + Release, "/usr/lib/llvm-" + Release + "/bin/clang-tidy",
        std::string("clang-tidy")})
    if (ErrorOr<std::string> Path = sys::findProgramByName(Name))
      return *Path;
  return "";
}

/// A store to the object that stands for nothing, which
/// linesman-sentinel-write reports.
constexpr StringLiteral Canary = "struct Node { int level; };\n"
                                 "Node nil;\n"
                                 "struct Ref {\n"
                                 "  Node *target = &nil;\n"
                                 "  void touch();\n"
                                 "};\n"
                                 "void Ref::touch() { target->level = 1; }\n";

/// Of one entry; nothing where it is none.
std::optional<CompiledUnit> readUnit(const json::Object &Entry) {
  CompiledUnit Unit;
  Unit.Folder = Entry.getString("directory").value_or("").str();
  auto Whole = [&](StringRef Path) {
    SmallString<256> Result(Path);
    sys::path::make_absolute(Unit.Folder, Result);
    sys::path::remove_dots(Result, /*remove_dot_dot=*/true);
    return Result.str().str();
  };
  std::optional<StringRef> File = Entry.getString("file");
  if (!File)
    return std::nullopt;
  Unit.File = Whole(*File);
  std::string Object = Entry.getString("output").value_or("").str();
  std::vector<std::string> Words;
  if (const json::Array *Arguments = Entry.getArray("arguments")) {
    for (const json::Value &Word : *Arguments)
      Words.push_back(Word.getAsString().value_or("").str());
  } else if (std::optional<StringRef> Command = Entry.getString("command")) {
    BumpPtrAllocator Memory;
    StringSaver Saver(Memory);
    SmallVector<const char *> Split;
    cl::TokenizeGNUCommandLine(*Command, Saver, Split);
    Words.assign(Split.begin(), Split.end());
  }
  for (size_t I = 0; I + 1 < Words.size() && Object.empty(); ++I)
    if (Words[I] == "-o")
      Object = Words[I + 1];
  if (!Object.empty())
    Unit.Object = Whole(Object);
  Unit.Command = std::move(Words);
  return Unit;
}

/// What a program that failed says of it: the lines that call themselves
/// errors, before a page of usage or a stack; else its last words.
std::string failureLines(StringRef Text) {
  SmallVector<StringRef> Lines, Errors;
  Text.trim().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  const Regex IsError("(^|[^[:alnum:]-])error:", Regex::IgnoreCase);
  copy_if(Lines, std::back_inserter(Errors),
          [&](StringRef Line) { return IsError.match(Line); });
  return Errors.empty() ? join(ArrayRef(Lines).take_back(3), "; ")
                        : join(ArrayRef(Errors).take_front(3), "; ");
}

/// Options that clang does not know, as errors in exported YAML name them.
std::vector<std::string> findUnknown(StringRef Exported) {
  const Regex Says("(unknown argument|unsupported option)[: ]+''(-[^']+)''");
  std::vector<std::string> Result;
  SmallVector<StringRef> Lines, Groups;
  Exported.split(Lines, '\n');
  for (StringRef Line : Lines)
    if (Says.match(Line, &Groups))
      Result.push_back(Groups[2].str());
  return Result;
}

UnitResult checkUnit(const TidyTools &Tools, const TidyRun &Run,
                     const CompiledUnit &Unit, StringRef YamlPath) {
  UnitResult Result{Unit.File, "", "", {}};
  // What is on the command line wins over .clang-tidy.
  std::vector<std::string> Command = {Tools.ClangTidy,
                                      "--load=" + Tools.Plugin,
                                      "--checks=" + Run.Checks,
                                      "--header-filter=.*",
                                      "--exclude-header-filter=^$",
                                      "--quiet",
                                      "--export-fixes=" + YamlPath.str(),
                                      "-p",
                                      Run.Build,
                                      Unit.File};
  Expected<Output> Said = runAndCapture(Command);
  auto ReadExported = [&] {
    auto File = MemoryBuffer::getFile(YamlPath);
    return File ? (*File)->getBuffer().str() : std::string();
  };
  if (Said && Tools.Major >= FirstWithRemovedArgs) {
    // A build by GCC: clang names all that it does not know at once.
    Result.LeftOut = findUnknown(ReadExported());
    if (!Result.LeftOut.empty()) {
      for (const std::string &Option : Result.LeftOut)
        Command.push_back("--removed-arg=" + Option);
      sys::fs::remove(YamlPath);
      Said = runAndCapture(Command);
    }
  }
  if (!Said) {
    Result.Problem = toString(Said.takeError());
    return Result;
  }
  Result.Exported = ReadExported();
  // Without anything exported, 1 is not "warnings as errors".
  if (Said->Code < 0 || (Said->Code != 0 && Result.Exported.empty()))
    Result.Problem = formatv("clang-tidy ended with {0}: {1}", Said->Code,
                             failureLines(Said->Stderr + "\n" + Said->Stdout));
  return Result;
}

} // namespace

std::string findPlugin(StringRef Program, StringRef Name, unsigned Major) {
  StringRef Root = sys::path::parent_path(sys::path::parent_path(Program));
  std::vector<std::string> Paths = {
      formatv("{0}/llvm{1}/lib/{2}", Root, Major, Name)};
  for (StringRef Lib :
       {"lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"}) {
    Paths.push_back(
        formatv("{0}/{1}/linesman/llvm-{2}/{3}", Root, Lib, Major, Name));
    if (Major == LLVM_VERSION_MAJOR)
      Paths.push_back(formatv("{0}/{1}/{2}", Root, Lib, Name));
  }
  for (const std::string &Path : Paths)
    if (sys::fs::exists(Path))
      return Path;
  return "";
}

Expected<TidyTools> findTidyTools(StringRef ClangTidy, StringRef Plugin,
                                  StringRef Program) {
  TidyTools Tools{ClangTidy.str(), Plugin.str(), 0};
  if (Tools.ClangTidy.empty())
    Tools.ClangTidy = findClangTidy();
  else if (ErrorOr<std::string> Path = sys::findProgramByName(Tools.ClangTidy))
    Tools.ClangTidy = *Path;
  if (Tools.ClangTidy.empty())
    return createStringError(
        formatv("no clang-tidy: install clang-tidy-{0}, or name one with "
                "--clang-tidy",
                LLVM_VERSION_MAJOR));
  Expected<unsigned> Major = readMajor(Tools.ClangTidy);
  if (!Major)
    return Major.takeError();
  Tools.Major = *Major;
  if (Tools.Plugin.empty())
    Tools.Plugin = findPlugin(Program, TidyPlugin, Tools.Major);
  if (Tools.Plugin.empty())
    return createFileError(
        Tools.ClangTidy,
        createStringError(formatv(
            "this clang-tidy is of LLVM {0}, and there is no {1} for it: a "
            "plugin works in the release that it was built for. Use "
            "--clang-tidy=clang-tidy-{2}, or build the plugin against LLVM {0} "
            "(cmake -DLINESMAN_LLVM_VERSION={0}) and name it with --plugin",
            Tools.Major, TidyPlugin, LLVM_VERSION_MAJOR)));
  if (!sys::fs::exists(Tools.Plugin))
    return createFileError(
        Tools.Plugin,
        std::make_error_code(std::errc::no_such_file_or_directory));
  return Tools;
}

/// Fails where our checks find nothing in code that has a hazard.
static Error proveOursRun(const TidyTools &Tools) {
  Expected<TemporaryFolder> Folder = TemporaryFolder::make();
  if (!Folder)
    return Folder.takeError();
  std::string Path = Folder->path() + "/canary.cpp";
  if (Error E = writeToOutput(Path, [](raw_ostream &OS) {
        OS << Canary;
        return Error::success();
      }))
    return E;
  Expected<Output> Said = runAndCapture(
      {Tools.ClangTidy, "--load=" + Tools.Plugin, "--checks=-*,linesman-*",
       "--config={}", "--quiet", Path, "--"});
  if (!Said)
    return Said.takeError();
  if (Said->Code == 0 &&
      StringRef(Said->Stdout).contains("[linesman-sentinel-write]"))
    return Error::success();
  return createStringError(
      formatv("the checks do not run: {0} with {1} (LLVM {2}) reports nothing "
              "in code that has a hazard: {3}",
              Tools.ClangTidy, Tools.Plugin, Tools.Major,
              failureLines(Said->Stderr + "\n" + Said->Stdout)));
}

Error proveChecksRun(const TidyTools &Tools, StringRef Checks) {
  // First: where the plugin is none, no name is one of ours.
  if (Error E = proveOursRun(Tools))
    return E;
  // Where no check is enabled at all, it says so and fails.
  Expected<Output> Listed =
      runAndCapture({Tools.ClangTidy, "--load=" + Tools.Plugin, "--config={}",
                     "--checks=" + Checks.str(), "--list-checks"});
  if (!Listed)
    return Listed.takeError();
  if (StringRef(Listed->Stdout).contains("linesman-"))
    return Error::success();
  return createStringError("--checks=" + Checks +
                           ": none of linesman's checks is among them");
}

bool isAssembly(const CompiledUnit &Unit) {
  return is_contained({".s", ".S", ".sx", ".asm", ".nasm"},
                      sys::path::extension(Unit.File));
}

Expected<std::string> findBuild(StringRef Given) {
  constexpr StringLiteral Name = "compile_commands.json";
  if (!Given.empty()) {
    if (sys::fs::exists(Given + "/" + Name))
      return Given.str();
    return createFileError(Given, createStringError("no " + Name + " there"));
  }
  SmallString<256> Current;
  if (std::error_code EC = sys::fs::current_path(Current))
    return createFileError(".", EC);
  for (StringRef Folder = Current; !Folder.empty();
       Folder = sys::path::parent_path(Folder))
    for (StringRef Below : {"", "/build"})
      if (sys::fs::exists(Folder + Below + "/" + Name))
        return (Folder + Below).str();
  return createStringError(
      "no " + Name +
      " here, in build or above: configure with cmake "
      "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON, build with 'bear -- make', or name "
      "its folder with -p");
}

Expected<std::vector<CompiledUnit>> readUnits(StringRef Build) {
  std::string Path = (Build + "/compile_commands.json").str();
  Expected<json::Value> Root = guard::readJson(Path);
  if (!Root)
    return Root.takeError();
  const json::Array *Entries = Root->getAsArray();
  std::vector<CompiledUnit> Units;
  StringSet<> Seen;
  if (Entries)
    for (const json::Value &Entry : *Entries)
      if (const json::Object *Object = Entry.getAsObject())
        if (std::optional<CompiledUnit> Unit = readUnit(*Object))
          if (Seen.insert(Unit->File).second)
            Units.push_back(std::move(*Unit));
  if (Units.empty())
    return createFileError(Path, createStringError("no unit in it"));
  return Units;
}

Expected<std::vector<UnitResult>>
runTidy(const TidyTools &Tools, const TidyRun &Run,
        ArrayRef<CompiledUnit> Units,
        function_ref<void(size_t, size_t, StringRef)> Done) {
  Expected<TemporaryFolder> Folder = TemporaryFolder::make();
  if (!Folder)
    return Folder.takeError();
  std::vector<UnitResult> Results(Units.size());
  std::mutex Counting;
  size_t Count = 0;
  DefaultThreadPool Pool(hardware_concurrency(Run.Jobs));
  for (size_t I = 0; I != Units.size(); ++I)
    Pool.async([&, I] {
      Results[I] = checkUnit(Tools, Run, Units[I],
                             formatv("{0}/{1}.yaml", Folder->path(), I).str());
      std::lock_guard<std::mutex> Lock(Counting);
      Done(++Count, Units.size(), Units[I].File);
    });
  Pool.wait();
  return Results;
}

} // namespace linesman::drive
