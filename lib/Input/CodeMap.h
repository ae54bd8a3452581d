// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What addresses mean to code: which are data that can be fought over, which
// are slots that hold a known pointer, and who is called through the PLT.

#ifndef LINESMAN_LIB_INPUT_CODEMAP_H
#define LINESMAN_LIB_INPUT_CODEMAP_H

#include "ElfSections.h"

namespace linesman::input {

struct CodeFunction {
  layout::AddressRange Range;
  llvm::StringRef Name;
  llvm::ArrayRef<uint8_t> Bytes;
};

/// What was found while looking for functions.
struct FunctionCounts {
  /// Functions that begin inside another one; the first one ends there.
  uint64_t Overlapping = 0;
  /// Functions whose bytes lie outside of any section of code.
  uint64_t Stray = 0;
};

struct CodeFunctions {
  /// By address, one for each address, without overlaps.
  std::vector<CodeFunction> Functions;
  FunctionCounts Counts;
};

/// The functions of the symbol table, and of .eh_frame_hdr what no symbol
/// covers: those have no name.
llvm::Expected<CodeFunctions> readCodeFunctions(const ElfFile &Elf);

class CodeMap {
public:
  /// \p Functions must outlive the map.
  static llvm::Expected<CodeMap> create(const ElfFile &Elf,
                                        const layout::Image &Of,
                                        llvm::ArrayRef<CodeFunction> Functions);

  /// From the first byte of data to the last one; GOT slots that lead to data
  /// are outside of it.
  layout::AddressRange data() const { return Data; }
  /// The GOT slots that lead to data lie in here.
  layout::AddressRange slots() const { return Slots; }
  /// Data that threads can fight over.
  bool isData(uint64_t Address) const;
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
  /// The pointer that a GOT slot holds.
  std::optional<uint64_t> pointerAt(uint64_t Slot) const;
  /// Who is at an address of code: a function's name, also behind its PLT
  /// entry. Empty when it is not known.
  llvm::StringRef calleeAt(uint64_t Address) const;
  /// Who is called through a GOT slot.
  llvm::StringRef calleeThrough(uint64_t Slot) const;

private:
  struct Code {
    layout::AddressRange Range;
    llvm::ArrayRef<uint8_t> Bytes;
  };
  const layout::Image *Of = nullptr;
  llvm::ArrayRef<CodeFunction> Functions;
  layout::AddressRange Data, Slots;
  bool IsFixed = false;
  bool IsAArch64 = false;
  llvm::DenseMap<uint64_t, uint64_t> Pointers;
  llvm::DenseMap<uint64_t, llvm::StringRef> Imports;
  std::vector<Code> Plt;

  llvm::Error readSlots(const ElfFile &Elf);
  llvm::Error readContents(const ElfFile &Elf, const ElfSection &Header);
};

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_CODEMAP_H
