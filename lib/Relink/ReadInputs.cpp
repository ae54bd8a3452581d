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
#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/Magic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Parallel.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace llvm::object;

namespace linesman::relink {

namespace {

bool isSource(StringRef Path) {
  return StringSwitch<bool>(sys::path::extension(Path))
      .Cases({".c", ".cc", ".cpp", ".cxx", ".C", ".s", ".S"}, true)
      .Default(false);
}

class Reader {
public:
  Reader(const Link &From, LinkInputs &Inputs) : From(From), Inputs(Inputs) {}

  Error run() {
    findFolders();
    ArrayRef<std::string> Command = From.Command;
    std::vector<OutputWord> Outputs = findOutputWords(Command);
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
      std::string Path = From.path(Word);
      if (std::optional<std::string> Library = findLibrary(Word))
        Path = *Library;
      else if (Word.starts_with("-"))
        continue;
      Files.push_back({I, std::move(Path), nullptr});
    }
    // Large links have thousands: all cores open them.
    parallelForEach(Files, open);
    for (NamedFile &File : Files)
      if (Error E = readFile(File))
        return E;
    findIntermediateCode();
    return Error::success();
  }

private:
  const Link &From;
  LinkInputs &Inputs;
  std::vector<std::string> Folders;
  bool ArchivesOnly = false;
  /// What it was at each --push-state.
  SmallVector<bool> Saved;
  struct NamedFile {
    size_t Argument;
    std::string Path;
    /// Null where it is no file, or an unreadable one: the linker will say so.
    std::unique_ptr<MemoryBuffer> Buffer;
  };
  std::vector<NamedFile> Files;

  static void open(NamedFile &File) {
    if (isSource(File.Path) || !sys::fs::is_regular_file(File.Path))
      return;
    if (auto Buffer = MemoryBuffer::getFile(File.Path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false))
      File.Buffer = std::move(*Buffer);
  }

  void findFolders() {
    ArrayRef<std::string> Command = From.Command;
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
      Folders.push_back(From.path(Folder));
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

  Error readFile(NamedFile &File) {
    const std::string &Path = File.Path;
    if (isSource(Path) && sys::fs::is_regular_file(Path))
      ++Inputs.Sources;
    if (!File.Buffer)
      return Error::success();
    auto Known = find_if(Inputs.Archives, [&](const InputArchive &Archive) {
      return Archive.Path == Path;
    });
    if (Known != Inputs.Archives.end()) {
      Known->Arguments.push_back(File.Argument);
      return Error::success();
    }
    file_magic Magic = identify_magic(File.Buffer->getBuffer());
    if (Magic == file_magic::bitcode)
      ++Inputs.LtoObjects;
    if (Magic != file_magic::elf_relocatable && Magic != file_magic::archive)
      return Error::success();
    Inputs.Files.push_back(std::move(File.Buffer));
    MemoryBufferRef Buffer = Inputs.Files.back()->getMemBufferRef();
    if (Magic == file_magic::archive)
      return readArchive(File.Argument, Path, Buffer);
    InputObject Object;
    Object.Argument = File.Argument;
    Object.Path = Path;
    Object.Bytes = Buffer.getBuffer();
    Inputs.Objects.push_back(std::move(Object));
    return Error::success();
  }

  Error readArchive(size_t Argument, const std::string &Path,
                    MemoryBufferRef Buffer) {
    Expected<std::unique_ptr<Archive>> Parsed = Archive::create(Buffer);
    if (!Parsed)
      return createFileError(Path, Parsed.takeError());
    Error Problem = Error::success();
    for (const Archive::Child &Member : (*Parsed)->children(Problem)) {
      Expected<StringRef> Bytes = Member.getBuffer();
      Expected<StringRef> Name = Member.getName();
      if (!Bytes || !Name)
        return createFileError(Path,
                               joinErrors(Bytes.takeError(), Name.takeError()));
      file_magic Magic = identify_magic(*Bytes);
      if (Magic == file_magic::bitcode)
        ++Inputs.LtoObjects;
      if (Magic != file_magic::elf_relocatable)
        continue;
      InputObject Object;
      Object.Argument = Argument;
      Object.Path = (Path + "(" + *Name + ")").str();
      Object.Bytes = *Bytes;
      Object.Archive = Inputs.Archives.size();
      Object.MemberOffset = Member.getChildOffset();
      Inputs.Objects.push_back(std::move(Object));
    }
    if (Problem)
      return createFileError(Path, std::move(Problem));
    Inputs.Archives.push_back({{Argument}, Path, std::move(*Parsed)});
    return Error::success();
  }

  /// Machine objects that hold it too are a compiler's for a linker's plugin.
  void findIntermediateCode() {
    if (any_of(From.Command, [](StringRef Word) {
          return Word.trim('-').starts_with("plugin");
        }))
      parallelFor(0, Inputs.Objects.size(), [&](size_t I) {
        Inputs.Objects[I].Code = codeKindOf(Inputs.Objects[I].Bytes);
      });
  }
};

} // namespace

Expected<LinkInputs> readInputs(const Link &From) {
  LinkInputs Inputs;
  if (Error E = Reader(From, Inputs).run())
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
