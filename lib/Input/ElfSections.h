// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of an ELF file that the reader needs, checked once: its writable
// sections, its symbol table, its start-up functions, its facts.
//
//     openElf ─▶ ElfFile ─▶ readSections ─▶ readSymbols ─▶ ImageDescription
//                       ├─▶ readStartUp
//                       └─▶ findSection(".debug_linesman")

#ifndef LINESMAN_LIB_INPUT_ELFSECTIONS_H
#define LINESMAN_LIB_INPUT_ELFSECTIONS_H

#include "linesman/Input/ReadBinary.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Object/ELF.h"

namespace linesman::input {

using ElfFile = llvm::object::ELFFile<llvm::object::ELF64LE>;
using ElfSection = llvm::object::ELF64LE::Shdr;

/// Checks that \p Bytes are a linked ELF64 little-endian file with section
/// headers.
llvm::Expected<ElfFile> openElf(llvm::StringRef Bytes);

/// The writable sections, and where each ELF section index went.
struct WritableSections {
  std::vector<layout::Section> Sections;
  /// By ELF section index; nothing for sections that are not writable.
  std::vector<std::optional<uint16_t>> Index;
};
llvm::Expected<WritableSections> readSections(const ElfFile &Elf);

/// What relocations say about data: link-time addresses of copies of shared
/// objects' variables, and the functions that run before or after main.
struct Relocated {
  llvm::DenseSet<uint64_t> Copies;
  /// Sorted.
  std::vector<layout::LinkAddress> StartUp;
};
llvm::Expected<Relocated> readRelocated(const ElfFile &Elf);

/// The data symbols, of .symtab or else of .dynsym.
struct DataSymbols {
  SymbolSource Source = SymbolSource::None;
  std::vector<layout::Symbol> Symbols;
  std::vector<llvm::StringRef> Files = {""};
  uint64_t Stray = 0;
};
llvm::Expected<DataSymbols> readSymbols(const ElfFile &Elf,
                                        const WritableSections &Sections,
                                        const Relocated &Relocations);

/// The functions that the file defines, of .symtab or else of .dynsym. Only for
/// facts about calls: a large binary has a million.
llvm::Expected<std::vector<layout::FunctionSymbol>>
readFunctions(const ElfFile &Elf);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_ELFSECTIONS_H
