// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What addresses mean to code: which are data that can be fought over, which
// are slots that hold a known pointer, and who is called through the PLT.

#ifndef LINESMAN_LIB_INPUT_CODEMAP_H
#define LINESMAN_LIB_INPUT_CODEMAP_H

#include "ElfSections.h"
#include "llvm/ADT/DenseSet.h"

namespace linesman::input {

struct CodeFunction {
  layout::AddressRange Range;
  llvm::StringRef Name;
  llvm::ArrayRef<uint8_t> Bytes;
  /// The compiler has put it apart, as what is hardly ever executed.
  bool IsCold = false;
};

/// What was found while looking for functions.
struct FunctionCounts {
  /// Functions that begin inside another one; the first one ends there.
  uint64_t Overlapping = 0;
  /// Functions whose bytes lie outside of any section of code.
  uint64_t Stray = 0;
  /// Bytes of code, and those of them that are in no known function.
  uint64_t Bytes = 0, Nobodys = 0;
};

/// A section of code.
struct CodeSection {
  layout::AddressRange Range;
  llvm::ArrayRef<uint8_t> Bytes;
  /// Stubs that it makes for calls: they touch nothing of the program's.
  bool IsLinkers = false;
};

/// The functions of a binary: by address, one for each address, without
/// overlaps. They are put together when asked for: a large binary has a million
/// of them, and most are not looked at twice.
class CodeFunctions {
public:
  size_t size() const { return Entries.size(); }
  CodeFunction operator[](size_t I) const;
  /// Without its name: to measure all names would touch them all.
  CodeFunction unnamed(size_t I) const;
  layout::LinkAddress addressOf(size_t I) const { return {Entries[I].Address}; }
  uint64_t sizeOf(size_t I) const { return Entries[I].Size; }
  llvm::StringRef nameOf(size_t I) const;
  /// Position of the function that begins at \p Address.
  std::optional<size_t> find(uint64_t Address) const;
  /// Whether any name can have \p Part in it: false is certain.
  bool mayHaveNamesWith(llvm::StringRef Part) const;
  /// The code from \p Address to the end of its section; empty outside of any.
  llvm::ArrayRef<uint8_t> codeFrom(uint64_t Address) const;
  /// Whether \p Address is in code that compilers put apart.
  bool isCold(uint64_t Address) const;
  /// A function without a name at \p Address is main.
  void nameMain(uint64_t Address) { Main = Address; }
  /// The file that was read.
  const llvm::MemoryBuffer &file() const { return *File; }
  const FunctionCounts &counts() const { return Counts; }

private:
  friend llvm::Expected<CodeFunctions>
  readCodeFunctions(const ElfFile &Elf, const ElfFile &SymbolFile,
                    const ElfFile *Mini, const llvm::MemoryBuffer &File);

  struct Entry {
    uint64_t Address = 0;
    /// While they are read, 0 is "not known".
    uint32_t Size = 0;
    /// Where in the string table, or with MiniBit in MiniStrings; 0 is the
    /// empty name.
    uint32_t Name = 0;
  };
  std::vector<Entry> Entries;
  const llvm::MemoryBuffer *File = nullptr;
  /// By address.
  std::vector<CodeSection> Code;
  std::vector<layout::AddressRange> Cold;
  static constexpr uint32_t MiniBit = uint32_t(1) << 31;
  llvm::StringRef Strings, MiniStrings;
  std::optional<uint64_t> Main;
  FunctionCounts Counts;

  /// \p Bit is 0 or MiniBit.
  llvm::Error addSymbols(const ElfFile &Elf, uint32_t Bit);
  void place();
  void countNobodys();
};

/// The functions of the symbol table, and of .eh_frame what no symbol
/// covers: those have no name. \p SymbolFile is the file that has the symbols,
/// \p Mini one that has more of them (see MiniDebug.h), or null. Pages of
/// \p File are given back as they are read, also for the names later.
llvm::Expected<CodeFunctions> readCodeFunctions(const ElfFile &Elf,
                                                const ElfFile &SymbolFile,
                                                const ElfFile *Mini,
                                                const llvm::MemoryBuffer &File);

class Architecture;

class CodeMap {
public:
  /// All but \p Elf must outlive the map.
  static llvm::Expected<CodeMap> create(const ElfFile &Elf,
                                        const Architecture &Arch,
                                        const layout::Image &File,
                                        const CodeFunctions &Functions);

