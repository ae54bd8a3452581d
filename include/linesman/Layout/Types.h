// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hazards inside of objects that have no fixed address: fields of one type that
// share a line wherever, or where bad luck puts the object.
//
//     type Klass, 48 bytes      at 0    |....SSSSCCCC|    at 16 |....|SSSSCCCC|
//                                       one line                 S and C apart
//
// The objects are given every address that the type and the allocator allow,
// modulo the line. What they look like there is an image, with a section for
// each phase and a symbol for each field, so that lines of objects are
// scored exactly as lines of variables are.

#ifndef LINESMAN_LAYOUT_TYPES_H
#define LINESMAN_LAYOUT_TYPES_H

#include "linesman/Layout/CallGraph.h"
#include "linesman/Layout/Finding.h"
#include "llvm/ADT/StringMap.h"
#include <deque>
#include <map>

namespace linesman::layout {

/// A field, as debug info has it; nested records are flattened.
struct TypeMember {
  uint64_t Offset = 0;
  /// Bytes; 0 is not known (a flexible array).
  uint64_t Size = 0;
  /// "list", "head.next".
  std::string Name;
};

/// Members that are meant to be on lines together: between two of no bytes that
/// say so (KernelNames.h).
struct TypeGroup {
  uint64_t Begin = 0, End = 0;
  std::string Name;
};

/// What debug info says of a type.
struct TypeLayout {
  uint64_t Size = 0;
  uint64_t Alignment = 1;
  /// By offset.
  std::vector<TypeMember> Members;
  /// By offset, of those that end; without nesting.
  std::vector<TypeGroup> Groups;
  /// "klass.h:12"; empty where it is not known.
  std::string Source;
};

/// Turns the members that begin and end a group into groups, and drops those of
/// no bytes that others follow: none of them holds anything.
void takeMarks(TypeLayout &Layout);

/// An access of one function to objects of a type.
struct TypeUse {
  NodeIndex Function = NoNode;
  facts::TypeAccess Access;
};

/// One type and all that is known to touch its objects.
struct AccessedType {
  /// For people: "ns::S".
  std::string Name;
  /// Bytes; 0 when it is not known.
  uint64_t Size = 0;
  uint64_t Alignment = 1;
  std::vector<TypeUse> Uses;
};

/// The facts about types of all units, merged by name and layout.
struct TypeTable {
  std::vector<AccessedType> Types;
  /// Names that have several layouts.
  std::vector<std::string> Conflicts;
};

class TypeTableBuilder {
public:
  void add(const facts::TypeFact &Fact, NodeIndex Function);
  TypeTable finish() &&;

private:
  struct Variant {
    AccessedType Type;
    uint16_t Fingerprint = 0;
  };
  /// The second is the unit, for types that are local to it.
  std::map<std::pair<std::string, uint64_t>, std::vector<Variant>> ByName;
  llvm::StringMap<std::string> PlainNames;
  /// The unit whose copy of a function speaks for it.
  llvm::DenseMap<NodeIndex, uint64_t> UnitOf;
};

/// How objects come to their addresses.
struct PhaseRules {
  uint64_t LineBytes = 64;
  /// What the allocator aligns to: malloc's 16.
  uint64_t HeapAlignment = 16;
};

/// Addresses of objects, modulo the line, at which they look alike.
struct Phase {
  /// Of the object, or of an array's first element.
  uint64_t Offset = 0;
  /// How many addresses look like this one.
  uint64_t Count = 1;
};

/// The phases of objects of \p Size bytes (0: not known, so each address
/// differs) at multiples of \p Alignment.
std::vector<Phase> findPhases(uint64_t Size, uint64_t Alignment,
                              uint64_t LineBytes);

/// In how many of the phases two fields have bytes on a common line.
uint64_t countShared(llvm::ArrayRef<Phase> Phases, uint64_t LineBytes,
                     uint64_t OffsetA, uint64_t SizeA, uint64_t OffsetB,
                     uint64_t SizeB);

/// A field of a type, or of an element of an array of them.
struct TypeField {
  uint32_t Type = 0;
  uint64_t Offset = 0, Size = 0;
  /// "cache"; "+16" where names are not known.
  std::string Name;
  /// Of the array; nothing for a single object.
  std::optional<uint32_t> Element;
};

/// Objects of all types at all their phases.
struct TypeScene {
  layout::Image Image;
  AccessTable Accesses;
  PhaseRules Rules;
  /// By symbol of the image.
  std::vector<TypeField> Fields;
  /// By section of the image.
  struct Object {
    uint32_t Type = 0;
    Phase Position;
  };
  std::vector<Object> Objects;
  std::vector<AccessedType> Types;
  /// By type; empty for those that debug info does not have.
  std::vector<std::optional<TypeLayout>> Layouts;
  /// Written types that there was no room for.
  uint64_t LeftOut = 0;
  /// Names that the image points to.
  std::deque<std::string> Names;
};

/// \p Layouts is by type.
TypeScene buildTypeScene(TypeTable Table,
                         std::vector<std::optional<TypeLayout>> Layouts,
                         const CallGraph &Graph, PhaseRules Rules);

/// What can force transfers if two threads use one object, or neighbours of an
/// array of locks. Types whose objects are synchronised come first, then by
/// score of false sharing. True sharing alone is a finding for synchronised
/// types only: any object may be used by one thread. Each is about a
/// FieldHazard.
std::vector<LineFinding> findTypeHazards(const TypeScene &Scene,
                                         const LineMap &Lines);

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_TYPES_H
