// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the options that name side outputs, and puts the files into place.

#include "SideOutputs.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace linesman::relink {

namespace {

constexpr StringLiteral Dependencies = "dependency-file";

/// Those of GNU ld, gold, ld.lld and mold.
struct SideOption {
  StringLiteral Name;
  /// Whether its file may be the next word.
  enum class Form : uint8_t { Joined, Either } File;
} constexpr Options[] = {
    {"Map", SideOption::Form::Either},
    {Dependencies, SideOption::Form::Either},
    {"out-implib", SideOption::Form::Either},
    {"print-archive-stats", SideOption::Form::Joined},
    {"print-symbol-order", SideOption::Form::Joined},
    {"why-extract", SideOption::Form::Joined},
};

} // namespace

SideOutputs::SideOutputs(Link &Original, const ScratchFolder &Scratch) {
  for (size_t I = 1; I < Original.Command.size(); ++I) {
    StringRef Word = Original.Command[I];
    if (!Word.consume_front("--") && !Word.consume_front("-"))
      continue;
    for (const SideOption &Option : Options) {
      StringRef File = Word;
      if (!File.consume_front(Option.Name))
        continue;
      bool IsNext = File.empty() && Option.File == SideOption::Form::Either &&
                    I + 1 != Original.Command.size();
      if (IsNext)
        File = Original.Command[I + 1];
      else if (!File.consume_front("="))
        continue;
      std::string Wanted = Original.path(File);
      // GNU ld derives a name in a folder; "-" is stdout.
      if (File.empty() || File == "-" || sys::fs::is_directory(Wanted))
        break;
      std::string Made = Scratch.file("side" + Twine(All.size()));
      All.push_back({Option.Name == Dependencies, Made, std::move(Wanted)});
      std::string &Names = Original.Command[I + (IsNext ? 1 : 0)];
      Names.replace(Names.size() - File.size(), File.size(), Made);
      I += IsNext;
      break;
    }
  }
}

void SideOutputs::keepDependencies(Link &Next) const {
  for (const SideOutput &Side : All)
    for (std::string &Word : Next.Command)
      if (Side.IsDependencies && StringRef(Word).ends_with(Side.Made))
        Word += ".dropped";
}

Error SideOutputs::write(function_ref<std::string(StringRef)> Rename) const {
  for (const SideOutput &Side : All) {
    if (!sys::fs::exists(Side.Made))
      continue;
    auto Text = MemoryBuffer::getFile(Side.Made);
    if (!Text)
      return createFileError(Side.Made, Text.getError());
    if (Error E = writeFile(Side.Wanted, Rename((*Text)->getBuffer())))
      return E;
  }
  return Error::success();
}

} // namespace linesman::relink
