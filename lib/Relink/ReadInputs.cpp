// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inputs of a link. Every argument that is a file is an input, whatever
// option it may belong to: the first bytes say what it is. Libraries are looked
// up in the -L folders, shared objects before archives, as linkers do.

#include "InputObject.h"
#include "LinkCommand.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Parallel.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace llvm::object;

namespace linesman::relink {

namespace {

bool isNamedLikeSource(StringRef Path) {
  return StringSwitch<bool>(sys::path::extension(Path))
      .Cases({".c", ".cc", ".cpp", ".cxx", ".C", ".s", ".S"}, true)
      .Default(false);
}

bool isNamedLikeObject(StringRef Path) {
  return is_contained({".o", ".lo", ".obj", ".a"}, sys::path::extension(Path));
}

class Reader {
public:
  Reader(const Link &Original, LinkInputs &Inputs)
      : Original(Original), Inputs(Inputs) {}

  Error run() {
    findFolders();
    ArrayRef<std::string> Command = Original.Command;
    std::vector<OutputWord> Outputs = findOutputWords(Command);
    StringMap<size_t> Positions; // in Files, by path
    for (size_t I = 1; I < Command.size(); ++I) {
      StringRef Word = Command[I];
      if (any_of(Outputs, [&](OutputWord W) { return W.Position == I; }))
        continue;
      if (StringSwitch<bool>(Word)
              .Cases({"-Bstatic", "-static", "-dn", "-non_shared"}, true)
              .Default(false))
        ArchivesOnly = true;
      else if (StringSwitch<bool>(Word)
                   .Cases({"-Bdynamic", "-dy", "-call_shared"}, true)
                   .Default(false))
        ArchivesOnly = false;
      else if (Word == "--push-state" || Word == "-push-state")
        Saved.push_back(ArchivesOnly);
      else if ((Word == "--pop-state" || Word == "-pop-state") &&
               !Saved.empty())
        ArchivesOnly = Saved.pop_back_val();
      std::string Path = Original.path(Word);
      if (std::optional<std::string> Library = findLibrary(Word))
        Path = *Library;
      else if (Word.starts_with("-"))
        continue;
      auto [Known, IsNew] = Positions.try_emplace(Path, Files.size());
      if (IsNew)
        Files.emplace_back().Path = std::move(Path);
      Files[Known->second].Arguments.push_back(I);
    }
    // Large links have thousands: all cores read them.
    if (Error E = parallelForEachError(Files, readFile))
      return E;
    for (NamedFile &File : Files) {
      if (File.Is == NamedFile::Presence::Missing &&
          isNamedLikeObject(File.Path))
        Inputs.Missing.push_back(Command[File.Arguments.front()]);
      add(File);
    }
    findIntermediateCode();
    return Error::success();
  }

private:
  const Link &Original;
  LinkInputs &Inputs;
  std::vector<std::string> Folders;
  bool ArchivesOnly = false;
  /// What it was at each --push-state.
  SmallVector<bool> Saved;
  struct NamedFile {
    std::string Path;
    /// Every place of the command that names it.
    std::vector<size_t> Arguments;
    enum class Presence : uint8_t { There, Missing } Is = Presence::There;
    sys::fs::file_status Status;
    /// Null where there is nothing to read: the linker will say why.
    std::unique_ptr<MemoryBuffer> Buffer;
    /// Null for an object.
    std::unique_ptr<Archive> Parsed;
    /// The object, or the archive's members.
    std::vector<InputObject> Objects;
    unsigned LtoObjects = 0, Sources = 0;
  };
  std::vector<NamedFile> Files;

  void findFolders() {
    ArrayRef<std::string> Command = Original.Command;
    std::string Root;
    for (size_t I = 1; I < Command.size(); ++I) {
      StringRef Word = Command[I];
      if (Word.consume_front("--sysroot="))
        Root = Word;
      std::string Folder;
      if (Word == "-L" && I + 1 < Command.size())
        Folder = Command[++I];
      else if (Word.consume_front("-L") ||
               Word.consume_front("--library-path="))
        Folder = Word;
      else
        continue;
      if (StringRef(Folder).starts_with("="))
        Folder = Root + Folder.substr(1);
      Folders.push_back(Original.path(Folder));
    }
  }

  std::optional<std::string> findLibrary(StringRef Word) const {
    if (!Word.consume_front("-l") && !Word.consume_front("--library="))
      return std::nullopt;
    for (const std::string &Folder : Folders) {
      std::string Shared = (Folder + "/lib" + Word + ".so").str();
      std::string Static = (Folder + "/lib" + Word + ".a").str();
      if (Word.starts_with(":"))
        Static = (Folder + "/" + Word.drop_front()).str();
      else if (!ArchivesOnly && sys::fs::exists(Shared))
        return std::nullopt;
      if (sys::fs::exists(Static))
        return Static;
    }
    return std::nullopt;
  }

