// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes section headers. Every linker honours a section's alignment, size and
// name, so this is the one mechanism with the same result on all of them:
//
//     NOBITS    sh_addralign, sh_size: just the numbers
//     PROGBITS  the same, and the bytes move to the end of the file, where
//               there is room for the zeros around them
//     COMMON    becomes a .bss section of its own
//     before    room before the contents: the section's symbols, its
//               relocations, and what refers to its start move along
//     gap       free bytes take the section's place in the table, because
//               linkers place by that order; the section goes to its end with
//               its relocations, and what names them by their index follows
//
// What grows goes to the end of the file; nothing that is already there moves.
// LLVM's ObjCopy library can set the alignment, but leaves the tail of the last
// line to the next section.

#include "ObjectEditor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

using namespace llvm;
using namespace llvm::object;

namespace linesman::relink {

namespace {

/// Bytes of an edited copy. Zeros of objects are only promised, and can be more
/// than there is memory; nobody's initialised data comes near this.
constexpr uint64_t MostInFile = uint64_t(1) << 30;

class Editor {
public:
  explicit Editor(StringRef Original) {
    const auto *Header = reinterpret_cast<const Elf::Ehdr *>(Original.data());
    const auto *First =
        reinterpret_cast<const Elf::Shdr *>(Original.data() + Header->e_shoff);
    size_t Count = Header->e_shnum ? Header->e_shnum : First->sh_size;
    Sections.assign(First, First + Count);
    // A new table takes the place of one that ends the file.
    const uint64_t Table = Header->e_shoff;
    const bool EndsFile =
        Table + Count * sizeof(Elf::Shdr) == Original.size() &&
        none_of(Sections, [&](const Elf::Shdr &S) {
          return S.sh_type != ELF::SHT_NOBITS &&
                 S.sh_offset + S.sh_size > Table;
        });
    StringRef Kept = EndsFile ? Original.take_front(Table) : Original;
    Bytes.reserve(Original.size() + Original.size() / 2);
    Bytes.append(Kept.begin(), Kept.end());
    NameTable = Header->e_shstrndx == ELF::SHN_XINDEX
                    ? uint32_t(Sections[0].sh_link)
                    : Header->e_shstrndx;
    for (uint32_t I = 0; I != Count; ++I)
      if (Sections[I].sh_type == ELF::SHT_SYMTAB)
        SymbolTable = I;
      else if (Sections[I].sh_type == ELF::SHT_SYMTAB_SHNDX)
        ExtendedIndices = I;
  }

  Error change(uint32_t Index, const SectionChange &Change) {
    if (Change.Gap) {
      Expected<uint32_t> New = leaveGap(Index, Change.Gap);
      if (!New)
        return New.takeError();
      Index = *New;
    }
    Elf::Shdr &S = Sections[Index];
    uint64_t Alignment = std::max<uint64_t>(
        std::max<uint64_t>(S.sh_addralign, 1), Change.Alignment);
    uint64_t Before = alignTo(Change.Before, Alignment);
    uint64_t Size = alignTo(Before + S.sh_size + Change.After, Change.RoundTo);
    bool IsInFile = S.sh_type != ELF::SHT_NOBITS ||
                    Change.Kept == SectionChange::Contents::InFile;
    // Of all sections together: an object may promise what it likes.
    if (IsInFile && (Size > MostInFile || Bytes.size() > MostInFile - Size))
      return createStringError(
          formatv("{0:x} bytes more that would be in the file, expected at "
                  "most 1 GiB in all",
                  Size));
    if (Before)
      if (Error E = moveContents(Index, Before))
        return E;
    bool WasInFile = S.sh_type != ELF::SHT_NOBITS;
    if (IsInFile) {
      uint64_t Offset = append(Size, Alignment);
      if (WasInFile)
        std::copy_n(Bytes.begin() + S.sh_offset, uint64_t(S.sh_size),
                    Bytes.begin() + Offset + Before);
      S.sh_offset = Offset;
      if (!WasInFile)
        S.sh_type = ELF::SHT_PROGBITS;
    }
    S.sh_addralign = Alignment;
    S.sh_size = Size;
    if (!Change.Name.empty())
      S.sh_name = addName(Change.Name);
    return Error::success();
  }

