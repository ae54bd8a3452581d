// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes sections of a copy of an object.

#ifndef LINESMAN_LIB_RELINK_OBJECTEDITOR_H
#define LINESMAN_LIB_RELINK_OBJECTEDITOR_H

#include "InputObject.h"
#include <map>

namespace linesman::relink {

/// What happens to one input section.
struct SectionChange {
  /// At least; 0 leaves it.
  uint64_t Alignment = 0;
  /// Free bytes before the contents, rounded up to the alignment.
  uint64_t Before = 0;
  /// The size becomes a multiple of this.
  uint64_t RoundTo = 1;
  /// Free bytes after the contents, beside what RoundTo asks for.
  uint64_t After = 0;
  /// The section's new name; empty leaves it.
  std::string Name;
  /// For a section that leaves its place by its new name: so many free bytes
  /// stay there, aligned as it was.
  uint64_t Gap = 0;
  /// Zeros in the file instead of none, so that all sections of one name are
  /// of one type.
  enum class Contents : uint8_t {
    AsTheyAre,
    InFile
  } Kept = Contents::AsTheyAre;
};

/// A common symbol becomes a definition, because only sections can be named,
/// moved and padded.
struct CommonChange {
  enum class Strength : uint8_t {
    /// The one definition; the other objects' common symbols join it.
    Only,
    /// One of several: which archive members are linked is not known.
    Weak,
  } Binding = Strength::Only;
  /// The largest that any object asks for.
  uint64_t Size = 0, Alignment = 1;
  SectionChange Section;
};

/// A section of zeros that nobody refers to.
struct NewSection {
  std::string Name;
  uint64_t Size = 0;
  /// Its zeros are in the file, and not only promised.
  bool IsInFile = true;
};

struct ObjectChanges {
  /// By section index.
  std::map<uint32_t, SectionChange> Sections;
  /// By symbol index.
  std::map<uint32_t, CommonChange> Commons;
  /// Free bytes in a section of their own, behind all others.
  std::vector<NewSection> Added;

  bool empty() const {
    return Sections.empty() && Commons.empty() && Added.empty();
  }
};

/// The bytes of \p Object with the changes made. The headers were checked when
/// its definitions were read. Fails where the object is of a kind that can not
/// be changed so (relocations of an unknown form, too many sections).
llvm::Expected<llvm::SmallVector<char, 0>>
editObject(llvm::StringRef Object, const ObjectChanges &Changes);

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_OBJECTEDITOR_H
