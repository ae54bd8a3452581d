// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's DWARF reader, asked about types. What is damaged reads as missing.

#include "linesman/Input/DwarfType.h"
#include "linesman/Facts/Discarded.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"
#include "llvm/DebugInfo/DWARF/LowLevel/DWARFExpression.h"

using namespace llvm;
using namespace llvm::dwarf;

namespace linesman::input {

/// A longer chain of types is damaged debug information.
static constexpr unsigned MostFollowed = 64;
/// Of arrays of arrays.
static constexpr unsigned MostDimensions = 64;

DWARFDie follow(DWARFDie Die, ArrayRef<Tag> Wrappers) {
  for (unsigned Depth = 0; Die && Depth != MostFollowed; ++Depth) {
    if (!is_contained(Wrappers, Die.getTag()))
      return Die;
    Die = Die.resolveReferencedType(DW_AT_type);
  }
  return {};
}

DWARFDie stripQualifiers(DWARFDie Die) {
  return follow(Die, {DW_TAG_typedef, DW_TAG_const_type, DW_TAG_volatile_type,
                      DW_TAG_restrict_type, DW_TAG_atomic_type});
}

DwarfType typeOf(const DWARFDie &Die) {
  std::optional<DWARFFormValue> Type = Die.findRecursively(DW_AT_type);
  return {Type ? stripQualifiers(Die.resolveReferencedType(*Type))
               : DWARFDie()};
}

bool isClass(const DWARFDie &Die) {
  return Die && (Die.getTag() == DW_TAG_structure_type ||
                 Die.getTag() == DW_TAG_class_type ||
                 Die.getTag() == DW_TAG_union_type);
}

bool isDeclaration(const DWARFDie &Die) {
  return Die.find(DW_AT_declaration).has_value();
}

static SmallVector<DWARFDie, 2> dimensionsOf(const DWARFDie &Array) {
  SmallVector<DWARFDie, 2> Result;
  forEachChild(Array, [&](const DWARFDie &Child) {
    if (Child.getTag() == DW_TAG_subrange_type)
      Result.push_back(Child);
  });
  return Result;
}

/// What the array itself says.
static std::optional<uint64_t> ownStrideOf(const DwarfType &Array) {
  if (Array.Indexed || dimensionsOf(Array.Die).size() >= 2)
    return std::nullopt;
  return toUnsigned(Array.Die.find(DW_AT_byte_stride));
}

uint64_t sizeOf(const DwarfType &Type) {
  uint64_t Elements = 1;
  DwarfType Subject = Type;
  // One that is its own element is damaged debug information.
  for (unsigned Depth = 0; isArray(Subject);
       Subject = elementOf(Subject), ++Depth) {
    if (Depth == MostDimensions)
      return 0;
    Elements *= elementsOf(Subject).value_or(0);
    if (std::optional<uint64_t> Stride = ownStrideOf(Subject))
      return Elements * *Stride;
  }
  if (!Subject)
    return 0;
  return Elements *
         DWARFDie(Subject.Die)
             .getTypeSize(Subject.Die.getDwarfUnit()->getAddressByteSize())
             .value_or(0);
}

bool isReference(const DwarfType &Type) {
  return Type && (Type.Die.getTag() == DW_TAG_reference_type ||
                  Type.Die.getTag() == DW_TAG_rvalue_reference_type);
}

std::optional<DwarfType> pointee(const DwarfType &Type) {
  if (Type && (isReference(Type) || Type.Die.getTag() == DW_TAG_pointer_type))
    return typeOf(Type.Die);
  return std::nullopt;
}

bool isArray(const DwarfType &Type) {
  return Type && Type.Die.getTag() == DW_TAG_array_type;
}

DwarfType elementOf(const DwarfType &Array) {
  if (Array.Indexed + 1 < dimensionsOf(Array.Die).size())
    return {Array.Die, Array.Indexed + 1};
  return typeOf(Array.Die);
}

std::optional<uint64_t> elementsOf(const DwarfType &Array) {
  SmallVector<DWARFDie, 2> All = dimensionsOf(Array.Die);
  if (Array.Indexed >= All.size())
    return std::nullopt;
  const DWARFDie &Dimension = All[Array.Indexed];
  if (auto Count = toUnsigned(Dimension.find(DW_AT_count)))
    return Count;
  // One below the first is how C++ compilers write "none".
  if (auto Last = toUnsigned(Dimension.find(DW_AT_upper_bound)))
    return *Last + 1;
  return std::nullopt;
}

uint64_t strideOf(const DwarfType &Array) {
  if (std::optional<uint64_t> Stride = ownStrideOf(Array))
    return *Stride;
  return sizeOf(elementOf(Array));
}

/// Where a member begins, in bits; nullopt where the object decides.
static std::optional<uint64_t> firstBitOf(const DWARFDie &Member,
                                          std::optional<uint64_t> Bits) {
  if (auto First = toUnsigned(Member.find(DW_AT_data_bit_offset)))
    return First;
  uint64_t Byte = 0; // unions say nothing
  if (std::optional<DWARFFormValue> Value =
          Member.find(DW_AT_data_member_location)) {
    std::optional<uint64_t> Offset = toUnsigned(Value);
    if (!Offset || *Offset > UINT64_MAX / 8)
      return std::nullopt;
    Byte = *Offset;
  }
  // Before DWARF 4, bits were counted from the storage's most significant end.
  if (auto FromTop = toUnsigned(Member.find(DW_AT_bit_offset))) {
    uint64_t Storage = toUnsigned(Member.find(DW_AT_byte_size))
                           .value_or(sizeOf(typeOf(Member)));
    return Byte * 8 + Storage * 8 - *FromTop - Bits.value_or(0);
  }
  return Byte * 8;
}

std::vector<DwarfField> fieldsOf(const DwarfType &Class) {
  std::vector<DwarfField> Fields;
  forEachChild(Class.Die, [&](const DWARFDie &Child) {
    bool IsBase = Child.getTag() == DW_TAG_inheritance;
    // An external member is static.
    if (!IsBase &&
        (Child.getTag() != DW_TAG_member || Child.find(DW_AT_external)))
      return;
    DwarfField Field;
    Field.Die = Child;
    const char *Name = IsBase ? nullptr : Child.getShortName();
    Field.Name = Name ? Name : "";
    Field.Bits = toUnsigned(Child.find(DW_AT_bit_size));
    Field.FirstBit = firstBitOf(Child, Field.Bits);
    Fields.push_back(Field);
  });
  return Fields;
}

SmallVector<VariablePlace, 1> placesOf(const DWARFDie &Variable) {
  SmallVector<VariablePlace, 1> Places;
  auto Add = [&](uint64_t Address, uint64_t Offset) {
    if (!facts::isDiscarded(Address))
      Places.push_back({{Address}, Offset});
  };
  std::optional<DWARFFormValue> Location = Variable.find(DW_AT_location);
  std::optional<ArrayRef<uint8_t>> Block;
  if (Location)
    Block = Location->getAsBlock();
  if (!Block || Block->empty())
    return Places;
  // Most variables of functions are relative to a register.
  uint8_t First = Block->front();
  if (First != DW_OP_addr && First != DW_OP_addrx &&
      First != DW_OP_GNU_addr_index && First != DW_OP_piece)
    return Places;
  DWARFUnit &Unit = *Variable.getDwarfUnit();
  DWARFExpression Expression(
      DataExtractor(*Block, Unit.isLittleEndian(), Unit.getAddressByteSize()),
      Unit.getAddressByteSize(), Unit.getFormParams().Format);
  std::optional<uint64_t> Position;
  uint64_t Offset = 0;
  for (const DWARFExpression::Operation &Op : Expression) {
    if (Op.isError())
      return {};
    switch (Op.getCode()) {
    case DW_OP_addr:
      Position = Op.getRawOperand(0);
      break;
    case DW_OP_addrx:
    case DW_OP_GNU_addr_index:
      if (auto Found = Unit.getAddrOffsetSectionItem(Op.getRawOperand(0)))
        Position = Found->Address;
      break;
    case DW_OP_plus_uconst: // in what was merged with other variables
      if (Position)
        *Position += Op.getRawOperand(0);
      break;
    case DW_OP_piece:
      if (Position)
        Add(*Position, Offset);
      Position.reset();
      Offset += Op.getRawOperand(0);
      break;
    default: // a value, or thread-local
      return {};
    }
  }
  if (Position)
    Add(*Position, Offset);
  return Places;
}

} // namespace linesman::input
