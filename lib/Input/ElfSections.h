// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of an ELF file that the reader needs, checked once: its writable
// sections, its symbol table, its start-up functions, its facts.
//
//     openElf ─▶ ElfFile ─▶ readSections ─▶ readSymbols ─▶ ImageDescription
//                       ├─▶ readRelocated
//                       └─▶ findSection(".debug_linesman")

#ifndef LINESMAN_LIB_INPUT_ELFSECTIONS_H
#define LINESMAN_LIB_INPUT_ELFSECTIONS_H

#include "linesman/Input/ReadBinary.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Object/Decompressor.h"
#include "llvm/Object/ELF.h"

namespace linesman::input {

using ElfFile = llvm::object::ELFFile<llvm::object::ELF64LE>;
using ElfSection = llvm::object::ELF64LE::Shdr;

/// Gives the pages of a mapped file back to the system, which reads them again
/// when they are asked for.
void giveBack(const llvm::MemoryBuffer &File);

/// The same while it is read, some megabytes at a time.
class ReadPages {
public:
  explicit ReadPages(const llvm::MemoryBuffer &File) : File(File) {}

  void count(uint64_t Bytes) {
    constexpr uint64_t MostHeld = 2 << 20;
    if ((Held += Bytes) < MostHeld)
      return;
    giveBack(File);
    Held = 0;
  }

private:
  const llvm::MemoryBuffer &File;
  uint64_t Held = 0;
};

/// Checks that \p Bytes are a linked ELF64 little-endian file with section
/// headers.
llvm::Expected<ElfFile> openElf(llvm::StringRef Bytes);

/// A section's compressed bytes, ready to be decompressed. Fails when they
/// claim to expand by more than any compression of ELF can.
llvm::Expected<llvm::object::Decompressor>
openCompressed(llvm::StringRef Name, llvm::ArrayRef<uint8_t> Bytes);

/// The writable sections, and where each ELF section index went.
struct WritableSections {
  std::vector<layout::Section> Sections;
  /// By ELF section index; nothing for sections that are not writable.
  std::vector<std::optional<uint16_t>> Index;
};
llvm::Expected<WritableSections> readSections(const ElfFile &Elf);

/// The same sections, with the indices that a file of their debug information
/// gives them. Fails where it has a writable section elsewhere.
llvm::Expected<WritableSections> matchSections(const WritableSections &Loaded,
                                               const ElfFile &Debug);

/// Whether it is of a kernel: an image, or objects (see KernelNames.h).
llvm::Expected<bool> isKernel(const ElfFile &Elf);

/// Whether there is a section of this type.
bool hasSection(const ElfFile &Elf, uint32_t Type);

/// A section by name; null if there is none.
llvm::Expected<const ElfSection *> findSection(const ElfFile &Elf,
                                               llvm::StringRef Name);

/// What runs before or after main.
struct StartUpCode {
  /// Sorted.
  std::vector<layout::LinkAddress> Functions;
  /// Code of a kernel that is there while it starts.
  std::vector<layout::AddressRange> GivenBack;
};

/// What relocations say about data: link-time addresses of copies of shared
/// objects' variables, and the functions that initialise.
struct Relocated {
  llvm::DenseSet<uint64_t> Copies;
  StartUpCode Code;
};
llvm::Expected<Relocated> readRelocated(const ElfFile &Elf);

/// The data symbols whose bytes \p Keep wants, of .symtab or else of .dynsym.
struct DataSymbols {
  SymbolSource Source = SymbolSource::None;
  std::vector<layout::Symbol> Symbols;
  std::vector<llvm::StringRef> Files = {""};
  uint64_t Stray = 0;
};
llvm::Expected<DataSymbols>
readSymbols(const ElfFile &Elf, const WritableSections &Sections,
            const Relocated &Relocations,
            llvm::function_ref<bool(layout::AddressRange)> Keep);

/// The addresses from one symbol to another, of whatever type; empty where one
/// is missing.
llvm::Expected<layout::AddressRange>
findBetween(const ElfFile &Elf, llvm::StringRef First, llvm::StringRef Last);

/// Calls \p Visit for the functions that the file defines, of .symtab or else
/// of .dynsym; the local ones last. A large binary has a million of them, of
/// which few matter to anybody, so they are not kept. \p File is where the
/// bytes are.
llvm::Error
visitFunctions(const ElfFile &Elf, const llvm::MemoryBuffer &File,
               llvm::function_ref<void(const layout::FunctionSymbol &)> Visit);

/// The symbol table of type \p Preferred (SHT_SYMTAB or SHT_DYNSYM), or else
/// the other one; null where there is none.
llvm::Expected<const ElfSection *> findSymbols(const ElfFile &Elf,
                                               uint32_t Preferred);

/// Calls \p Visit for the functions that others can call: what .dynsym defines,
/// or in an object what is not local.
llvm::Error visitExports(const ElfFile &Elf,
                         llvm::function_ref<void(layout::LinkAddress)> Visit);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_ELFSECTIONS_H
