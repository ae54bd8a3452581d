// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The image: who lives where in the writable sections of one linked binary.
// Its invariant is totality: every byte of every writable section has exactly
// one occupant.
//
//     .data 0x4000                                            .bss 0x4040
//     |nil_root        |hole|log_level|[no symbol]   |padding|table ...
//
// It holds by construction: an occupant ends where the next one begins, and the
// last one where its section ends.

#ifndef LINESMAN_LAYOUT_IMAGE_H
#define LINESMAN_LAYOUT_IMAGE_H

#include "linesman/Layout/Address.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"
#include <optional>
#include <string>
#include <vector>

namespace linesman::layout {

enum class SectionKind : uint8_t {
  /// Written at run time: where hazards live.
  Data,
  /// Read-only after relocation: writable by its flags, never written after
  /// start.
  Relro,
  /// A template for each thread's copy. Its addresses are not addresses of
  /// data.
  Tls,
  /// The same for each processor, of a kernel.
  PerCpu,
  /// Given back when a kernel has started.
  StartUp,
};

/// A writable section.
/// What the bytes between the symbols of a section are.
enum class Gaps : uint8_t {
  /// Of a linked file: alignment explains some of them.
  Guessed,
  /// Of an object whose members are all known: padding.
  Padding,
  /// Of an object of which only accesses are known: whatever nobody accesses.
  Unaccessed,
};

struct Section {
  llvm::StringRef Name;
  AddressRange Range;
  /// In bytes: the largest alignment of an object in it.
  uint64_t Alignment = 1;
  SectionKind Kind = SectionKind::Data;
  /// The bytes in the file; empty for a section that starts as zeros (NOBITS).
  llvm::StringRef Contents;
  Gaps Between = Gaps::Guessed;
};

enum class SymbolBinding : uint8_t { Global, Weak, Local };

/// Who put the object there.
enum class SymbolOrigin : uint8_t {
  Program,
  /// Start-up files of the tool chain (crtbegin.o's completed.0).
  Startup,
  /// The executable's copy of a shared object's variable (stdout).
  CopyRelocation,
  /// No symbol says so: bytes that code accesses (nameUnowned).
  Anonymous,
};

/// A data symbol. 32 bytes, because a large binary has millions: the name is
/// not measured before it is asked for.
struct Symbol {
  const char *NameData = "";
  LinkAddress Address;
  uint64_t Size = 0;
  /// Index into Image::files(): the source file of a local symbol; 0 is "not
  /// known".
  uint32_t File = 0;
  /// Index into Image::sections().
  uint16_t Section = 0;
  SymbolBinding Binding = SymbolBinding::Global;
  SymbolOrigin Origin = SymbolOrigin::Program;

  llvm::StringRef name() const { return NameData; }
  AddressRange range() const { return {Address, Address + Size}; }
};

enum class OccupantKind : uint8_t {
  /// Bytes of a symbol.
  Object,
  /// A section that the linker makes (.got.plt).
  Linker,
  /// Bytes between objects that alignment explains.
  Hole,
  /// The same at the end of a section.
  Padding,
  /// Bytes that nothing explains: [no symbol].
  NoSymbol,
};

struct Occupant {
  LinkAddress Address;
  /// Index into Image::symbols(), for an Object.
  uint32_t Symbol = 0;
  OccupantKind Kind = OccupantKind::NoSymbol;
};

/// Position of an occupant in an image.
using OccupantIndex = uint32_t;

/// What buildImage starts from.
struct ImageDescription {
  std::vector<Section> Sections;
  std::vector<Symbol> Symbols;
  /// Names that Symbol::File points to; the first is empty.
  std::vector<llvm::StringRef> Files = {""};
};

class Image {
public:
  /// Sections by address; Tls sections may overlap others.
  llvm::ArrayRef<Section> sections() const { return Sections; }
  /// Symbols by section, address, and size (largest first).
  llvm::ArrayRef<Symbol> symbols() const { return Symbols; }
  llvm::ArrayRef<llvm::StringRef> files() const { return Files; }
  llvm::ArrayRef<Occupant> occupants() const { return Occupants; }

  /// The occupants of a section, in address order.
  llvm::ArrayRef<Occupant> occupantsOf(uint16_t Section) const;
  /// Index of a section's first occupant; of the number behind the last
  /// section's, how many there are.
  OccupantIndex firstOccupantOf(uint16_t Section) const {
    return FirstOccupant[Section];
  }
  const Section &sectionOf(OccupantIndex Occupant) const;

  AddressRange range(OccupantIndex Occupant) const;
  /// The symbol whose bytes an Object occupant holds.
  const Symbol &symbol(OccupantIndex Occupant) const;
  /// Symbols whose bytes lie inside an Object occupant's symbol: other names
  /// of the object, or of a part of it. By address.
  std::vector<const Symbol *> aliases(OccupantIndex Occupant) const;
  /// The occupant of a byte of a section. Who asks for addresses in order finds
  /// the next one close behind \p Hint, the one before.
  OccupantIndex occupantIn(uint16_t Section, LinkAddress Address,
                           OccupantIndex Hint = 0) const;
  /// The same for any Data section.
  std::optional<OccupantIndex> occupantAt(LinkAddress Address,
                                          OccupantIndex Hint = 0) const;

  /// What it was built from.
  ImageDescription describe() &&;

  /// "[.got.plt]", "[hole]", "[no symbol]", of an object's bytes "[no known
  /// access]", or the linker's name.
  std::string label(OccupantIndex Occupant) const;

private:
  friend Image buildImage(ImageDescription Description);

  std::vector<Section> Sections;
  std::vector<Symbol> Symbols;
  std::vector<llvm::StringRef> Files;
  std::vector<Occupant> Occupants;
  /// One more than there are sections.
  std::vector<OccupantIndex> FirstOccupant;
};

/// Gives every byte of every section its occupant. Where symbols overlap, the
/// one that starts first owns the common bytes, of those the larger, of those
/// the more global; the others are its aliases. Bytes of a symbol outside its
/// section are cut off.
Image buildImage(ImageDescription Description);

/// Makes an object of each range, which no symbol owns: named by where it is in
/// its section (".data+0x40"), in the keeping of \p Names. Its neighbours are
/// no holes: who knows what else is there.
Image nameUnowned(Image Program, llvm::ArrayRef<AddressRange> Unowned,
                  llvm::BumpPtrAllocator &Names);

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_IMAGE_H
