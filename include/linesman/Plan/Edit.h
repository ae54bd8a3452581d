// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An edit: one thing that a plan does to the layout.

#ifndef LINESMAN_PLAN_EDIT_H
#define LINESMAN_PLAN_EDIT_H

#include "linesman/Layout/Address.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace linesman::plan {

enum class EditKind : uint8_t {
  /// The symbol's lines hold nobody else.
  Isolate,
  /// The symbols are together, and their lines hold nobody else.
  Group,
  /// So many free bytes before the symbol; what follows it moves along.
  Pad,
  /// The same before the first object of a section.
  Shift,
  /// Every one of the symbols on a page of its own: a search over pages
  /// becomes a search over symbols.
  Explode,
};

/// Whether an edit adds room before a symbol that stays where it is; the others
/// place symbols on lines or pages of their own.
constexpr bool isRoom(EditKind Kind) {
  return Kind == EditKind::Pad || Kind == EditKind::Shift;
}

/// A symbol as an edit names it.
struct SymbolRef {
  /// The linker's name or the demangled one; in a command line also
  /// "file:name".
  std::string Symbol;
  /// The source file of a local symbol, if that is known.
  std::string File;
  /// Which of those that have the same stem and file (layout::Identity);
  /// without it, several are an error.
  std::optional<unsigned> Ordinal;
};

struct Edit {
  EditKind Kind = EditKind::Isolate;
  /// One for Isolate and Pad; the first of the section, or none, for Shift.
  std::vector<SymbolRef> Symbols;
  /// Isolate, Group: of a line. Explode: of a page. Pad, Shift: how many.
  /// A power of two but for the last two.
  uint64_t Bytes = layout::LineSize().Bytes;
  /// For Shift.
  std::string Section;
};

/// The bytes that stay free where an object of \p Size bytes leaves for lines
/// of its own: what follows keeps its place on its line, and comes no nearer to
/// what is before than to another line. So the line-mates of all others stay
/// what they are.
constexpr uint64_t gapOf(uint64_t Size, uint64_t Line) {
  return Size < 2 * Line ? Size : Line + Size % Line;
}

} // namespace linesman::plan

#endif // LINESMAN_PLAN_EDIT_H