  static Error readFile(NamedFile &File) {
    sys::fs::file_status Status;
    if (sys::fs::status(File.Path, Status) ==
        std::errc::no_such_file_or_directory)
      File.Is = NamedFile::Presence::Missing;
    if (!sys::fs::is_regular_file(Status))
      return Error::success();
    File.Status = Status;
    if (isNamedLikeSource(File.Path)) {
      ++File.Sources;
      return Error::success();
    }
    ErrorOr<std::unique_ptr<MemoryBuffer>> Read =
        MemoryBuffer::getFile(File.Path, /*IsText=*/false,
                              /*RequiresNullTerminator=*/false);
    if (!Read)
      return Error::success();
    file_magic Magic = identify_magic((*Read)->getBuffer());
    if (Magic == file_magic::bitcode)
      ++File.LtoObjects;
    if (Magic != file_magic::elf_relocatable && Magic != file_magic::archive)
      return Error::success();
    File.Buffer = std::move(*Read);
    if (Magic == file_magic::archive)
      return readArchive(File);
    InputObject &Object = File.Objects.emplace_back();
    Object.Path = File.Path;
    Object.Bytes = File.Buffer->getBuffer();
    return Error::success();
  }

  static Error readArchive(NamedFile &File) {
    Expected<std::unique_ptr<Archive>> Parsed =
        Archive::create(File.Buffer->getMemBufferRef());
    if (!Parsed)
      return createFileError(File.Path, Parsed.takeError());
    Error Problem = Error::success();
    for (const Archive::Child &Member : (*Parsed)->children(Problem)) {
      Expected<StringRef> Bytes = Member.getBuffer();
      Expected<StringRef> Name = Member.getName();
      if (!Bytes || !Name)
        return createFileError(File.Path,
                               joinErrors(Bytes.takeError(), Name.takeError()));
      file_magic Magic = identify_magic(*Bytes);
      if (Magic == file_magic::bitcode)
        ++File.LtoObjects;
      if (Magic != file_magic::elf_relocatable)
        continue;
      InputObject &Object = File.Objects.emplace_back();
      Object.Path = (File.Path + "(" + *Name + ")").str();
      Object.Bytes = *Bytes;
      Object.MemberOffset = Member.getChildOffset();
    }
    if (Problem)
      return createFileError(File.Path, std::move(Problem));
    File.Parsed = std::move(*Parsed);
    return Error::success();
  }

  void add(NamedFile &File) {
    Inputs.LtoObjects += File.LtoObjects;
    Inputs.Sources += File.Sources;
    if (File.Buffer || File.LtoObjects)
      Inputs.Paths.push_back(File.Path);
    if (!File.Buffer)
      return;
    Inputs.Read.push_back({File.Path, File.Status});
    Inputs.Files.push_back(std::move(File.Buffer));
    if (!File.Parsed) {
      // Named twice, it is linked twice.
      for (size_t Argument : File.Arguments)
        Inputs.Objects.emplace_back(File.Objects.front()).Argument = Argument;
      return;
    }
    for (InputObject &Object : File.Objects) {
      Object.Argument = File.Arguments.front();
      Object.Archive = Inputs.Archives.size();
      Inputs.Objects.push_back(std::move(Object));
    }
    Inputs.Archives.push_back({std::move(File.Arguments), std::move(File.Path),
                               std::move(File.Parsed)});
  }

  /// Machine objects that hold it too are a compiler's for a linker's plugin.
  void findIntermediateCode() {
    if (any_of(Original.Command, [](StringRef Word) {
          return Word.trim('-').starts_with("plugin");
        }))
      parallelFor(0, Inputs.Objects.size(), [&](size_t I) {
        Inputs.Objects[I].Code = codeKindOf(Inputs.Objects[I].Bytes);
      });
  }
};

} // namespace

Expected<LinkInputs> readInputs(const Link &Original) {
  LinkInputs Inputs;
  if (Error E = Reader(Original, Inputs).run())
    return std::move(E);
  return Inputs;
}

/// Large links have thousands of objects: all cores read.
Error readDefinitionsOf(LinkInputs &Inputs, ArrayRef<size_t> Objects) {
  std::vector<std::string> Problems(Objects.size());
  parallelFor(0, Objects.size(), [&](size_t I) {
    InputObject &Object = Inputs.Objects[Objects[I]];
    if (Object.HasDefinitions)
      return;
    if (Error E = readDefinitions(Object))
      Problems[I] = toString(std::move(E));
    Object.HasDefinitions = true;
  });
  for (auto [I, Problem] : enumerate(Problems))
    if (!Problem.empty())
      return createFileError(Inputs.Objects[Objects[I]].Path,
                             createStringError(Problem));
  return Error::success();
}

Error readAllDefinitions(LinkInputs &Inputs) {
  return readDefinitionsOf(Inputs,
                           to_vector(seq<size_t>(Inputs.Objects.size())));
}

} // namespace linesman::relink
