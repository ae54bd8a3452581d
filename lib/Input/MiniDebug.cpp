// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM decompresses zlib and zstd only; the stream is liblzma's to read.

#include "MiniDebug.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include <lzma.h>

using namespace llvm;
using namespace llvm::object;

namespace linesman::input {

static constexpr StringLiteral SectionName = ".gnu_debugdata";
/// Fedora's largest are some 10 MB: names, and no code or data. A small section
/// can claim to become a million times larger.
static constexpr size_t MostUnpackedBytes = size_t(64) << 20;
/// What the decoder may take for itself: xz -9 needs 65 MB.
static constexpr uint64_t MostMemory = uint64_t(128) << 20;

static Expected<SmallVector<char, 0>> decompress(ArrayRef<uint8_t> Bytes) {
  lzma_stream Stream = LZMA_STREAM_INIT;
  if (lzma_stream_decoder(&Stream, MostMemory, 0) != LZMA_OK)
    return createStringError("no memory for a decoder of xz");
  scope_exit End([&] { lzma_end(&Stream); });
  SmallVector<char, 0> Result;
  Stream.next_in = Bytes.data();
  Stream.avail_in = Bytes.size();
  constexpr size_t Step = size_t(1) << 20;
  lzma_ret Status = LZMA_OK;
  while (Status == LZMA_OK) {
    size_t Known = Result.size();
    if (Known >= MostUnpackedBytes)
      return createStringError("it holds more than %zu MB",
                               MostUnpackedBytes >> 20);
    Result.resize_for_overwrite(Known + Step);
    Stream.next_out = reinterpret_cast<uint8_t *>(Result.data() + Known);
    Stream.avail_out = Step;
    Status = lzma_code(&Stream, LZMA_FINISH);
    Result.truncate(Known + Step - Stream.avail_out);
  }
  if (Status != LZMA_STREAM_END)
    return createStringError("it is no xz stream, or a damaged one");
  return Result;
}

/// Whether names are in the string table: nobody looks again.
static Error checkSymbols(const ElfFile &Elf) {
  auto Headers = Elf.sections();
  if (!Headers)
    return Headers.takeError();
  for (const ElfSection &Header : *Headers) {
    if (Header.sh_type != ELF::SHT_SYMTAB && Header.sh_type != ELF::SHT_DYNSYM)
      continue;
    auto Symbols = Elf.symbols(&Header);
    if (!Symbols)
      return Symbols.takeError();
    Expected<StringRef> Strings = Elf.getStringTableForSymtab(Header);
    if (!Strings)
      return Strings.takeError();
    for (const ELF64LE::Sym &S : *Symbols)
      if (S.st_name >= Strings->size())
        return createStringError("a symbol's name is beyond its string table");
  }
  return Error::success();
}

Expected<std::unique_ptr<MemoryBuffer>> readMiniDebug(const ElfFile &Elf) {
  Expected<const ElfSection *> Section = findSection(Elf, SectionName);
  if (!Section)
    return Section.takeError();
  if (!*Section)
    return nullptr;
  Expected<ArrayRef<uint8_t>> Bytes = Elf.getSectionContents(**Section);
  if (!Bytes)
    return Bytes.takeError();
  Expected<SmallVector<char, 0>> Held = decompress(*Bytes);
  if (!Held)
    return Held.takeError();
  auto File = std::make_unique<SmallVectorMemoryBuffer>(
      std::move(*Held), SectionName, /*RequiresNullTerminator=*/false);
  Expected<ElfFile> Mini = openElf(File->getBuffer());
  if (!Mini)
    return Mini.takeError();
  if (Error E = checkSymbols(*Mini))
    return std::move(E);
  return File;
}

} // namespace linesman::input
