// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All data that the inputs define, by hashes of names: what a large link needs
// to know of a million symbols of which ten are edited.
//
//     before the link   objectsDefining: where a name is that an edit has
//     during it         build: all data, by name
//     after it          scan: has every symbol its size and alignment

#ifndef LINESMAN_LIB_RELINK_DEFINITIONINDEX_H
#define LINESMAN_LIB_RELINK_DEFINITIONINDEX_H

#include "InputObject.h"
#include "linesman/Layout/Address.h"
#include <future>

namespace linesman::relink {

/// What tells in the linked file whether it is still what it was.
struct IndexedDefinition {
  uint64_t NameHash;
  /// 0 where it is no data of ours.
  uint64_t Size;
  /// Of a local symbol; 0 for the others.
  uint32_t FileHash;
  /// Its alignment, a power of two, plus its offset modulo that.
  uint32_t Place;
};

/// What one pass over a linked file's symbols found.
struct LinkedScan {
  /// Of the symbols that were asked for, in address spaces of their own: data,
  /// and the thread block.
  std::vector<layout::AddressRange> Ranges;
  /// Whether each symbol has the size and alignment of a definition of its
  /// name, or no input defines it.
  enum class Verdict : uint8_t { Agrees, Doubtful } Symbols = Verdict::Agrees;
};

/// The objects that define data of one of these linker's names, in order. Reads
/// symbol tables with all cores; what is malformed is left out: the linker says
/// so.
std::vector<size_t> objectsDefining(const LinkInputs &Inputs,
                                    llvm::ArrayRef<llvm::StringRef> Names);

class DefinitionIndex {
public:
  enum class Cores : uint8_t { One, All };
  /// Of objects with these bytes, in order. Reads symbol tables as
  /// objectsDefining does, and the sections of all data.
  static DefinitionIndex build(llvm::ArrayRef<llvm::StringRef> Objects,
                               Cores Use = Cores::All);

  /// Builds it in what time the linker leaves over, in a thread that nobody
  /// needs to wait for: on a busy machine that may take for ever. The bytes
  /// stay there until the process ends.
  static std::future<DefinitionIndex>
  buildInBackground(std::vector<llvm::StringRef> Objects);

  /// Compares the symbols of a linked file with the definitions. \p Wanted are
  /// names of which it keeps the ranges.
  llvm::Expected<LinkedScan> scan(llvm::StringRef Linked,
                                  llvm::ArrayRef<llvm::StringRef> Wanted) const;

private:
  llvm::ArrayRef<IndexedDefinition> all() const {
    return {All.get(), Begins.back()};
  }
  void join();

  /// By object: those of object I end where those of the next begin.
  std::unique_ptr<IndexedDefinition[]> All;
  std::vector<size_t> Begins;
  /// A hash table: by the lowest bits of a key one more than a place in All,
  /// or 0; and for each definition the next of these bits.
  std::vector<uint32_t> First, Next;

  enum class Comparison : uint8_t { Unknown, Equal, Different };
  /// \p Guess is a place in All to look at first; it moves on.
  Comparison compare(uint64_t NameHash, uint32_t FileHash, uint64_t Size,
                     uint64_t Address, size_t &Guess) const;
};

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_DEFINITIONINDEX_H
