// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of JoinObjects.h.

#include "JoinObjects.h"
#include "JoinUnit.h"
#include "JoinedFile.h"
#include "linesman/Facts/KernelNames.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/RelocationResolver.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using object::ELF64LE;

namespace linesman::input {

namespace {

/// No object shares a line with another one's, whatever a line is.
constexpr uint64_t Apart = layout::LineSize::Most;
/// The first address; functions at 0 are discarded ones.
constexpr uint64_t FirstAddress = uint64_t(1) << 20;
/// DWARF of 32 bits ends at 4 GiB, and memory before.
constexpr uint64_t MostDebugBytes = uint64_t(2) << 30;
/// Where variables are that no object defines, until their sizes are known.
constexpr uint64_t Provisional = uint64_t(1) << 62;

/// ".bss.counter" goes into ".bss", as it does in a linker.
StringRef outputName(StringRef Name) {
  if (StringRef Kernels = facts::kernelOutput(Name); !Kernels.empty())
    return Kernels;
  for (StringLiteral Prefix :
       {StringLiteral(".data.rel.ro"), StringLiteral(".data"),
        StringLiteral(".bss"), StringLiteral(".text")})
    if (Name == Prefix || (Name.starts_with(Prefix) &&
                           Name.drop_front(Prefix.size()).starts_with(".")))
      return Prefix;
  return Name;
}

bool isDebug(StringRef Name) { return Name.starts_with(".debug_"); }
bool isOurs(StringRef Name) {
  return Name == facts::SectionName || Name == facts::StringSectionName;
}

class Joiner {
public:
  explicit Joiner(StringRef Name) : Name(Name) {}

  Error add(MemoryBufferRef File);
  Expected<JoinedObjects> join() &&;

private:
  Error place(Unit &U);
  Error dropCopies(Unit &U, std::vector<bool> &Dropped);
  void define(Unit &U);
  void assignAddresses();
  Error fill(Unit &U);
  Error relocate(Unit &U, const ElfSection &Relocations);
  void placeElsewhere();
  uint64_t addressOf(const Placement &P) {
    return Joined[P.Section].Address + P.Offset;
  }
  std::optional<uint64_t> ownAddress(const Unit &U, const ELF64LE::Sym &S);
  std::optional<uint64_t> addressOf(const Unit &U, const ELF64LE::Sym &S);
  std::unique_ptr<MemoryBuffer> finish();

