// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a binary: sections and symbols become the image, facts the table of
// accesses.

#include "linesman/Input/ReadBinary.h"
#include "MachineFacts.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/Decompressor.h"
#include <cinttypes>

using namespace llvm;
using namespace llvm::object;

namespace linesman::input {

namespace {

/// The best that the compressions of ELF can do: zstd stores a block of 128 KiB
/// of one byte in four bytes, deflate stays below 1032. A header that claims
/// more is corrupt, and would have us allocate what it likes.
constexpr uint64_t MostExpansion = 32768;

/// The bytes of a section by name, decompressed; nothing if there is none.
Expected<std::optional<StringRef>> readNamed(const ElfFile &Elf, StringRef Name,
                                             Binary &Into) {
  auto Headers = Elf.sections();
  if (!Headers)
    return Headers.takeError();
  for (const ElfSection &Header : *Headers) {
    Expected<StringRef> Found = Elf.getSectionName(Header);
    if (!Found)
      return Found.takeError();
    if (*Found != Name)
      continue;
    Expected<ArrayRef<uint8_t>> Bytes = Elf.getSectionContents(Header);
    if (!Bytes)
      return Bytes.takeError();
    if (!(Header.sh_flags & ELF::SHF_COMPRESSED))
      return toStringRef(*Bytes);
    Expected<Decompressor> D = Decompressor::create(
        Name, toStringRef(*Bytes), /*IsLE=*/true, /*Is64Bit=*/true);
    if (!D)
      return D.takeError();
    if (D->getDecompressedSize() / MostExpansion > Bytes->size())
      return createStringError("section %s claims to expand from %zu bytes to "
                               "%" PRIu64,
                               Name.str().c_str(), Bytes->size(),
                               D->getDecompressedSize());
    SmallVector<uint8_t, 0> &Plain = Into.Decompressed.emplace_back();
    if (Error E = D->resizeAndDecompress(Plain))
      return std::move(E);
    return toStringRef(ArrayRef(Plain));
  }
  return std::nullopt;
}

/// Which functions the facts section speaks for.
struct KnownFunctions {
  DenseSet<uint64_t> Addresses;
  DenseSet<StringRef> Names;

  bool contains(const CodeFunction &F) const {
    // The cold part that a compiler splits off has an address of its own.
    auto [Stem, Part] = F.Name.split(".cold");
    return Addresses.contains(F.Range.Begin.Value) ||
           (Stem.size() != F.Name.size() && Names.contains(Stem));
  }
};

Error readCompilerFacts(const ElfFile &Elf,
                        ArrayRef<layout::LinkAddress> StartUp,
                        layout::AccessJoin &Join, KnownFunctions &Known,
                        Binary &Into) {
  Expected<std::optional<StringRef>> Facts =
      readNamed(Elf, facts::SectionName, Into);
  if (!Facts)
    return Facts.takeError();
  Expected<std::optional<StringRef>> Strings =
      readNamed(Elf, facts::StringSectionName, Into);
  if (!Strings)
    return Strings.takeError();
  if (*Facts) {
    Into.HasFacts = true;
    Expected<std::vector<layout::FunctionSymbol>> Functions =
        readFunctions(Elf);
    if (!Functions)
      return Functions.takeError();
    layout::CallGraphBuilder Calls(*Functions);
    for (layout::LinkAddress Address : StartUp)
      Calls.markStartUp(Address);
    Expected<facts::DecodeCounts> Counts = facts::decodeFacts(
        **Facts, Strings->value_or(""),
        [&](const facts::Fact &Fact) {
          Known.Addresses.insert(Fact.Function);
          Known.Names.insert(Fact.FunctionName);
          Join.add(Fact);
          Calls.addFunction({Fact.Function}, Fact.FunctionName);
          if (Fact.IsInitializer)
            Calls.markStartUp({Fact.Function});
        },
        [&](const facts::Calls &Of) { Calls.add(Of); });
    if (!Counts)
      return Counts.takeError();
    Into.Counts.Facts = *Counts;
    Into.Calls = std::move(Calls).finish();
    Into.Functions = std::move(*Functions);
  }
  return Error::success();
}

Error readFacts(const ElfFile &Elf, std::vector<layout::LinkAddress> StartUp,
                FactsFrom Source, Binary &Into) {
  layout::AccessJoin Join(Into.Image, StartUp);
  KnownFunctions Known;
  if (Source != FactsFrom::Code)
    if (Error E = readCompilerFacts(Elf, StartUp, Join, Known, Into))
      return E;
  if (Source != FactsFrom::Compiler)
    if (Error E = readMachineFacts(
            Elf, Into.Image,
            [&](const CodeFunction &F) { return Known.contains(F); },
            [&](const facts::Fact &Fact) { Join.add(Fact); }, Into.Counts.Code))
      return E;
  Into.Accesses = std::move(Join).finish();
  return Error::success();
}

Error readImage(FactsFrom Source, Binary &Into) {
  Expected<ElfFile> Elf = openElf(Into.File->getBuffer());
  if (!Elf)
    return Elf.takeError();
  Expected<WritableSections> Sections = readSections(*Elf);
  if (!Sections)
    return Sections.takeError();
  Expected<Relocated> Relocations = readRelocated(*Elf);
  if (!Relocations)
    return Relocations.takeError();
  Expected<DataSymbols> Symbols = readSymbols(*Elf, *Sections, *Relocations);
  if (!Symbols)
    return Symbols.takeError();

  Into.Symbols = Symbols->Source;
  Into.Counts.StraySymbols = Symbols->Stray;
  Into.Image = layout::buildImage({std::move(Sections->Sections),
                                   std::move(Symbols->Symbols),
                                   std::move(Symbols->Files)});
  // The symbol table has been read; of its pages only names are needed again.
  Into.File->dontNeedIfMmap();
  return readFacts(*Elf, std::move(Relocations->StartUp), Source, Into);
}

} // namespace

Expected<Binary> readBinary(StringRef Path, FactsFrom Source) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> File =
      MemoryBuffer::getFile(Path, /*IsText=*/false,
                            /*RequiresNullTerminator=*/false);
  if (!File)
    return createFileError(Path, File.getError());
  Binary Result;
  Result.File = std::move(*File);
  if (Error E = readImage(Source, Result))
    return createFileError(Path, std::move(E));
  return Result;
}

} // namespace linesman::input