  Error define(uint32_t SymbolIndex, const CommonChange &Common) {
    if (Error E = checkRoom())
      return E;
    Elf::Sym &Symbol = symbols()[SymbolIndex];
    bool IsThreadLocal = Symbol.getType() == ELF::STT_TLS;
    Elf::Shdr S = {};
    S.sh_name = addName(IsThreadLocal ? ".tbss" : ".bss");
    S.sh_type = ELF::SHT_NOBITS;
    S.sh_flags = ELF::SHF_ALLOC | ELF::SHF_WRITE |
                 (IsThreadLocal ? unsigned(ELF::SHF_TLS) : 0u);
    S.sh_offset = Bytes.size();
    S.sh_size = Common.Size;
    S.sh_addralign = Common.Alignment;
    Sections.push_back(S);
    setSection(SymbolIndex, Sections.size() - 1);
    Symbol.st_value = 0;
    Symbol.st_size = Common.Size;
    Symbol.setBindingAndType(Common.Binding == CommonChange::Strength::Weak
                                 ? ELF::STB_WEAK
                                 : Symbol.getBinding(),
                             IsThreadLocal ? ELF::STT_TLS : ELF::STT_OBJECT);
    return change(Sections.size() - 1, Common.Section);
  }

  void add(const NewSection &Added) {
    Elf::Shdr S = {};
    S.sh_name = addName(Added.Name);
    S.sh_type = Added.IsInFile ? ELF::SHT_PROGBITS : ELF::SHT_NOBITS;
    S.sh_flags = ELF::SHF_ALLOC | ELF::SHF_WRITE | ELF::SHF_GNU_RETAIN;
    S.sh_offset = append(Added.IsInFile ? Added.Size : 0, 1);
    S.sh_size = Added.Size;
    S.sh_addralign = 1;
    Sections.push_back(S);
    markRetaining();
  }

  SmallVector<char, 0> take() && {
    if (!NewNames.empty()) {
      Elf::Shdr &Names = Sections[NameTable];
      uint64_t Offset = append(Names.sh_size + NewNames.size(), 1);
      std::copy_n(Bytes.begin() + Names.sh_offset, uint64_t(Names.sh_size),
                  Bytes.begin() + Offset);
      std::copy(NewNames.begin(), NewNames.end(),
                Bytes.begin() + Offset + Names.sh_size);
      Names.sh_offset = Offset;
      Names.sh_size = Names.sh_size + NewNames.size();
    }
    if (at<Elf::Ehdr>(0)->e_shnum == 0)
      Sections[0].sh_size = Sections.size();
    uint64_t Table = append(Sections.size() * sizeof(Elf::Shdr), 8);
    std::copy(Sections.begin(), Sections.end(), at<Elf::Shdr>(Table));
    auto *Header = at<Elf::Ehdr>(0);
    Header->e_shoff = Table;
    if (Header->e_shnum)
      Header->e_shnum = Sections.size();
    return std::move(Bytes);
  }

private:
  SmallVector<char, 0> Bytes;
  std::vector<Elf::Shdr> Sections;
  std::string NewNames;
  uint32_t SymbolTable = 0, ExtendedIndices = 0;
  /// As it was read: sections that lie over the header change it.
  uint32_t NameTable = 0;

  template <typename T> T *at(uint64_t Offset) {
    return reinterpret_cast<T *>(Bytes.data() + Offset);
  }
  template <typename T> MutableArrayRef<T> contents(const Elf::Shdr &S) {
    return {at<T>(S.sh_offset), size_t(S.sh_size / sizeof(T))};
  }
  MutableArrayRef<Elf::Sym> symbols() {
    return contents<Elf::Sym>(Sections[SymbolTable]);
  }
  uint64_t append(uint64_t Size, uint64_t Alignment) {
    // The offset in the file need not be aligned beyond a word; large
    // alignments would fill the copy with zeros.
    uint64_t Offset = alignTo(Bytes.size(), std::min<uint64_t>(Alignment, 64));
    Bytes.resize(Offset + Size);
    return Offset;
  }

  uint32_t addName(StringRef Name) {
    uint32_t Offset = Sections[NameTable].sh_size + NewNames.size();
    NewNames += Name;
    NewNames += '\0';
    return Offset;
  }

  /// A symbol's 16 bits are not enough for all sections; a table of wider
  /// indices is there if the compiler needed it too.
  Error checkRoom() {
    bool IsWide = ExtendedIndices && !at<Elf::Ehdr>(0)->e_shnum;
    if (IsWide || Sections.size() < ELF::SHN_LORESERVE)
      return Error::success();
    return createStringError(formatv(
        "{0} sections, which leaves no room for one more", Sections.size()));
  }