  /// From the first byte of data to the last one; GOT slots that lead to data
  /// are outside of it.
  layout::AddressRange data() const { return Data; }
  /// The GOT slots that lead to data lie in here.
  layout::AddressRange slots() const { return Slots; }
  /// Data that threads can fight over.
  bool isData(uint64_t Address) const;
  /// Made by Rust: see ClosureTable.h.
  void expectClosures() { HasClosures = true; }
  bool hasClosures() const { return HasClosures; }
  /// Functions that only sleep: see Sleepers.h.
  void expectSleepers(llvm::DenseSet<uint64_t> Begins) {
    Sleepers = std::move(Begins);
  }
  bool sleeps(uint64_t Function) const { return Sleepers.contains(Function); }
  /// Whether the binary is loaded at the addresses that it says.
  bool isFixed() const { return IsFixed; }
  /// Whether a number in code can be an address: not in what is loaded
  /// anywhere.
  bool isAbsolute(uint64_t Number) const {
    // Loops that count up to zero start from the end of an object.
    return IsFixed && (isData(Number) || isData(Number - 1));
  }
  /// The object at an address; nothing for holes and the like.
  std::optional<layout::AddressRange> objectAt(uint64_t Address) const;
  /// The name of the variable at an address, or of another module's that the
  /// GOT slot there leads to. Empty when it is not known.
  llvm::StringRef variableAt(uint64_t Address) const;
  /// The pointer that a GOT slot, or initialised data, holds at start.
  std::optional<uint64_t> pointerAt(uint64_t Slot) const;
  /// Each slot of the GOT and of initialised data with what it holds.
  void forEachPointer(
      llvm::function_ref<void(uint64_t Slot, uint64_t Target)> Visit) const {
    for (auto [Slot, Target] : Pointers)
      Visit(Slot, Target);
  }
  /// Whether an address is in the GOT or in initialised data.
  bool isSlot(uint64_t Address) const;
  /// Whether what a slot holds stays so.
  bool isConstant(uint64_t Slot) const {
    return Slots.contains({Slot}) || !isData(Slot);
  }
  /// The code from an address to the end of its section; empty outside of any.
  llvm::ArrayRef<uint8_t> codeFrom(uint64_t Address) const {
    return Functions->codeFrom(Address);
  }
  /// What is loaded and never written, from an address to the end of its
  /// section; empty outside of any, and in code.
  llvm::ArrayRef<uint8_t> constantsFrom(uint64_t Address) const;
  /// Whether a function begins at an address.
  bool isFunction(uint64_t Address) const {
    return Functions->find(Address).has_value();
  }
  /// The 8 bytes at an address of code.
  std::optional<uint64_t> literalAt(uint64_t Address) const;
  /// Who is at an address of code: a function's name, also behind its PLT
  /// entry. Empty when it is not known.
  llvm::StringRef calleeAt(uint64_t Address) const;
  /// The function that begins at an address, or that a PLT entry there leads to
  /// in this binary: whoever overrides it at run time does the like.
  std::optional<uint64_t> functionAt(uint64_t Address) const;
  /// The same through a slot that does not change.
  std::optional<uint64_t> functionThrough(uint64_t Slot) const;
  bool isPltEntry(uint64_t Address) const;
  /// Each slot of an imported function, and each entry of the PLT that leads to
  /// one.
  void forEachImport(
      llvm::function_ref<void(uint64_t Address, llvm::StringRef Name)> Visit)
      const;
  /// Who is called through a GOT slot.
  llvm::StringRef calleeThrough(uint64_t Slot) const;

private:
  const Architecture *Arch = nullptr;
  const layout::Image *Program = nullptr;
  const CodeFunctions *Functions = nullptr;
  layout::AddressRange Data, Slots;
  std::vector<layout::AddressRange> DataSections;
  bool IsFixed = false;
  bool HasClosures = false;
  llvm::DenseSet<uint64_t> Sleepers;
  /// Slots and what they hold, by slot.
  std::vector<std::pair<uint64_t, uint64_t>> Pointers;
  /// Writable sections with contents that are loaded: pointers stand in them.
  std::vector<layout::AddressRange> Initialised;
  llvm::DenseMap<uint64_t, llvm::StringRef> Imports;
  std::vector<CodeSection> Plt;
  std::vector<CodeSection> Constants;

  /// What a slot's pointer is kept for: data, and code for who looks for main.
  bool isTarget(uint64_t Address) const;
  std::optional<uint64_t> slotAt(uint64_t Address) const;
  llvm::Error readSlots(const ElfFile &Elf);
  llvm::Error readContents(const ElfFile &Elf, const ElfSection &Header);
  void sortPointers();
};

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_CODEMAP_H
