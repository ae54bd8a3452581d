// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file that joined objects become: an ELF64 executable in memory, with the
// sections and symbols that a reader of data wants, and no segment to run.

#ifndef LINESMAN_LIB_INPUT_JOINEDFILE_H
#define LINESMAN_LIB_INPUT_JOINEDFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <vector>

namespace linesman::input {

struct JoinedSection {
  std::string Name;
  uint32_t Type = llvm::ELF::SHT_NOBITS;
  uint64_t Flags = 0, Address = 0, Size = 0, Alignment = 1;
};

class JoinedFile {
public:
  /// The number of the section with this name; a new one has type NOBITS.
  uint32_t section(llvm::StringRef Name, uint64_t Flags);
  JoinedSection &operator[](uint32_t Number) { return Sections[Number]; }
  uint32_t size() const { return static_cast<uint32_t>(Sections.size()); }

  /// Makes room for the contents, all zeros. Sizes and types of sections are
  /// final from here on. Fails without memory.
  llvm::Error allocate(llvm::StringRef Name, uint64_t Symbols,
                       uint64_t StringBytes);
  /// A section's bytes; none of one without contents.
  llvm::MutableArrayRef<char> bytes(uint32_t Number);
  llvm::MutableArrayRef<char> strings();
  /// Writes headers and symbols, the local ones first, at most as many as were
  /// announced. Addresses are final.
  std::unique_ptr<llvm::MemoryBuffer>
  finish(llvm::ArrayRef<llvm::object::ELF64LE::Sym> Symbols, uint32_t Locals,
         uint16_t Machine) &&;

private:
  /// The first is ELF's null section.
  std::vector<JoinedSection> Sections = {{}};
  llvm::StringMap<uint32_t> Numbers;
  std::vector<uint64_t> Offsets;
  uint64_t SymbolOffset = 0, StringOffset = 0, StringSize = 0, NameOffset = 0;
  std::string Names;
  uint64_t HeaderOffset = 0;
  std::unique_ptr<llvm::WritableMemoryBuffer> Buffer;
};

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_JOINEDFILE_H