  /// GNU ld reads SHF_GNU_RETAIN only in objects that say they know it.
  void markRetaining() {
    auto &System = at<Elf::Ehdr>(0)->e_ident[ELF::EI_OSABI];
    if (System == ELF::ELFOSABI_NONE)
      System = ELF::ELFOSABI_GNU;
  }

  /// Puts \p Bytes of room in the place of section \p Index and the section
  /// behind all others. Returns its new index. Nobody refers to the room, and
  /// --gc-sections must not take it. Relocations go along: GNU ld takes a
  /// section when it reads them, which would be before other sections of the
  /// object.
  Expected<uint32_t> leaveGap(uint32_t Index, uint64_t Size) {
    if (Error E = checkRoom())
      return std::move(E);
    uint32_t New = Sections.size();
    Elf::Shdr Moved = Sections[Index], Gap = Moved;
    Gap.sh_flags =
        (Gap.sh_flags & ~uint64_t(ELF::SHF_LINK_ORDER)) | ELF::SHF_GNU_RETAIN;
    Gap.sh_size = Size;
    Gap.sh_link = 0;
    Gap.sh_info = 0;
    if (Gap.sh_type != ELF::SHT_NOBITS)
      Gap.sh_offset = append(Size, 1);
    Sections[Index] = Gap;
    Sections.push_back(Moved);
    markRetaining();
    for (uint32_t I = 0, E = symbols().size(); I != E; ++I)
      if (sectionOf(I) == Index && symbols()[I].st_shndx != ELF::SHN_ABS)
        setSection(I, New);
    for (uint32_t I = 0; I != New; ++I) {
      bool Relocates = is_contained(
          {ELF::SHT_REL, ELF::SHT_RELA, ELF::SHT_CREL}, Sections[I].sh_type);
      if (Relocates && Sections[I].sh_info == Index) {
        if (Error E = checkRoom())
          return std::move(E);
        Elf::Shdr Relocations = Sections[I];
        Relocations.sh_info = New;
        Sections[I] = {}; // SHT_NULL
        Sections.push_back(Relocations);
        replaceMember(I, Sections.size() - 1);
      }
    }
    for (Elf::Shdr &S : Sections) {
      if ((S.sh_flags & ELF::SHF_LINK_ORDER) && S.sh_link == Index)
        S.sh_link = New;
      if (S.sh_type == ELF::SHT_GROUP && is_contained(members(S), Index))
        addMember(S, New);
    }
    return New;
  }

  MutableArrayRef<Elf::Word> members(const Elf::Shdr &Group) {
    MutableArrayRef<Elf::Word> Words = contents<Elf::Word>(Group);
    return Words.empty() ? Words : Words.drop_front(); // the flags
  }
  void replaceMember(uint32_t Old, uint32_t New) {
    for (const Elf::Shdr &S : Sections)
      if (S.sh_type == ELF::SHT_GROUP)
        for (Elf::Word &Member : members(S))
          if (Member == Old)
            Member = New;
  }
  void addMember(Elf::Shdr &Group, uint32_t Index) {
    uint64_t Old = Group.sh_offset, Size = Group.sh_size;
    Group.sh_offset = append(Size + sizeof(Elf::Word), sizeof(Elf::Word));
    Group.sh_size = Size + sizeof(Elf::Word);
    std::copy_n(Bytes.begin() + Old, Size, Bytes.begin() + Group.sh_offset);
    *at<Elf::Word>(Group.sh_offset + Size) = Index;
  }

  uint32_t sectionOf(uint32_t SymbolIndex) {
    uint32_t Index = symbols()[SymbolIndex].st_shndx;
    if (Index != ELF::SHN_XINDEX || !ExtendedIndices)
      return Index;
    return contents<Elf::Word>(Sections[ExtendedIndices])[SymbolIndex];
  }

  void setSection(uint32_t SymbolIndex, uint32_t Section) {
    bool IsWide = Section >= ELF::SHN_LORESERVE;
    symbols()[SymbolIndex].st_shndx = IsWide ? ELF::SHN_XINDEX : Section;
    if (ExtendedIndices)
      contents<Elf::Word>(Sections[ExtendedIndices])[SymbolIndex] =
          IsWide ? Section : 0;
  }

