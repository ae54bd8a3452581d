// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words in, words out; then a subprocess.

#include "linesman/Drive/CompileFacts.h"
#include "linesman/Process/Subprocess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Regex.h"

using namespace llvm;
using namespace linesman::process;

namespace linesman::drive {

namespace {

constexpr StringLiteral FactsPlugin = "linesman-facts.so";

/// Programs that are put before a compiler.
constexpr StringLiteral Launchers[] = {"ccache", "sccache", "distcc", "icecc"};

/// Their value is the next word, or the rest of the word.
constexpr StringLiteral DroppedWithValue[] = {"-o", "-MF", "-MT", "-MQ"};
constexpr StringLiteral Dropped[] = {"-c",         "-S",  "-E",   "-O0", "-O1",
                                     "-Og",        "-MD", "-MMD", "-MP", "-MG",
                                     "--coverage", "-pg", "-M",   "-MM"};
constexpr StringLiteral DroppedBeginnings[] = {"-Werror",
                                               "-flto",
                                               "-fno-lto",
                                               "-fsanitize",
                                               "-fno-sanitize",
                                               "-fprofile-arcs",
                                               "-ftest-coverage",
                                               "-save-temps",
                                               "-gsplit-dwarf",
                                               "-fpass-plugin=",
                                               "-fprofile-instr-generate",
                                               "-fcoverage-mapping"};

bool isDropped(StringRef Word) {
  return is_contained(Dropped, Word) ||
         any_of(DroppedBeginnings,
                [&](StringRef Begin) { return Word.starts_with(Begin); });
}

/// The compiler's words, without a launcher.
ArrayRef<std::string> skipLauncher(ArrayRef<std::string> Command) {
  while (Command.size() > 1 &&
         is_contained(Launchers, sys::path::filename(Command.front())) &&
         !StringRef(Command[1]).starts_with("-"))
    Command = Command.drop_front();
  return Command;
}

/// g++-12, c++, clang++.
bool isCxxDriver(StringRef Compiler) {
  return sys::path::filename(Compiler).contains("++");
}

/// The first error: later ones may follow from it.
std::string firstError(StringRef Stderr) {
  SmallVector<StringRef> Lines;
  Stderr.split(Lines, '\n');
  auto It = find_if(Lines, [](StringRef L) { return L.contains("error:"); });
  return It == Lines.end() ? Stderr.trim().str() : It->trim().str();
}

} // namespace

Expected<FactsTools> findFactsTools(const TidyTools &Tools, StringRef Program) {
  FactsTools Result;
  StringRef Folder = sys::path::parent_path(Tools.Plugin);
  SmallString<128> Plugin(Folder);
  sys::path::append(Plugin, FactsPlugin);
  if (sys::fs::exists(Plugin))
    Result.Plugin = Plugin.str();
  else
    Result.Plugin = findPlugin(Program, FactsPlugin, Tools.Major);
  if (Result.Plugin.empty())
    return createStringError(
        formatv("there is no {0} for LLVM {1}", FactsPlugin, Tools.Major));
  for (const std::string &Name :
       {formatv("clang-{0}", Tools.Major).str(),
        formatv("/usr/lib/llvm-{0}/bin/clang", Tools.Major).str()})
    if (ErrorOr<std::string> Path = sys::findProgramByName(Name)) {
      Result.Clang = *Path;
      return Result;
    }
  return createStringError(
      formatv("there is no clang-{0} in PATH", Tools.Major));
}

std::vector<std::string> factsCommand(const FactsTools &Tools,
                                      const CompiledUnit &Unit,
                                      StringRef Object) {
  ArrayRef<std::string> Words = skipLauncher(Unit.Command);
  std::vector<std::string> Result = {Tools.Clang};
  if (!Words.empty() && isCxxDriver(Words.front()))
    Result.push_back("--driver-mode=g++");
  bool IsOptimised = false, IsOption = true;
  for (size_t I = 1; I < Words.size(); ++I) {
    StringRef Word = Words[I];
    IsOption &= Word != "--";
    if (IsOption) {
      if (is_contained(DroppedWithValue, Word)) {
        ++I;
        continue;
      }
      if (isDropped(Word) || any_of(DroppedWithValue, [&](StringRef Begin) {
            return Word.starts_with(Begin);
          }))
        continue;
      IsOptimised |= Word.starts_with("-O");
    }
    Result.push_back(Word.str());
  }
  // In front of a "--", behind which all words are files.
  std::vector<std::string> Ours = {
      "-c", "-g",
      // Members of classes that are made elsewhere.
      "-fstandalone-debug", "-w", "-o", Object.str(),
      "-fpass-plugin=" + Tools.Plugin, "-working-directory=" + Unit.Folder};
  if (!IsOptimised)
    Ours.push_back("-O2");
  Result.insert(llvm::find(Result, "--"), Ours.begin(), Ours.end());
  return Result;
}

std::vector<std::string> readUnknownOptions(StringRef Stderr) {
  std::vector<std::string> Result;
  const Regex Says("(unknown argument|unsupported option|unsupported argument)"
                   "[^']*'([^']+)'( to option '([^']+)')?");
  SmallVector<StringRef> Lines;
  Stderr.split(Lines, '\n');
  for (StringRef Line : Lines) {
    SmallVector<StringRef> Groups;
    if (Line.contains("error:") && Says.match(Line, &Groups))
      Result.push_back(Groups[4].empty() ? Groups[2].str()
                                         : (Groups[4] + Groups[2]).str());
  }
  return Result;
}

Error compileFacts(const FactsTools &Tools, const CompiledUnit &Unit,
                   StringRef Object) {
  std::vector<std::string> Command = factsCommand(Tools, Unit, Object);
  // Options of another compiler: clang names all that it does not know at once.
  for (bool IsSecond : {false, true}) {
    Expected<Output> Said = runAndCapture(Command);
    if (!Said)
      return Said.takeError();
    if (Said->Code == 0)
      return Error::success();
    std::vector<std::string> Unknown = readUnknownOptions(Said->Stderr);
    if (IsSecond || Unknown.empty())
      return createFileError(Unit.File,
                             createStringError(firstError(Said->Stderr)));
    erase_if(Command,
             [&](StringRef Word) { return is_contained(Unknown, Word); });
  }
  llvm_unreachable("the second time returns");
}

} // namespace linesman::drive
