// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What stays the same about an object when a binary is built again: not its
// address, and under LTO not even its name.
//
//     counter.llvm.4711, counter.lto_priv.0, counter.2 ─▶ stem "counter"

#ifndef LINESMAN_LAYOUT_IDENTITY_H
#define LINESMAN_LAYOUT_IDENTITY_H

#include "linesman/Layout/Image.h"
#include <string>

namespace linesman::layout {

/// An object as plans and locks name it.
struct Identity {
  /// The linker's name when the file was written. For people and for the exact
  /// match; the stem decides where LTO has renamed it since.
  std::string Symbol;
  /// The source file of a local symbol; empty for a global one.
  std::string File;
  /// Position among the objects of the same stem and file, by address.
  unsigned Ordinal = 0;

  friend auto operator<=>(const Identity &, const Identity &) = default;
};

/// \p Name without what compilers append to make copies of a local name
/// distinct: ".llvm.123", ".lto_priv.0", ".constprop.1", ".5".
llvm::StringRef stemOf(llvm::StringRef Name);

/// Without what ThinLTO appends to a local that other units use: a hash of its
/// unit, which changes with it. "counter.llvm.4711" is "counter".
llvm::StringRef dropUnitHash(llvm::StringRef Name);

/// Whether \p File is what link-time optimisation of a whole program calls its
/// one unit ("ld-temp.o" of LLVM, "<artificial>" of GCC): no file of the
/// source, so no part of a name.
bool isLinkersUnit(llvm::StringRef File);

/// Names the objects of an image. Build once, ask often.
class Identities {
public:
  explicit Identities(const Image &Program);

  /// \p Symbol is an index into Image::symbols().
  Identity of(uint32_t Symbol) const;
  /// The symbols that \p Wanted can mean: the one of its name, or else those
  /// of its stem and file. More than one only where names repeat; then the
  /// ordinal chooses, if there are that many.
  std::optional<uint32_t> find(const Identity &Wanted) const;
  /// \p Other is of another build: the same object as this build calls it.
  /// Where only one of the two says the file of a local, as link-time
  /// optimisation takes it away, the stem decides; else it stays as it is.
  Identity translate(const Identity &Other) const;

private:
  const Image &Program;
  /// Symbols by stem, then file; those of one pair by address.
  std::vector<uint32_t> Sorted;

  llvm::ArrayRef<uint32_t> withStem(llvm::StringRef Stem) const;
  llvm::StringRef fileOf(uint32_t Symbol) const;
};

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_IDENTITY_H