  /// Contents of section \p Index begin \p Step bytes later: so do its symbols,
  /// the places that are relocated in it, and what is found from its start.
  Error moveContents(uint32_t Index, uint64_t Step) {
    if (!SymbolTable)
      return Error::success();
    std::vector<bool> IsStart(symbols().size());
    for (uint32_t I = 0; I != symbols().size(); ++I) {
      Elf::Sym &S = symbols()[I];
      if (sectionOf(I) != Index || S.st_shndx == ELF::SHN_ABS)
        continue;
      if (S.getType() == ELF::STT_SECTION)
        IsStart[I] = true;
      else
        S.st_value = S.st_value + Step;
    }
    for (const Elf::Shdr &S : Sections) {
      bool IsOwn = S.sh_info == Index;
      if (S.sh_type == ELF::SHT_CREL || (S.sh_type == ELF::SHT_REL && IsOwn))
        return createStringError(
            formatv("relocations of type {0:x}, expected SHT_RELA",
                    uint32_t(S.sh_type)));
      if (S.sh_type != ELF::SHT_RELA)
        continue; // lists of functions, which clang writes as SHT_REL
      for (Elf::Rela &R : contents<Elf::Rela>(S)) {
        if (IsOwn)
          R.r_offset = R.r_offset + Step;
        uint32_t Symbol = R.getSymbol(/*isMips64EL=*/false);
        if (Symbol < IsStart.size() && IsStart[Symbol])
          R.r_addend = R.r_addend + Step;
      }
    }
    return Error::success();
  }
};

/// Sections that the format gives a meaning of its own: the editor and the
/// linker find symbols, names and relocations in them, so that room in front of
/// one breaks the object.
bool isTable(uint32_t Type) {
  return is_contained({ELF::SHT_NULL, ELF::SHT_SYMTAB, ELF::SHT_STRTAB,
                       ELF::SHT_RELA, ELF::SHT_HASH, ELF::SHT_DYNAMIC,
                       ELF::SHT_REL, ELF::SHT_DYNSYM, ELF::SHT_GROUP,
                       ELF::SHT_SYMTAB_SHNDX, ELF::SHT_RELR, ELF::SHT_CREL},
                      Type);
}

/// What was read before were the sections with data; what refers to them is
/// changed too.
Error checkContents(StringRef Object, const ObjectChanges &Changes) {
  Expected<ELFFile<Elf>> File = ELFFile<Elf>::create(Object);
  if (!File)
    return File.takeError();
  auto Sections = File->sections();
  if (!Sections)
    return Sections.takeError();
  for (const auto &[Index, Change] : Changes.Sections)
    if (uint32_t Type = (*Sections)[Index].sh_type; isTable(Type))
      return createStringError(formatv(
          "a data symbol in section {0}, which has type {1:x} and no data",
          Index, Type));
  uint64_t Symbols = 0;
  std::optional<uint64_t> WideIndices;
  for (const Elf::Shdr &S : *Sections) {
    if (S.sh_type != ELF::SHT_NOBITS && S.sh_type != ELF::SHT_NULL)
      if (Expected<ArrayRef<uint8_t>> Bytes = File->getSectionContents(S);
          !Bytes)
        return Bytes.takeError();
    if (S.sh_type == ELF::SHT_SYMTAB)
      Symbols = S.sh_size / sizeof(Elf::Sym);
    if (S.sh_type == ELF::SHT_SYMTAB_SHNDX)
      WideIndices = S.sh_size / sizeof(Elf::Word);
  }
  // Read at the place of any symbol.
  if (WideIndices && *WideIndices < Symbols)
    return createStringError(
        formatv("{0} symbols, and section indices of {1} of them", Symbols,
                *WideIndices));
  // Names are added to it.
  Expected<StringRef> Names = File->getSectionStringTable(*Sections);
  if (!Names)
    return Names.takeError();
  if (Names->empty())
    return createStringError("its sections have no names");
  return Error::success();
}

} // namespace

Expected<SmallVector<char, 0>> editObject(StringRef Object,
                                          const ObjectChanges &Changes) {
  if (Error E = checkContents(Object, Changes))
    return std::move(E);
  Editor Edit(Object);
  for (const auto &[Index, Change] : Changes.Sections)
    if (Error E = Edit.change(Index, Change))
      return std::move(E);
  for (const auto &[Index, Common] : Changes.Commons)
    if (Error E = Edit.define(Index, Common))
      return std::move(E);
  for (const NewSection &Added : Changes.Added)
    Edit.add(Added);
  return std::move(Edit).take();
}

} // namespace linesman::relink
