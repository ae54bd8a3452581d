// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One relocatable object among those that are joined.

#ifndef LINESMAN_LIB_INPUT_JOINUNIT_H
#define LINESMAN_LIB_INPUT_JOINUNIT_H

#include "ElfSections.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Object/ELFObjectFile.h"

namespace linesman::input {

/// Where a section of an object goes; section 0 is nowhere.
struct Placement {
  uint32_t Section = 0;
  uint64_t Offset = 0;
};

struct Unit {
  llvm::MemoryBufferRef File;
  std::unique_ptr<llvm::object::ELF64LEObjectFile> Object;
  llvm::ArrayRef<ElfSection> Sections;
  llvm::ArrayRef<llvm::object::ELF64LE::Sym> Symbols;
  /// Section numbers that do not fit into a symbol.
  llvm::ArrayRef<llvm::object::ELF64LE::Word> LargeNumbers;
  llvm::StringRef Strings;
  /// By section of the object.
  std::vector<Placement> Places;
  /// COMMON symbols, by number.
  llvm::DenseMap<uint32_t, Placement> Common;
  uint64_t StringBase = 0;

  const ElfFile &elf() const { return Object->getELFFile(); }
  uint32_t sectionOf(const llvm::object::ELF64LE::Sym &S) const {
    size_t Number = &S - Symbols.data();
    if (S.st_shndx == llvm::ELF::SHN_XINDEX)
      return Number < LargeNumbers.size() ? uint32_t(LargeNumbers[Number]) : 0;
    return S.st_shndx;
  }
  llvm::StringRef name(const llvm::object::ELF64LE::Sym &S) const {
    return S.st_name < Strings.size() ? Strings.data() + S.st_name : "";
  }
};

/// Fails on what is damaged, and on machines whose relocations are not known.
llvm::Expected<Unit> openUnit(llvm::MemoryBufferRef File);

/// Equal for builds of one unit: by its source file's name and all names of
/// global symbols, also undefined ones. 0 where it defines none.
uint64_t fingerprintOf(const Unit &U);

/// The bytes that a relocation writes; 0 where it is not known here.
unsigned relocationWidth(uint16_t Machine, uint32_t Type);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_JOINUNIT_H
