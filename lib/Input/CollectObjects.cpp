// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects are told by their first bytes, not by their names. Of a folder,
// archives are left out: their members are built somewhere below it, and would
// count twice.

#include "CollectObjects.h"
#include "linesman/Guard/Document.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include <algorithm>

using namespace llvm;

namespace linesman::input {

namespace {

enum class FileKind : uint8_t { Other, Object, Archive, Bitcode };

FileKind kindOf(StringRef Bytes) {
  if (Bytes.starts_with("!<arch>\n") || Bytes.starts_with("!<thin>\n"))
    return FileKind::Archive;
  if (Bytes.starts_with(StringRef("BC\xC0\xDE")) ||
      Bytes.starts_with(StringRef("\xDE\xC0\x17\x0B")))
    return FileKind::Bitcode;
  constexpr size_t TypeOffset = 16;
  if (Bytes.starts_with(StringRef(ELF::ElfMagic)) &&
      Bytes.size() >= TypeOffset + 2 &&
      Bytes[ELF::EI_CLASS] == ELF::ELFCLASS64 &&
      Bytes[ELF::EI_DATA] == ELF::ELFDATA2LSB &&
      support::endian::read16le(Bytes.data() + TypeOffset) == ELF::ET_REL)
    return FileKind::Object;
  return FileKind::Other;
}

Error addFolder(StringRef Path, CollectedObjects &Collected) {
  std::vector<std::string> Paths;
  std::error_code EC;
  for (sys::fs::recursive_directory_iterator
           It(Path, EC, /*follow_symlinks=*/false),
       End;
       It != End && !EC; It.increment(EC))
    if (It->type() == sys::fs::file_type::regular_file)
      Paths.push_back(It->path());
  if (EC)
    return createFileError(Path, EC);
  std::sort(Paths.begin(), Paths.end());
  for (const std::string &Name : Paths) {
    // Most files of a build folder are none of ours, and of what is mapped only
    // the first page is read.
    Expected<std::unique_ptr<MemoryBuffer>> File = guard::mapFile(Name);
    if (!File) {
      consumeError(File.takeError());
      continue;
    }
    FileKind Kind = kindOf((*File)->getBuffer());
    Collected.Bitcode += Kind == FileKind::Bitcode;
    if (Kind != FileKind::Object)
      continue;
    Collected.Objects.push_back((*File)->getMemBufferRef());
    Collected.Files.push_back(std::move(*File));
  }
  return Error::success();
}

Error addArchive(MemoryBufferRef File, CollectedObjects &Collected) {
  Expected<std::unique_ptr<object::Archive>> Opened =
      object::Archive::create(File);
  if (!Opened)
    return Opened.takeError();
  Collected.Archive = std::move(*Opened);
  Error Problem = Error::success();
  for (const object::Archive::Child &Member :
       Collected.Archive->children(Problem)) {
    Expected<MemoryBufferRef> Bytes = Member.getMemoryBufferRef();
    if (!Bytes)
      return joinErrors(std::move(Problem), Bytes.takeError());
    FileKind Kind = kindOf(Bytes->getBuffer());
    Collected.Bitcode += Kind == FileKind::Bitcode;
    if (Kind == FileKind::Object)
      Collected.Objects.push_back(*Bytes);
  }
  return Problem;
}

Error expectObjects(StringRef Path, const CollectedObjects &Found,
                    StringRef Advice) {
  if (!Found.Objects.empty())
    return Error::success();
  if (Found.Bitcode)
    return createFileError(
        Path,
        createStringError("LLVM bitcode for link-time optimisation: its facts "
                          "are made at the link, so read what was linked"));
  return createFileError(
      Path, createStringError("no relocatable ELF64 objects here" + Advice));
}

} // namespace

bool isUnlinked(StringRef Bytes) { return kindOf(Bytes) != FileKind::Other; }

Expected<CollectedObjects> collectFolder(StringRef Path) {
  CollectedObjects Result;
  if (Error E = addFolder(Path, Result))
    return std::move(E);
  if (Error E = expectObjects(Path, Result,
                              "; linesman scan reads the programs of a folder"))
    return std::move(E);
  return Result;
}

Expected<CollectedObjects> collectFile(std::unique_ptr<MemoryBuffer> File) {
  CollectedObjects Result;
  MemoryBufferRef Bytes = File->getMemBufferRef();
  Result.Files.push_back(std::move(File));
  FileKind Kind = kindOf(Bytes.getBuffer());
  Result.Bitcode += Kind == FileKind::Bitcode;
  if (Kind == FileKind::Object)
    Result.Objects.push_back(Bytes);
  if (Kind == FileKind::Archive)
    if (Error E = addArchive(Bytes, Result))
      return createFileError(Bytes.getBufferIdentifier(), std::move(E));
  if (Error E = expectObjects(Bytes.getBufferIdentifier(), Result, ""))
    return std::move(E);
  return Result;
}

} // namespace linesman::input
