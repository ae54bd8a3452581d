// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Looks for a debug file, and proves that it is the right one: by its build ID,
// by the checksum in .gnu_debuglink, and by the addresses of its sections.

#include "linesman/Input/DebugFile.h"
#include "ElfSections.h"
#include "linesman/Guard/Document.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/BuildID.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/CRC.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace llvm::object;

namespace linesman::input {

namespace {

BuildID readBuildId(MemoryBufferRef File) {
  Expected<std::unique_ptr<ObjectFile>> Object =
      ObjectFile::createELFObjectFile(File);
  if (!Object) {
    consumeError(Object.takeError());
    return {};
  }
  return BuildID(getBuildID(Object->get()));
}

/// The section .gnu_debuglink.
struct DebugLink {
  StringRef Name;
  uint32_t Checksum = 0;
};

std::optional<DebugLink> readDebugLink(const ElfFile &Elf) {
  Expected<const ElfSection *> Section = findSection(Elf, ".gnu_debuglink");
  if (!Section) {
    consumeError(Section.takeError());
    return std::nullopt;
  }
  if (!*Section)
    return std::nullopt;
  Expected<ArrayRef<uint8_t>> Bytes = Elf.getSectionContents(**Section);
  if (!Bytes) {
    consumeError(Bytes.takeError());
    return std::nullopt;
  }
  // A name with its zero, padded to four bytes, and a checksum.
  StringRef Text = toStringRef(*Bytes);
  DebugLink Link;
  Link.Name = Text.take_until([](char C) { return !C; });
  size_t Position = alignTo(Link.Name.size() + 1, 4);
  if (Link.Name.empty() || Position + 4 > Text.size())
    return std::nullopt;
  Link.Checksum = support::endian::read32le(Text.data() + Position);
  return Link;
}

/// Stripping moves no section that is loaded.
Error checkSections(const ElfFile &Binary, const ElfFile &Debug) {
  Expected<WritableSections> Loaded = readSections(Binary);
  if (!Loaded)
    return Loaded.takeError();
  return matchSections(*Loaded, Debug).takeError();
}

class FileFinder {
public:
  FileFinder(MemoryBufferRef Binary, const DebugSearch &Search)
      : Binary(Binary), Search(Search), Id(readBuildId(Binary)) {
    Result.BuildId = toHex(Id, /*LowerCase=*/true);
  }

  Expected<DebugFile> find() && {
    Expected<ElfFile> Elf = openElf(Binary.getBuffer());
    if (!Elf)
      return Elf.takeError();
    if (!Search.File.empty()) {
      if (Error E = take(*Elf, Search.File, std::nullopt))
        return std::move(E);
      return std::move(Result);
    }
    if (!Id.empty())
      if (std::optional<std::string> Path =
              BuildIDFetcher(Search.Folders).fetch(Id))
        if (tryToTake(*Elf, *Path, std::nullopt))
          return std::move(Result);
    if (std::optional<DebugLink> Link = readDebugLink(*Elf))
      for (const std::string &Path : placesOf(Link->Name))
        if (sys::fs::exists(Path) &&
            !sys::fs::equivalent(Path, Binary.getBufferIdentifier()) &&
            tryToTake(*Elf, Path, Link->Checksum))
          break;
    return std::move(Result);
  }

private:
  MemoryBufferRef Binary;
  const DebugSearch &Search;
  BuildID Id;
  DebugFile Result;

  std::vector<std::string> placesOf(StringRef Name) const {
    SmallString<256> Folder;
    if (sys::fs::real_path(Binary.getBufferIdentifier(), Folder))
      Folder = Binary.getBufferIdentifier();
    sys::path::remove_filename(Folder);
    std::vector<std::string> Paths;
    auto Add = [&](StringRef Directory, const Twine &Below) {
      SmallString<256> Path = Directory;
      sys::path::append(Path, Below, Name);
      Paths.push_back(Path.str().str());
    };
    Add(Folder, "");
    Add(Folder, ".debug");
    for (const std::string &Global : Search.Folders)
      Add(Global, sys::path::relative_path(Folder));
    return Paths;
  }

  bool tryToTake(const ElfFile &Elf, const std::string &Path,
                 std::optional<uint32_t> Checksum) {
    Error E = take(Elf, Path, Checksum);
    if (!E)
      return true;
    Result.Rejected.push_back("not used: " + toString(std::move(E)));
    return false;
  }

  Error take(const ElfFile &Elf, const std::string &Path,
             std::optional<uint32_t> Checksum) {
    Expected<std::unique_ptr<MemoryBuffer>> File = guard::mapFile(Path);
    if (!File)
      return File.takeError();
    if (Error E = check(Elf, **File, Checksum))
      return createFileError(Path, std::move(E));
    Result.Bytes = std::move(*File);
    return Error::success();
  }

  Error check(const ElfFile &Elf, const MemoryBuffer &File,
              std::optional<uint32_t> Checksum) {
    Expected<ElfFile> Debug = openElf(File.getBuffer());
    if (!Debug)
      return Debug.takeError();
    BuildID Read = readBuildId(File.getMemBufferRef());
    if (!Read.empty() && !Id.empty() && Read != Id)
      return createStringError(
          "debug information of another binary: its build ID is " +
          toHex(Read, true) + ", the binary's is " + Result.BuildId);
    if (Checksum)
      if (uint32_t Sum = crc32(arrayRefFromStringRef(File.getBuffer()));
          Sum != *Checksum)
        return createStringError(
            "debug information of another binary: its checksum is " +
            utohexstr(Sum, true) + ", the binary's .gnu_debuglink says " +
            utohexstr(*Checksum, true));
    if (Error E = checkSections(Elf, *Debug))
      return createStringError("debug information of another binary: " +
                               toString(std::move(E)));
    return Error::success();
  }
};

} // namespace

Expected<DebugFile> findDebugFile(MemoryBufferRef Binary,
                                  const DebugSearch &Search) {
  return FileFinder(Binary, Search).find();
}

} // namespace linesman::input
