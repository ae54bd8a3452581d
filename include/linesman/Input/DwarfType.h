// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A type in DWARF, as far as naming bytes needs it: fields, elements, sizes,
// what a pointer points to, and where a variable is. One entry is looked at at
// a time; who needs the definition of what a unit only declares searches the
// other units.

#ifndef LINESMAN_INPUT_DWARFTYPE_H
#define LINESMAN_INPUT_DWARFTYPE_H

#include "linesman/Layout/Address.h"
#include "linesman/Layout/Definition.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/DebugInfo/DWARF/DWARFDie.h"
#include <optional>
#include <string>
#include <vector>

namespace linesman::input {

/// Deeper nesting of scopes, or of types by value, is damaged debug
/// information.
inline constexpr unsigned MostNesting = 64;

/// A type without typedefs and qualifiers. An array of several dimensions
/// loses one with each index.
struct DwarfType {
  llvm::DWARFDie Die;
  unsigned Indexed = 0;

  explicit operator bool() const { return Die.isValid(); }
};

/// Members that are looked at of one record, with those of its parts: where a
/// damaged record has each part twice, they double with each nesting.
inline constexpr size_t MostMembers = 1 << 16;

/// Visits the children of \p Die, up to the first that is damaged: LLVM's own
/// range relies on the entry that ends a list.
template <typename VisitT>
void forEachChild(const llvm::DWARFDie &Die, VisitT Visit) {
  for (llvm::DWARFDie Child = Die.getFirstChild(); Child && !Child.isNULL();
       Child = Child.getSibling())
    Visit(Child);
}

/// The first type, from \p Die on, that has none of these tags; no entry for
/// void.
llvm::DWARFDie follow(llvm::DWARFDie Die,
                      llvm::ArrayRef<llvm::dwarf::Tag> Wrappers);

/// Looks through typedefs and qualifiers.
llvm::DWARFDie stripQualifiers(llvm::DWARFDie Die);

/// The type that \p Die (a variable, a member, a pointer) refers to; none for
/// void.
DwarfType typeOf(const llvm::DWARFDie &Die);

/// A class, structure or union.
bool isClass(const llvm::DWARFDie &Die);
/// A type that is only declared here.
bool isDeclaration(const llvm::DWARFDie &Die);

/// "int *", "ns::T"; "void" for none.
std::string nameOf(const DwarfType &Type);

/// A class's own name, or a scope's, without what is around it, but with the
/// arguments of its template, also where the compiler has left them to the
/// entries in it (-gsimple-template-names). Empty for what has none.
std::string ownNameOf(const llvm::DWARFDie &Die);

/// What \p Variable itself says of its definition: all but the file.
layout::Definition definitionOf(const llvm::DWARFDie &Variable);

/// The file that a variable or a type is in; empty when that is not known, an
/// error where the unit's line table is too damaged for LLVM's reader.
llvm::Expected<std::string> declFileOf(const llvm::DWARFDie &Die);

/// Bytes; 0 where that is not known.
uint64_t sizeOf(const DwarfType &Type);

/// What a pointer or reference points to, none for void; nullopt for all other
/// types.
std::optional<DwarfType> pointee(const DwarfType &Type);
bool isReference(const DwarfType &Type);

bool isArray(const DwarfType &Type);
DwarfType elementOf(const DwarfType &Array);
/// The number of elements, where the type says it.
std::optional<uint64_t> elementsOf(const DwarfType &Array);
/// Bytes from one element to the next; 0 where that is not known.
uint64_t strideOf(const DwarfType &Array);

/// A base class or a member that is in every object.
struct DwarfField {
  llvm::DWARFDie Die;
  /// Empty for a base and for an anonymous member, whose fields are used as if
  /// they were the class's own.
  llvm::StringRef Name;
  /// From the start of the class; nullopt where the object decides (virtual
  /// bases).
  std::optional<uint64_t> FirstBit;
  /// The bits of a bit-field; nullopt for all others.
  std::optional<uint64_t> Bits;
};

/// The fields of a class, in the order of the source.
std::vector<DwarfField> fieldsOf(const DwarfType &Class);

/// A part of a variable, or all of it, at a link-time address.
struct VariablePlace {
  layout::LinkAddress Address;
  /// From the start of the variable.
  uint64_t Offset = 0;
};

/// Where a static variable is: one place, or one for each piece that the
/// optimizer has left of it; none for a variable on the stack or in registers.
llvm::SmallVector<VariablePlace, 1> placesOf(const llvm::DWARFDie &Variable);

} // namespace linesman::input

#endif // LINESMAN_INPUT_DWARFTYPE_H
