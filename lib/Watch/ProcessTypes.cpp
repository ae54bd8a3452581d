// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's DWARF reader, asked for types. Nothing is indexed: one session asks
// for a handful of names, and reading all of a large program takes longer than
// looking through the units until the name turns up.

#include "ProcessTypes.h"
#include "linesman/Watch/Expression.h"
#include "llvm/DebugInfo/DWARF/DWARFDie.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace llvm::dwarf;

namespace linesman::watch {

/// Deeper nesting of bases and anonymous members is damaged debug information.
static constexpr unsigned MaxDepth = 32;

static bool isClass(const DWARFDie &Die) {
  return Die && (Die.getTag() == DW_TAG_structure_type ||
                 Die.getTag() == DW_TAG_class_type ||
                 Die.getTag() == DW_TAG_union_type);
}

/// Follows typedefs and qualifiers.
static DWARFDie strip(DWARFDie Die) {
  for (unsigned Depth = 0; Die && Depth != MaxDepth; ++Depth)
    switch (Die.getTag()) {
    case DW_TAG_typedef:
    case DW_TAG_const_type:
    case DW_TAG_volatile_type:
    case DW_TAG_restrict_type:
    case DW_TAG_atomic_type:
      Die = Die.resolveReferencedType(DW_AT_type);
      break;
    default:
      return Die;
    }
  return Die;
}

static ObjectType typeOf(const DWARFDie &Die) {
  std::optional<DWARFFormValue> Type = Die.findRecursively(DW_AT_type);
  return {Type ? strip(Die.resolveReferencedType(*Type)) : DWARFDie()};
}

static std::string qualifiedName(const DWARFDie &Die) {
  std::string Name;
  raw_string_ostream OS(Name);
  dumpTypeQualifiedName(Die, OS);
  return Name;
}

ProcessTypes::File &ProcessTypes::fileOf(const Module &M) {
  auto [Entry, IsNew] = Files.try_emplace(M.file());
  File &Result = Entry->second;
  if (!IsNew)
    return Result;
  Expected<object::OwningBinary<object::ObjectFile>> Binary =
      object::ObjectFile::createObjectFile(M.file());
  if (!Binary) {
    // As with symbols: a mapped file need not be readable or ELF.
    consumeError(Binary.takeError());
    return Result;
  }
  Result.Binary = std::move(*Binary);
  // What is damaged is missing, and what is missing is an error of the caller.
  Result.Context = DWARFContext::create(
      *Result.Binary.getBinary(), DWARFContext::ProcessDebugRelocations::Ignore,
      nullptr, "", [](Error E) { consumeError(std::move(E)); },
      [](Error E) { consumeError(std::move(E)); });
  for (const auto &Unit : Result.Context->compile_units())
    if (DWARFDie Top = Unit->getNonSkeletonUnitDIE(false))
      Result.Units.push_back(Top.getDwarfUnit());
  return Result;
}

ObjectType ProcessTypes::typeOfVariable(const Module &M, LinkAddress Address) {
  for (DWARFUnit *Unit : fileOf(M).Units)
    if (DWARFDie Variable = Unit->getVariableForAddress(Address.Value))
      return complete(typeOf(Variable));
  return {};
}

ObjectType ProcessTypes::find(StringRef Name) {
  // The name without scopes and template arguments rules out nearly all.
  std::string Last = splitScope(Name).second;
  StringRef Short = StringRef(Last).split('<').first;
  for (const Module &M : Modules.modules()) {
    File &F = fileOf(M);
    if (!F.Context)
      continue;
    auto Search = [&](DWARFUnit &Unit) -> DWARFDie {
      Unit.getUnitDIE(false);
      for (unsigned I = 0, End = Unit.getNumDIEs(); I != End; ++I) {
        DWARFDie Die = Unit.getDIEAtIndex(I);
        if ((!isClass(Die) && Die.getTag() != DW_TAG_typedef) ||
            Die.find(DW_AT_declaration))
          continue;
        const char *Own = Die.getShortName();
        if (!Own || !StringRef(Own).starts_with(Short) ||
            qualifiedName(Die) != Name)
          continue;
        if (DWARFDie Class = strip(Die);
            isClass(Class) && !Class.find(DW_AT_declaration))
          return Class;
      }
      return {};
    };
    for (DWARFUnit *Unit : F.Units)
      if (DWARFDie Die = Search(*Unit))
        return {Die};
    // -fdebug-types-section.
    for (const auto &Unit : F.Context->normal_units())
      if (Unit->isTypeUnit())
        if (DWARFDie Die = Search(*Unit))
          return {Die};
    for (DWARFUnit *Split : F.Units)
      if (&Split->getContext() != F.Context.get())
        for (const auto &Unit : Split->getContext().dwo_units())
          if (Unit->isTypeUnit())
            if (DWARFDie Die = Search(*Unit))
              return {Die};
  }
  return {};
}

/// A global whose value, if anything, is known, but that is nowhere.
static bool isPlaceless(const DWARFDie &Variable) {
  Tag Scope =
      Variable.getParent() ? Variable.getParent().getTag() : DW_TAG_null;
  if (Scope != DW_TAG_compile_unit && Scope != DW_TAG_namespace)
    return false;
  std::optional<DWARFFormValue> Location = Variable.find(DW_AT_location);
  if (!Location)
    return true;
  std::optional<ArrayRef<uint8_t>> Expression = Location->getAsBlock();
  return Expression && !Expression->empty() &&
         Expression->back() == DW_OP_stack_value;
}

bool ProcessTypes::isOptimisedOut(StringRef Name) {
  std::string Short = splitScope(Name).second;
  for (const Module &M : Modules.modules())
    for (DWARFUnit *Unit : fileOf(M).Units)
      for (unsigned I = 0, End = Unit->getNumDIEs(); I != End; ++I) {
        DWARFDie Die = Unit->getDIEAtIndex(I);
        if (Die.getTag() != DW_TAG_variable || Die.find(DW_AT_declaration))
          continue;
        const char *Own = Die.getShortName();
        if (Own && Own == Short && isPlaceless(Die))
          return true;
      }
  return false;
}

/// Another unit may have the definition of what this one only declares.
ObjectType ProcessTypes::complete(ObjectType Type) {
  if (!isClass(Type.Die) || !Type.Die.find(DW_AT_declaration))
    return Type;
  ObjectType Defined = find(qualifiedName(Type.Die));
  return Defined ? Defined : Type;
}

std::string ProcessTypes::name(const ObjectType &Type) const {
  if (!Type)
    return "void";
  if (isArray(Type) && Type.Indexed)
    return "array of " + name(typeOf(Type.Die));
  return qualifiedName(Type.Die);
}

uint64_t ProcessTypes::size(const ObjectType &Type) const {
  if (!Type)
    return 0;
  if (!isArray(Type))
    return DWARFDie(Type.Die)
        .getTypeSize(Type.Die.getDwarfUnit()->getAddressByteSize())
        .value_or(0);
  return elements(Type).value_or(0) * size(element(Type));
}

bool ProcessTypes::isReference(const ObjectType &Type) {
  return Type && (Type.Die.getTag() == DW_TAG_reference_type ||
                  Type.Die.getTag() == DW_TAG_rvalue_reference_type);
}

std::optional<ObjectType> ProcessTypes::pointee(const ObjectType &Type) const {
  if (Type && (isReference(Type) || Type.Die.getTag() == DW_TAG_pointer_type))
    return typeOf(Type.Die);
  return std::nullopt;
}

ObjectType ProcessTypes::wrappedPointer(const ObjectType &Type) {
  ObjectType At = complete(Type);
  if (!isClass(At.Die) ||
      size(At) != At.Die.getDwarfUnit()->getAddressByteSize())
    return {};
  // Empty bases and deleters have the same offset but another size.
  for (DWARFDie Child : At.Die) {
    bool IsBase = Child.getTag() == DW_TAG_inheritance;
    if ((!IsBase && Child.getTag() != DW_TAG_member) ||
        Child.find(DW_AT_external))
      continue;
    ObjectType Part = complete(typeOf(Child));
    if (pointee(Part))
      return Part;
    if (size(Part) == size(At))
      if (ObjectType Found = wrappedPointer(Part))
        return Found;
  }
  return {};
}

/// Where \p Member is in its class; nullopt where the object decides.
static std::optional<uint64_t> offsetOf(const DWARFDie &Member) {
  if (auto Bits = toUnsigned(Member.find(DW_AT_data_bit_offset)))
    return *Bits / 8;
  std::optional<DWARFFormValue> Value = Member.find(DW_AT_data_member_location);
  if (!Value)
    return 0; // unions
  return toUnsigned(Value);
}

std::optional<FieldPlace> ProcessTypes::search(const ObjectType &Type,
                                               StringRef Name, unsigned Depth,
                                               StringRef &Problem) {
  if (Depth == MaxDepth)
    return std::nullopt;
  for (DWARFDie Child : Type.Die) {
    Tag Kind = Child.getTag();
    const char *Own = Child.getShortName();
    if (Kind == DW_TAG_variable ||
        (Kind == DW_TAG_member && Child.find(DW_AT_external))) {
      if (Own && Own == Name)
        Problem = "is static: give its qualified name";
      continue;
    }
    if (Kind != DW_TAG_member && Kind != DW_TAG_inheritance)
      continue;
    bool Named = Kind == DW_TAG_member && Own && *Own;
    if (Named && Own != Name)
      continue;
    ObjectType Part = complete(typeOf(Child));
    std::optional<FieldPlace> Found = FieldPlace{0, Part};
    if (!Named)
      Found = isClass(Part.Die) ? search(Part, Name, Depth + 1, Problem)
                                : std::nullopt;
    if (!Found)
      continue;
    std::optional<uint64_t> Offset = offsetOf(Child);
    if (!Offset) {
      Problem = "is in a virtual base, whose offset depends on the object";
      return std::nullopt;
    }
    Found->Offset += *Offset;
    return Found;
  }
  return std::nullopt;
}

Expected<FieldPlace> ProcessTypes::field(const ObjectType &Type,
                                         StringRef Name) {
  ObjectType Class = complete(Type);
  if (!isClass(Class.Die))
    return createStringError("is no class or structure but '" + name(Class) +
                             "', so it has no field '" + Name + "'");
  if (Class.Die.find(DW_AT_declaration))
    return createStringError("is a '" + name(Class) +
                             "', which no debug information defines");
  StringRef Problem;
  if (std::optional<FieldPlace> Found = search(Class, Name, 0, Problem))
    return *Found;
  if (!Problem.empty())
    return createStringError("is a '" + name(Class) + "', whose field '" +
                             Name + "' " + Problem);
  return createStringError("is a '" + name(Class) + "', which has no field '" +
                           Name + "'");
}

bool ProcessTypes::isArray(const ObjectType &Type) {
  return Type && Type.Die.getTag() == DW_TAG_array_type;
}

static std::vector<DWARFDie> dimensions(const DWARFDie &Array) {
  std::vector<DWARFDie> Result;
  for (DWARFDie Child : Array)
    if (Child.getTag() == DW_TAG_subrange_type)
      Result.push_back(Child);
  return Result;
}

ObjectType ProcessTypes::element(const ObjectType &Array) const {
  if (Array.Indexed + 1 < dimensions(Array.Die).size())
    return {Array.Die, Array.Indexed + 1};
  return typeOf(Array.Die);
}

std::optional<uint64_t> ProcessTypes::elements(const ObjectType &Array) const {
  std::vector<DWARFDie> All = dimensions(Array.Die);
  if (Array.Indexed >= All.size())
    return std::nullopt;
  const DWARFDie &Dimension = All[Array.Indexed];
  if (auto Count = toUnsigned(Dimension.find(DW_AT_count)))
    return Count;
  if (auto Last = toUnsigned(Dimension.find(DW_AT_upper_bound)))
    return *Last + 1;
  return std::nullopt;
}

} // namespace linesman::watch