  StringRef Name;
  uint16_t Machine = 0;
  std::vector<Unit> Units;
  JoinedFile Joined;
  UnlinkedCounts Counts;
  uint64_t StringBytes = 0, SymbolCount = 0;
  StringSet<> Groups;
  DenseSet<uint64_t> Builds;
  struct Definition {
    uint32_t Unit, Symbol;
    bool IsWeak;
  };
  StringMap<Definition> Definitions;
  /// What no object defines: where its address goes in the facts, and how many
  /// bytes of it are accessed.
  struct Foreign {
    SmallVector<uint64_t, 2> Uses;
    uint64_t Size = 0, Address = 0;
  };
  MapVector<StringRef, Foreign, StringMap<unsigned>> Foreigners;
};

Error Joiner::add(MemoryBufferRef File) {
  Expected<Unit> Opened = openUnit(File);
  if (!Opened)
    return createFileError(File.getBufferIdentifier(), Opened.takeError());
  uint16_t Own = Opened->elf().getHeader().e_machine;
  if (Machine && Own != Machine)
    return createFileError(File.getBufferIdentifier(),
                           createStringError("an object for another machine "
                                             "than those before it"));
  Machine = Own;
  // libtool and static libraries build a unit twice.
  uint64_t Build = fingerprintOf(*Opened);
  if (Build && !Builds.insert(Build).second) {
    ++Counts.Copies;
    return Error::success();
  }
  if (Error E = place(*Opened))
    return createFileError(File.getBufferIdentifier(), std::move(E));
  ++Counts.Objects;
  Opened->StringBase = StringBytes;
  StringBytes += Opened->Strings.size();
  SymbolCount += Opened->Symbols.size();
  Units.push_back(std::move(*Opened));
  define(Units.back());
  return Error::success();
}

/// Marks the members of COMDAT groups that an object before has.
Error Joiner::dropCopies(Unit &U, std::vector<bool> &Dropped) {
  for (const ElfSection &S : U.Sections) {
    if (S.sh_type != ELF::SHT_GROUP)
      continue;
    auto Members = U.elf().getSectionContentsAsArray<ELF64LE::Word>(S);
    if (!Members)
      return Members.takeError();
    if (Members->empty() || !((*Members)[0] & ELF::GRP_COMDAT) ||
        S.sh_info >= U.Symbols.size())
      continue;
    const ELF64LE::Sym &Signature = U.Symbols[S.sh_info];
    StringRef Name = U.name(Signature);
    if (Name.empty())
      continue;
    if (Groups.insert(Name).second)
      continue;
    for (uint32_t Member : Members->drop_front())
      if (Member < Dropped.size())
        Dropped[Member] = true;
  }
  return Error::success();
}

Error Joiner::place(Unit &U) {
  std::vector<bool> Dropped(U.Sections.size());
  if (Error E = dropCopies(U, Dropped))
    return E;
  U.Places.resize(U.Sections.size());
  bool HasFacts = false, HasCode = false;
  // Whether this object has begun in a section.
  DenseSet<uint32_t> Begun;
  auto Take = [&](StringRef Output, uint64_t Flags, uint64_t Size,
                  uint64_t Alignment) -> Placement {
    uint32_t Number = Joined.section(Output, Flags);
    JoinedSection &Target = Joined[Number];
    bool IsData = Flags & ELF::SHF_WRITE;
    if (Begun.insert(Number).second && IsData)
      Alignment = std::max(Alignment, Apart);
    Target.Size = alignTo(Target.Size, std::max<uint64_t>(Alignment, 1));
    Target.Alignment = std::max(Target.Alignment, Alignment);
    Placement Position{Number, Target.Size};
    Target.Size += Size;
    return Position;
  };
  for (auto [I, S] : enumerate(U.Sections)) {
    Expected<StringRef> Name = U.elf().getSectionName(S);
    if (!Name)
      return Name.takeError();
    if (Dropped[I] ||
        (S.sh_type != ELF::SHT_PROGBITS && S.sh_type != ELF::SHT_NOBITS))
      continue;
    if (S.sh_addralign && !isPowerOf2_64(S.sh_addralign))
      return createStringError("section %s is aligned to %llu bytes",
                               Name->str().c_str(),
                               static_cast<unsigned long long>(S.sh_addralign));
    bool IsLoaded = S.sh_flags & ELF::SHF_ALLOC;
    bool IsCode = IsLoaded && S.sh_flags & ELF::SHF_EXECINSTR;
    bool IsData = IsLoaded && S.sh_flags & ELF::SHF_WRITE && !IsCode &&
                  !(S.sh_flags & ELF::SHF_TLS);
    HasCode |= IsCode && S.sh_size;
    HasFacts |= *Name == facts::SectionName;
    if (!IsCode && !IsData && (IsLoaded || !isDebug(*Name)))
      continue;
    uint64_t Size = S.sh_size;
    if (S.sh_flags & ELF::SHF_COMPRESSED) {
      Expected<ArrayRef<uint8_t>> Bytes = U.elf().getSectionContents(S);
      if (!Bytes)
        return Bytes.takeError();
      Expected<object::Decompressor> D = openCompressed(*Name, *Bytes);
      if (!D)
        return D.takeError();
      Size = D->getDecompressedSize();
    }
    if (Size > uint64_t(1) << 40)
      return createStringError("section %s claims to have %llu bytes",
                               Name->str().c_str(),
                               static_cast<unsigned long long>(Size));
    uint64_t Flags = IsLoaded ? ELF::SHF_ALLOC : 0;
    Flags |= IsCode ? ELF::SHF_EXECINSTR : IsData ? ELF::SHF_WRITE : 0;
    // Distinct functions, also of no size, have distinct addresses.
    U.Places[I] = Take(IsLoaded ? outputName(*Name) : *Name, Flags,
                       Size + (IsCode && !Size), S.sh_addralign);
    if (!IsCode && S.sh_type != ELF::SHT_NOBITS)
      Joined[U.Places[I].Section].Type = ELF::SHT_PROGBITS;
  }
  for (auto [I, S] : enumerate(U.Symbols))
    if (S.st_shndx == ELF::SHN_COMMON && isPowerOf2_64(S.st_value))
      U.Common[I] =
          Take(".bss", ELF::SHF_ALLOC | ELF::SHF_WRITE, S.st_size, S.st_value);
  Counts.WithoutFacts += HasCode && !HasFacts;
  return Error::success();
}

/// A strong definition stands before weak ones; of several the first.
void Joiner::define(Unit &U) {
  uint32_t Number = Units.size() - 1;
  for (auto [I, S] : enumerate(U.Symbols)) {
    if (S.getBinding() == ELF::STB_LOCAL || S.st_shndx == ELF::SHN_UNDEF)
      continue;
    bool IsWeak =
        S.getBinding() == ELF::STB_WEAK || S.st_shndx == ELF::SHN_COMMON;
    if (S.st_shndx != ELF::SHN_COMMON) {
      uint32_t Section = U.sectionOf(S);
      if (Section >= U.Places.size() || !U.Places[Section].Section)
        continue;
    }
    auto [It, IsNew] = Definitions.try_emplace(
        U.name(S), Definition{Number, uint32_t(I), IsWeak});
    if (IsNew || IsWeak)
      continue;
    if (It->second.IsWeak)
      It->second = {Number, uint32_t(I), IsWeak};
    else
      ++Counts.Conflicts;
  }
}

void Joiner::assignAddresses() {
  uint64_t Debug = 0;
  for (uint32_t I = 1; I != Joined.size(); ++I)
    if (isDebug(Joined[I].Name) && !isOurs(Joined[I].Name))
      Debug += Joined[I].Size;
  uint64_t Next = FirstAddress;
  for (uint32_t I = 1; I != Joined.size(); ++I) {
    JoinedSection &S = Joined[I];
    if (S.Flags & ELF::SHF_ALLOC) {
      Next = alignTo(Next, std::max(S.Alignment, Apart));
      S.Address = Next;
      Next += S.Size;
    } else if (Debug > MostDebugBytes && !isOurs(S.Name)) {
      S.Type = ELF::SHT_NOBITS;
      S.Size = 0;
      S.Name = ".left_out" + S.Name;
      Counts.DebugBytesLeftOut = Debug;
    }
  }
}

/// Nothing for what has no bytes of ours.
std::optional<uint64_t> Joiner::ownAddress(const Unit &U,
                                           const ELF64LE::Sym &S) {
  if (S.st_shndx == ELF::SHN_COMMON) {
    auto It = U.Common.find(&S - U.Symbols.data());
    if (It == U.Common.end())
      return std::nullopt;
    return addressOf(It->second);
  }
  uint32_t Section = U.sectionOf(S);
  if (Section == ELF::SHN_UNDEF || Section >= U.Places.size() ||
      !U.Places[Section].Section)
    return std::nullopt;
  return addressOf(U.Places[Section]) + S.st_value;
}

std::optional<uint64_t> Joiner::addressOf(const Unit &U,
                                          const ELF64LE::Sym &S) {
  std::optional<uint64_t> Own = ownAddress(U, S);
  bool IsStrong =
      S.getBinding() == ELF::STB_GLOBAL && S.st_shndx != ELF::SHN_COMMON && Own;
  if (S.getBinding() == ELF::STB_LOCAL || IsStrong)
    return Own;
  auto It = Definitions.find(U.name(S));
  if (It == Definitions.end())
    return Own;
  const Unit &Other = Units[It->second.Unit];
  return ownAddress(Other, Other.Symbols[It->second.Symbol]);
}

Error Joiner::fill(Unit &U) {
  for (auto [S, P] : zip(U.Sections, U.Places)) {
    MutableArrayRef<char> Target = Joined.bytes(P.Section);
    if (!P.Section || Target.empty() || S.sh_type == ELF::SHT_NOBITS)
      continue;
    Expected<ArrayRef<uint8_t>> Bytes = U.elf().getSectionContents(S);
    if (!Bytes)
      return Bytes.takeError();
    if (!(S.sh_flags & ELF::SHF_COMPRESSED)) {
      copy(*Bytes, Target.begin() + P.Offset);
      continue;
    }
    Expected<object::Decompressor> D =
        openCompressed(Joined[P.Section].Name, *Bytes);
    if (!D)
      return D.takeError();
    MutableArrayRef<char> Part =
        Target.slice(P.Offset, D->getDecompressedSize());
    if (Error E = D->decompress(MutableArrayRef(
            reinterpret_cast<uint8_t *>(Part.data()), Part.size())))
      return E;
  }
  for (const ElfSection &S : U.Sections)
    if (S.sh_type == ELF::SHT_RELA)
      if (Error E = relocate(U, S))
        return E;
  copy(U.Strings, Joined.strings().begin() + 1 + U.StringBase);
  return Error::success();
}

Error Joiner::relocate(Unit &U, const ElfSection &Relocations) {
  if (Relocations.sh_info >= U.Places.size())
    return createStringError("relocations of section %u, which is not there",
                             unsigned(Relocations.sh_info));
  const Placement Position = U.Places[Relocations.sh_info];
  const uint64_t Size = U.Sections[Relocations.sh_info].sh_size;
  MutableArrayRef<char> Target = Joined.bytes(Position.Section);
  if (!Position.Section || Target.empty())
    return Error::success();
  Target = Target.drop_front(Position.Offset);
  bool IsFacts = Joined[Position.Section].Name == facts::SectionName;
  auto Entries = U.elf().relas(Relocations);
  if (!Entries)
    return Entries.takeError();
  auto [Supports, Resolve] = object::getRelocationResolver(*U.Object);
  for (const ELF64LE::Rela &R : *Entries) {
    uint32_t Type = R.getType(/*isMips64EL=*/false);
    uint32_t Number = R.getSymbol(/*isMips64EL=*/false);
    unsigned Width = relocationWidth(Machine, Type);
    if (!Width || !Supports(Type) || Number >= U.Symbols.size()) {
      // Data may have what only a linker makes; nobody reads it here.
      if (!IsFacts)
        continue;
      return createStringError("relocation of type %u against symbol %u is "
                               "none that facts have",
                               Type, Number);
    }
    if (R.r_offset > Target.size() || Target.size() - R.r_offset < Width ||
        (R.r_offset >= Size &&
         !(U.Sections[Relocations.sh_info].sh_flags & ELF::SHF_COMPRESSED)))
      return createStringError("relocation at 0x%llx, beyond its section",
                               static_cast<unsigned long long>(R.r_offset));
    const ELF64LE::Sym &S = U.Symbols[Number];
    std::optional<uint64_t> Known = addressOf(U, S);
    uint64_t Address = Known.value_or(0);
    constexpr unsigned Pointer = 8;
    if (!Known && IsFacts && Width == Pointer && S.st_shndx == ELF::SHN_UNDEF &&
        S.getBinding() == ELF::STB_GLOBAL) {
      auto [It, IsNew] = Foreigners.try_emplace(U.name(S));
      It->second.Uses.push_back(Position.Offset + R.r_offset);
      Address = Provisional + (It - Foreigners.begin()) * Pointer;
    }
    char *Place = Target.data() + R.r_offset;
    uint64_t Value = Known || Address
                         ? Resolve(Type,
                                   Joined[Position.Section].Address +
                                       Position.Offset + R.r_offset,
                                   Address, 0, R.r_addend)
                         : 0;
    if (Width == Pointer)
      support::endian::write64le(Place, Value);
    else
      support::endian::write32le(Place, uint32_t(Value));
  }
  return Error::success();
}

/// As long as known accesses reach, each on pages of its own.
void Joiner::placeElsewhere() {
  if (Foreigners.empty())
    return;
  uint32_t Facts = Joined.section(facts::SectionName, 0);
  uint32_t Strings = Joined.section(facts::StringSectionName, 0);
  auto Text = [&](uint32_t Section) {
    MutableArrayRef<char> Bytes = Joined.bytes(Section);
    return StringRef(Bytes.data(), Bytes.size());
  };
  Expected<facts::DecodeCounts> Decoded = facts::decodeFacts(
      Text(Facts), Text(Strings), [&](const facts::Fact &Fact) {
        uint64_t Number = (Fact.Object - Provisional) / 8;
        if (Fact.Object < Provisional || Number >= Foreigners.size())
          return;
        uint64_t &Size = std::next(Foreigners.begin(), Number)->second.Size;
        for (const facts::Access &A : Fact.Accesses) {
          uint64_t Offset = A.Offset.value_or(0);
          // Before it, or from no object.
          if (Offset < uint64_t(1) << 32 && A.Size < uint64_t(1) << 32)
            Size = std::max(Size, Offset + std::max<uint64_t>(A.Size, 1));
        }
      });
  // The reader of the result will say it.
  if (!Decoded)
    consumeError(Decoded.takeError());
  JoinedSection &S = Joined[Joined.section(ElsewhereSection, 0)];
  S.Address = FirstAddress;
  for (uint32_t I = 1; I != Joined.size(); ++I)
    S.Address = std::max(S.Address, Joined[I].Address + Joined[I].Size);
  S.Address = alignTo(S.Address, Apart);
  S.Alignment = Apart;
  MutableArrayRef<char> Bytes = Joined.bytes(Facts);
  for (auto &[Entry, Item] : Foreigners) {
    if (Item.Size) {
      Item.Address = S.Address + S.Size;
      S.Size = alignTo(S.Size + Item.Size, Apart);
      ++Counts.Elsewhere;
    }
    for (uint64_t Use : Item.Uses)
      support::endian::write64le(Bytes.data() + Use, Item.Address);
  }
}

std::unique_ptr<MemoryBuffer> Joiner::finish() {
  std::vector<ELF64LE::Sym> Symbols;
  uint32_t Locals = 0;
  // Each object's symbols behind the name of its file.
  for (bool AreLocal : {true, false}) {
    for (auto [Number, U] : enumerate(Units))
      for (auto [I, S] : enumerate(U.Symbols)) {
        if ((S.getBinding() == ELF::STB_LOCAL) != AreLocal ||
            S.getType() == ELF::STT_SECTION || U.name(S).empty())
          continue;
        ELF64LE::Sym Out = S;
        Out.st_name = 1 + U.StringBase + S.st_name;
        if (S.getType() == ELF::STT_FILE) {
          Symbols.push_back(Out);
          continue;
        }
        std::optional<uint64_t> Address = ownAddress(U, S);
        if (!Address)
          continue;
        // A weak one gives way.
        auto It = Definitions.find(U.name(S));
        if (!AreLocal && It != Definitions.end() &&
            (S.getBinding() == ELF::STB_WEAK ||
             S.st_shndx == ELF::SHN_COMMON) &&
            (It->second.Unit != Number || It->second.Symbol != I))
          continue;
        Out.st_value = *Address;
        Out.st_shndx = S.st_shndx == ELF::SHN_COMMON
                           ? U.Common.find(I)->second.Section
                           : U.Places[U.sectionOf(S)].Section;
        if (S.st_shndx == ELF::SHN_COMMON)
          Out.setType(ELF::STT_OBJECT);
        Symbols.push_back(Out);
      }
    if (AreLocal)
      Locals = Symbols.size();
  }
  uint32_t Elsewhere = Joined.section(ElsewhereSection, 0);
  const char *Strings = Joined.strings().data();
  for (const auto &[Owner, Entry] : Foreigners) {
    if (!Entry.Size)
      continue;
    ELF64LE::Sym Out = {};
    // Its name is in some object's table, copied to ours.
    auto Around = find_if(Units, [&, Name = Owner](const Unit &U) {
      return Name.data() >= U.Strings.begin() && Name.data() < U.Strings.end();
    });
    Out.st_name =
        1 + Around->StringBase + (Owner.data() - Around->Strings.begin());
    assert(StringRef(Strings + Out.st_name) == Owner);
    (void)Strings;
    Out.st_value = Entry.Address;
    Out.st_size = Entry.Size;
    Out.st_shndx = Elsewhere;
    Out.setBindingAndType(ELF::STB_GLOBAL, ELF::STT_OBJECT);
    Symbols.push_back(Out);
  }
  return std::move(Joined).finish(Symbols, Locals, Machine);
}

Expected<JoinedObjects> Joiner::join() && {
  // Before sections are counted: addresses of it come last.
  Joined.section(ElsewhereSection, ELF::SHF_ALLOC | ELF::SHF_WRITE);
  assignAddresses();
  constexpr uint64_t MostSymbols = UINT32_MAX;
  if (StringBytes > MostSymbols || Joined.size() >= ELF::SHN_LORESERVE)
    return createStringError("more objects than can be joined: %llu bytes of "
                             "names, %u sections",
                             static_cast<unsigned long long>(StringBytes),
                             Joined.size());
  // Variables that no object defines have names in the objects' tables.
  uint64_t Undefined = 0;
  for (const Unit &U : Units)
    Undefined += count_if(U.Symbols, [](const ELF64LE::Sym &S) {
      return S.st_shndx == ELF::SHN_UNDEF;
    });
  if (Error E = Joined.allocate(Name, SymbolCount + Undefined, StringBytes))
    return std::move(E);
  for (Unit &U : Units)
    if (Error E = fill(U))
      return createFileError(U.File.getBufferIdentifier(), std::move(E));
  placeElsewhere();
  return JoinedObjects{finish(), Counts};
}

} // namespace

Expected<JoinedObjects> joinObjects(ArrayRef<MemoryBufferRef> Objects,
                                    StringRef Name) {
  Joiner Join(Name);
  for (MemoryBufferRef Object : Objects)
    if (Error E = Join.add(Object))
      return std::move(E);
  return std::move(Join).join();
}

} // namespace linesman::input
