// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes to model: an ELF executable or shared object becomes an image and a
// table of accesses.

#ifndef LINESMAN_INPUT_READBINARY_H
#define LINESMAN_INPUT_READBINARY_H

#include "linesman/Facts/Facts.h"
#include "linesman/Layout/Accesses.h"
#include "linesman/Layout/CallGraph.h"
#include "llvm/Support/MemoryBuffer.h"
#include <deque>
#include <memory>

namespace linesman::input {

/// Where the symbols come from.
enum class SymbolSource : uint8_t {
  Symtab,
  /// Only what the dynamic linker needs is named.
  Dynsym,
  None,
};

/// Who tells what functions do.
enum class FactsFrom : uint8_t {
  /// The facts section.
  Compiler,
  /// The instructions of all functions.
  Code,
  /// The facts section for the functions that it knows, instructions for the
  /// others.
  Auto,
};

/// What reading machine code met.
struct CodeCounts {
  /// Whether code was read at all: there is code of a known machine.
  bool IsRead = false;
  /// Functions that compiler facts speak for.
  uint64_t Skipped = 0;
  /// Functions that were looked at, and their bytes.
  uint64_t Functions = 0, Bytes = 0;
  /// Functions that had to be decoded: the others name no data.
  uint64_t Decoded = 0;
  /// Bytes that are no instruction.
  uint64_t Undecodable = 0;
  /// Functions that another one begins in; they end there.
  uint64_t Overlapping = 0;
  /// Functions outside of any section of code.
  uint64_t Stray = 0;
  /// Facts of functions that do not run at start-up only.
  uint64_t Facts = 0;
};

/// What the reader met and could not use; reports say it.
struct ReadCounts {
  /// Data symbols that lie outside the section that they claim.
  uint64_t StraySymbols = 0;
  facts::DecodeCounts Facts;
  CodeCounts Code;
};

/// A binary, read. Everything points into the file's bytes.
struct Binary {
  std::unique_ptr<llvm::MemoryBuffer> File;
  /// Decompressed sections, where a section was compressed. A deque: bytes
  /// that are pointed into must not move when another section comes.
  std::deque<llvm::SmallVector<uint8_t, 0>> Decompressed;
  layout::Image Image;
  layout::AccessTable Accesses;
  /// Who calls whom; empty without facts.
  layout::CallGraph Calls;
  /// The functions by name; empty without facts.
  std::vector<layout::FunctionSymbol> Functions;
  SymbolSource Symbols = SymbolSource::None;
  /// Whether the file has a facts section at all.
  bool HasFacts = false;
  ReadCounts Counts;
};

/// Reads \p Path, an ELF64 little-endian executable or shared object. Fails
/// with a message that names the file: it can not be read, is no such file,
/// has headers out of bounds, or facts that are corrupt.
llvm::Expected<Binary> readBinary(llvm::StringRef Path,
                                  FactsFrom Source = FactsFrom::Compiler);

} // namespace linesman::input

#endif // LINESMAN_INPUT_READBINARY_H
