// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens an ELF file and sorts out its writable sections.

#include "ElfSections.h"
#include "linesman/Facts/Discarded.h"
#include "linesman/Facts/KernelNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Process.h"
#include <cinttypes>
#include <sys/mman.h>

using namespace llvm;
using namespace llvm::object;
using linesman::layout::AddressRange;
using linesman::layout::LinkAddress;

namespace linesman::input {

void giveBack(const MemoryBuffer &File) {
  // MemoryBuffer's own way to say so is posix_madvise, of which glibc makes
  // nothing.
  if (File.getBufferKind() != MemoryBuffer::MemoryBuffer_MMap)
    return;
  const uint64_t Page = sys::Process::getPageSizeEstimate();
  uint64_t Begin = alignTo(uint64_t(File.getBufferStart()), Page);
  uint64_t End = alignDown(uint64_t(File.getBufferEnd()), Page);
  if (Begin < End)
    ::madvise(reinterpret_cast<void *>(Begin), End - Begin, MADV_DONTNEED);
}

Expected<ElfFile> openElf(StringRef Bytes) {
  if (!Bytes.starts_with(StringRef(ELF::ElfMagic)))
    return createStringError("not an ELF file");
  if (Bytes.size() < sizeof(ELF64LE::Ehdr))
    return createStringError("truncated ELF header: %zu bytes", Bytes.size());
  if (Bytes[ELF::EI_CLASS] != ELF::ELFCLASS64)
    return createStringError("a 32-bit ELF file; only 64-bit files are read");
  if (Bytes[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return createStringError(
        "a big-endian ELF file; only little-endian files are read");
  Expected<ElfFile> Elf = ElfFile::create(Bytes);
  if (!Elf)
    return Elf.takeError();
  uint16_t Type = Elf->getHeader().e_type;
  if (Type == ELF::ET_REL)
    return createStringError("a relocatable file, whose objects have no "
                             "addresses yet; link it first");
  if (Type != ELF::ET_EXEC && Type != ELF::ET_DYN)
    return createStringError("ELF type %u is neither an executable nor a "
                             "shared object",
                             unsigned(Type));
  if (Elf->getHeader().e_shoff == 0)
    return createStringError("no section headers");
  return Elf;
}

/// The best that the compressions of ELF can do: zstd stores a block of 128 KiB
/// of one byte in four bytes, deflate stays below 1032. A header that claims
/// more is corrupt, and would have us allocate what it likes.
static constexpr uint64_t MostExpansion = 32768;

Expected<Decompressor> openCompressed(StringRef Name, ArrayRef<uint8_t> Bytes) {
  Expected<Decompressor> D = Decompressor::create(
      Name, toStringRef(Bytes), /*IsLE=*/true, /*Is64Bit=*/true);
  if (D && D->getDecompressedSize() / MostExpansion > Bytes.size())
    return createStringError("section %s claims to expand from %zu bytes to "
                             "%" PRIu64,
                             Name.str().c_str(), Bytes.size(),
                             D->getDecompressedSize());
  return D;
}

/// The bytes that the loader protects after relocation; empty if there are
/// none.
static Expected<AddressRange> findRelro(const ElfFile &Elf) {
  auto Headers = Elf.program_headers();
  if (!Headers)
    return Headers.takeError();
  for (const ELF64LE::Phdr &Header : *Headers)
    if (Header.p_type == ELF::PT_GNU_RELRO)
      return AddressRange{{Header.p_vaddr}, {Header.p_vaddr + Header.p_memsz}};
  return AddressRange{};
}

Expected<bool> isKernel(const ElfFile &Elf) {
  Expected<const ElfSection *> Code =
      findSection(Elf, facts::KernelStartUpCode);
  if (!Code)
    return Code.takeError();
  return *Code && (*Code)->sh_flags & ELF::SHF_EXECINSTR;
}

static std::optional<layout::SectionKind> kernelKind(StringRef Name) {
  if (Name.starts_with(facts::KernelPerCpu))
    return layout::SectionKind::PerCpu;
  if (Name.starts_with(facts::KernelReadOnly))
    return layout::SectionKind::Relro;
  if (facts::isKernelStartUp(Name))
    return layout::SectionKind::StartUp;
  return std::nullopt;
}

Expected<WritableSections> readSections(const ElfFile &Elf) {
  auto Headers = Elf.sections();
  if (!Headers)
    return Headers.takeError();
  Expected<AddressRange> Relro = findRelro(Elf);
  if (!Relro)
    return Relro.takeError();
  Expected<bool> IsKernel = isKernel(Elf);
  if (!IsKernel)
    return IsKernel.takeError();

  struct Numbered {
    layout::Section Section;
    size_t ElfIndex;
  };
  std::vector<Numbered> Found;
  for (auto [ElfIndex, Header] : enumerate(*Headers)) {
    if (!(Header.sh_flags & ELF::SHF_ALLOC) ||
        !(Header.sh_flags & ELF::SHF_WRITE))
      continue;
    Expected<StringRef> Name = Elf.getSectionName(Header);
    if (!Name)
      return Name.takeError();
    layout::Section S;
    S.Name = *Name;
    S.Range = {{Header.sh_addr}, {Header.sh_addr + Header.sh_size}};
    S.Alignment = Header.sh_addralign;
    if (S.Range.End < S.Range.Begin)
      return createStringError("section %s wraps around the address space",
                               Name->str().c_str());
    if (Header.sh_type != ELF::SHT_NOBITS) {
      Expected<ArrayRef<uint8_t>> Bytes = Elf.getSectionContents(Header);
      if (!Bytes)
        return Bytes.takeError();
      S.Contents = toStringRef(*Bytes);
    }
    // Linkers put .data.rel.ro under RELRO; without -z relro it is still a
    // section that nobody writes after start. GNU ld ends RELRO in the middle
    // of .got.plt, after the words that only the loader writes.
    if (Header.sh_flags & ELF::SHF_TLS)
      S.Kind = layout::SectionKind::Tls;
    else if ((Relro->Begin <= S.Range.Begin && S.Range.End <= Relro->End &&
              Relro->size()) ||
             Name->starts_with(".data.rel.ro"))
      S.Kind = layout::SectionKind::Relro;
    else if (std::optional<layout::SectionKind> Kind = kernelKind(*Name))
      S.Kind = *Kind;
    // A kernel's image has its constants and what is constant when it has
    // started in one section, which is writable.
    else if (*IsKernel && *Name == ".rodata")
      S.Kind = layout::SectionKind::Relro;
    Found.push_back({S, ElfIndex});
  }
  if (Found.size() >= ELF::SHN_LORESERVE)
    return createStringError("%zu writable sections; at most 65279 are read",
                             Found.size());

  stable_sort(Found, [](const Numbered &A, const Numbered &B) {
    return A.Section.Range.Begin < B.Section.Range.Begin;
  });
  WritableSections Result;
  Result.Index.resize(Headers->size());
  for (auto [I, N] : enumerate(Found)) {
    Result.Index[N.ElfIndex] = I;
    Result.Sections.push_back(N.Section);
  }
  return Result;
}

Expected<WritableSections> matchSections(const WritableSections &Loaded,
                                         const ElfFile &Debug) {
  auto Headers = Debug.sections();
  if (!Headers)
    return Headers.takeError();
  WritableSections Result;
  Result.Sections = Loaded.Sections;
  Result.Index.resize(Headers->size());
  for (auto [ElfIndex, Header] : enumerate(*Headers)) {
    if (!(Header.sh_flags & ELF::SHF_ALLOC) ||
        !(Header.sh_flags & ELF::SHF_WRITE))
      continue;
    Expected<StringRef> Name = Debug.getSectionName(Header);
    if (!Name)
      return Name.takeError();
    auto Same = find_if(Loaded.Sections, [&](const layout::Section &S) {
      return S.Name == *Name && S.Range.Begin.Value == Header.sh_addr &&
             S.Range.size() == Header.sh_size;
    });
    if (Same == Loaded.Sections.end())
      return createStringError("its section %s is at 0x%" PRIx64
                               " with %" PRIu64 " bytes, the binary's is not",
                               Name->str().c_str(), uint64_t(Header.sh_addr),
                               uint64_t(Header.sh_size));
    Result.Index[ElfIndex] = Same - Loaded.Sections.begin();
  }
  return Result;
}

bool hasSection(const ElfFile &Elf, uint32_t Type) {
  auto Headers = Elf.sections();
  if (!Headers) {
    consumeError(Headers.takeError());
    return false;
  }
  return any_of(*Headers,
                [&](const ElfSection &S) { return S.sh_type == Type; });
}

Expected<const ElfSection *> findSection(const ElfFile &Elf, StringRef Name) {
  auto Headers = Elf.sections();
  if (!Headers)
    return Headers.takeError();
  for (const ElfSection &Header : *Headers) {
    Expected<StringRef> Found = Elf.getSectionName(Header);
    if (!Found)
      return Found.takeError();
    if (*Found == Name)
      return &Header;
  }
  return nullptr;
}

/// Every SHT_RELA entry of the loaded part that \p Visit may want.
static Error
forEachDynamicRelocation(const ElfFile &Elf,
                         function_ref<void(const ELF64LE::Rela &)> Visit) {
  auto Headers = Elf.sections();
  if (!Headers)
    return Headers.takeError();
  for (const ElfSection &Header : *Headers) {
    if (Header.sh_type != ELF::SHT_RELA || !(Header.sh_flags & ELF::SHF_ALLOC))
      continue;
    Expected<ELF64LE::RelaRange> Relocations = Elf.relas(Header);
    if (!Relocations)
      return Relocations.takeError();
    for (const ELF64LE::Rela &R : *Relocations)
      Visit(R);
  }
  return Error::success();
}

Expected<Relocated> readRelocated(const ElfFile &Elf) {
  auto Headers = Elf.sections();
  if (!Headers)
    return Headers.takeError();
  Relocated Result;
  std::vector<AddressRange> Arrays;
  for (const ElfSection &Header : *Headers) {
    // Each is one function, which calls a profiler's through a pointer.
    Expected<StringRef> Name = Elf.getSectionName(Header);
    if (!Name)
      return Name.takeError();
    if (*Name == ".init" || *Name == ".fini")
      Result.Code.Functions.push_back({Header.sh_addr});
    if (Header.sh_type != ELF::SHT_INIT_ARRAY &&
        Header.sh_type != ELF::SHT_FINI_ARRAY &&
        Header.sh_type != ELF::SHT_PREINIT_ARRAY)
      continue;
    Arrays.push_back({{Header.sh_addr}, {Header.sh_addr + Header.sh_size}});
    // Addresses stand in the file, or come from relative relocations.
    Expected<ArrayRef<uint8_t>> Bytes = Elf.getSectionContents(Header);
    if (!Bytes)
      return Bytes.takeError();
    for (size_t I = 0; I + sizeof(uint64_t) <= Bytes->size();
         I += sizeof(uint64_t))
      if (uint64_t Entry = support::endian::read64le(Bytes->data() + I);
          Entry && !facts::isDiscarded(Entry))
        Result.Code.Functions.push_back({Entry});
  }

  bool IsAArch64 = Elf.getHeader().e_machine == ELF::EM_AARCH64;
  uint32_t Copy = ELF::R_X86_64_COPY, Relative = ELF::R_X86_64_RELATIVE;
  if (IsAArch64) {
    Copy = ELF::R_AARCH64_COPY;
    Relative = ELF::R_AARCH64_RELATIVE;
  }
  if (Error E = forEachDynamicRelocation(Elf, [&](const ELF64LE::Rela &R) {
        uint32_t Type = R.getType(/*isMips64EL=*/false);
        if (Type == Copy)
          Result.Copies.insert(R.r_offset);
        else if (Type == Relative && !facts::isDiscarded(R.r_addend) &&
                 any_of(Arrays, [&](AddressRange A) {
                   return A.contains({R.r_offset});
                 }))
          Result.Code.Functions.push_back({uint64_t(R.r_addend)});
      }))
    return E;
  for (const ElfSection &Header : *Headers) {
    Expected<StringRef> Name = Elf.getSectionName(Header);
    if (!Name)
      return Name.takeError();
    if (Header.sh_flags & ELF::SHF_EXECINSTR && facts::isKernelStartUp(*Name))
      Result.Code.GivenBack.push_back(
          {{Header.sh_addr}, {Header.sh_addr + Header.sh_size}});
  }
  llvm::sort(Result.Code.Functions);
  return Result;
}

} // namespace linesman::input
