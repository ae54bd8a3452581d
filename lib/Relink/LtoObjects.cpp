// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Native objects of a link-time optimizer. Each is asked in its own words to
// leave them:
//
//     ld.lld     --lto-obj-path=FILE: FILE, FILE1, FILE2...
//     LLVMgold   -plugin-opt=obj-path=FILE (GNU ld, gold, mold)
//     GCC        its plugin runs lto-wrapper, which prints the names of the
//                objects; a script in its place copies them

#include "LtoObjects.h"
#include "LinkCommand.h"
#include "linesman/Guard/Document.h"
#include "linesman/Guard/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace llvm::object;

namespace linesman::relink {

namespace {

class LtoLink {
public:
  LtoLink(const Link &Original, const LinkInputs &Inputs,
          const ScratchFolder &Scratch)
      : Original(Original), Inputs(Inputs), Scratch(Scratch) {}

  Expected<NativeLink> run() {
    if (std::error_code EC = sys::fs::create_directories(Folder))
      return createFileError(Folder, EC);
    Link Asks = Original;
    if (Error E = askForObjects(Asks.Command))
      return std::move(E);
    Asks.Command = withOutput(std::move(Asks.Command), Scratch.file("lto.out"));
    Expected<std::string> Said = runLink(Asks, Scratch.path());
    if (!Said)
      return Said.takeError();
    Expected<std::vector<std::string>> Objects = findObjects();
    if (!Objects)
      return Objects.takeError();
    Link Native = Original;
    Native.Command = withObjects(*Objects);
    return NativeLink{std::move(Native), std::move(*Said)};
  }

private:
  const Link &Original;
  const LinkInputs &Inputs;
  const ScratchFolder &Scratch;
  std::string Folder = Scratch.file("lto");

  Error askForObjects(std::vector<std::string> &Command) const {
    bool HasPlugin = false;
    for (size_t I = 1; I < Command.size(); ++I) {
      StringRef Word = Command[I];
      HasPlugin |= (Word == "-plugin" || Word == "--plugin") &&
                   I + 1 < Command.size() &&
                   StringRef(Command[I + 1]).contains("LLVMgold");
      if (Word.consume_front("-plugin-opt=") && Word.ends_with("lto-wrapper")) {
        std::string Script = Folder + "/lto-wrapper";
        if (Error E = writeScript(Script, Word))
          return E;
        Command[I] = "-plugin-opt=" + Script;
        return Error::success();
      }
    }
    Command.push_back(
        (HasPlugin ? "-plugin-opt=obj-path=" : "--lto-obj-path=") + Folder +
        "/lto.o");
    return Error::success();
  }

  Error writeScript(StringRef Path, StringRef Real) const {
    std::string Text =
        formatv("#!/bin/sh\n"
                "objects=$({0} \"$@\") || exit\n"
                "n=0\n"
                "for object in $objects; do\n"
                "  n=$((n + 1))\n"
                "  cp \"$object\" {1}/lto.o$n || exit\n"
                "done\n"
                "printf '%s\\n' \"$objects\"\n",
                guard::quoteForShell(Real), guard::quoteForShell(Folder));
    if (Error E = writeFile(Path, Text))
      return E;
    if (std::error_code EC =
            sys::fs::setPermissions(Path, sys::fs::all_read | sys::fs::all_exe))
      return createFileError(Path, EC);
    return Error::success();
  }

  /// "lto.o", "lto.o1", ... in the order in which they were linked.
  Expected<std::vector<std::string>> findObjects() const {
    std::vector<std::pair<unsigned, std::string>> Found;
    std::error_code EC;
    for (sys::fs::directory_iterator It(Folder, EC), End; !EC && It != End;
         It.increment(EC)) {
      StringRef Number = sys::path::filename(It->path());
      unsigned N = 0;
      file_magic Magic;
      if (Number.consume_front("lto.o") &&
          (Number.empty() || !Number.trim('.').getAsInteger(10, N)) &&
          !identify_magic(It->path(), Magic) &&
          Magic == file_magic::elf_relocatable)
        Found.push_back({N, It->path()});
    }
    if (EC)
      return createFileError(Folder, EC);
    if (Found.empty())
      return createStringError(
          "the link has intermediate code, but its optimizer left no native "
          "objects to edit; expected ld.lld, LLVMgold or GCC's plugin");
    llvm::sort(Found);
    std::vector<std::string> Paths;
    for (auto &[N, Path] : Found)
      Paths.push_back(std::move(Path));
    return Paths;
  }

  /// The command with the native objects in the place of the first input of
  /// intermediate code. Archives stay, if they have a member of machine code:
  /// of what the native objects define nothing else is taken.
  std::vector<std::string> withObjects(ArrayRef<std::string> Objects) const {
    std::vector<bool> Drop(Original.Command.size(), false);
    auto IsIntermediate = [&](size_t Argument) {
      Expected<std::unique_ptr<MemoryBuffer>> File =
          guard::mapFile(Original.path(Original.Command[Argument]));
      if (File)
        return identify_magic((*File)->getBuffer()) == file_magic::bitcode;
      consumeError(File.takeError()); // an option, or no file
      return false;
    };
    for (size_t I = 1; I < Original.Command.size(); ++I)
      Drop[I] = IsIntermediate(I);
    for (const InputObject &Object : Inputs.Objects)
      if (!Object.Archive && codeKindOf(Object.Bytes) == CodeKind::Intermediate)
        Drop[Object.Argument] = true;
    for (const InputArchive &Archive : Inputs.Archives)
      if (isAllIntermediate(Archive))
        for (size_t Argument : Archive.Arguments)
          Drop[Argument] = true;

    std::vector<std::string> Result;
    bool Inserted = false;
    for (size_t I = 0; I != Original.Command.size(); ++I) {
      StringRef Word = Original.Command[I];
      if (Drop[I]) {
        if (!Inserted)
          append_range(Result, Objects);
        Inserted = true;
        continue;
      }
      if ((Word == "-plugin" || Word == "--plugin") &&
          I + 1 != Original.Command.size())
        ++I;
      else if (!Word.starts_with("-plugin-opt=") &&
               !Word.starts_with("--plugin-opt="))
        Result.push_back(Word.str());
    }
    if (!Inserted)
      Result.insert(Result.begin() + 1, Objects.begin(), Objects.end());
    return Result;
  }

  static bool isAllIntermediate(const InputArchive &Archive) {
    Error Problem = Error::success();
    bool All = true;
    for (const object::Archive::Child &Member :
         Archive.Archive->children(Problem)) {
      Expected<StringRef> Bytes = Member.getBuffer();
      if (!Bytes)
        consumeError(Bytes.takeError());
      else
        All &= codeKindOf(*Bytes) == CodeKind::Intermediate;
    }
    consumeError(std::move(Problem));
    return All;
  }
};

} // namespace

Expected<NativeLink> linkNativeObjects(const Link &Original,
                                       const LinkInputs &Inputs,
                                       const ScratchFolder &Scratch) {
  return LtoLink(Original, Inputs, Scratch).run();
}

} // namespace linesman::relink
