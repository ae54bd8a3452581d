// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's DWARF reader, asked for types. Nothing is indexed: one session asks
// for a handful of names, and reading all of a large program takes longer than
// looking through the units until the name turns up.

#include "ProcessTypes.h"
#include "linesman/Process/Modules.h"
#include "linesman/Watch/Expression.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"

using namespace llvm;
using namespace llvm::dwarf;
using namespace linesman::input;
using namespace linesman::process;

namespace linesman::watch {

/// Deeper nesting of bases and anonymous members is damaged debug information.
static constexpr unsigned MaxDepth = 32;

ProcessTypes::File &ProcessTypes::fileOf(const Module &M) {
  auto [Entry, IsNew] = Files.try_emplace(M.File);
  File &Result = Entry->second;
  if (!IsNew)
    return Result;
  Expected<ModuleFile> Binary = openModule(M, hasDebugInfo);
  if (!Binary) {
    // As with symbols: a damaged file has no types.
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
    if (DWARFDie Top = Guard.open(*Unit, UnitGuard::Entries::All))
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
      for (unsigned I = 0, End = Unit.getNumDIEs(); I != End; ++I) {
        DWARFDie Die = Unit.getDIEAtIndex(I);
        if ((!isClass(Die) && Die.getTag() != DW_TAG_typedef) ||
            isDeclaration(Die))
          continue;
        const char *Own = Die.getShortName();
        if (!Own || !StringRef(Own).starts_with(Short) ||
            input::nameOf({Die}) != Name)
          continue;
        if (DWARFDie Class = stripQualifiers(Die);
            isClass(Class) && !isDeclaration(Class))
          return Class;
      }
      return {};
    };
    for (DWARFUnit *Unit : F.Units)
      if (DWARFDie Die = Search(*Unit))
        return {Die};
    // -fdebug-types-section.
    for (const auto &Unit : F.Context->normal_units())
      if (Unit->isTypeUnit() && Guard.admits(*Unit, UnitGuard::Entries::All))
        if (DWARFDie Die = Search(*Unit))
          return {Die};
    for (DWARFUnit *Split : F.Units)
      if (&Split->getContext() != F.Context.get())
        for (const auto &Unit : Split->getContext().dwo_units())
          if (Unit->isTypeUnit() &&
              Guard.admits(*Unit, UnitGuard::Entries::All))
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
  if (!isClass(Type.Die) || !isDeclaration(Type.Die))
    return Type;
  ObjectType Defined = find(input::nameOf(Type));
  return Defined ? Defined : Type;
}

ObjectType ProcessTypes::wrappedPointer(const ObjectType &Type,
                                        unsigned Depth) {
  ObjectType Whole = complete(Type);
  if (Depth == MaxDepth || !isClass(Whole.Die) ||
      sizeOf(Whole) != Whole.Die.getDwarfUnit()->getAddressByteSize())
    return {};
  // Empty bases and deleters have the same offset but another size.
  for (const DwarfField &Field : fieldsOf(Whole)) {
    ObjectType Part = complete(typeOf(Field.Die));
    if (pointee(Part))
      return Part;
    if (sizeOf(Part) == sizeOf(Whole))
      if (ObjectType Found = wrappedPointer(Part, Depth + 1))
        return Found;
  }
  return {};
}

std::optional<FieldPlace> ProcessTypes::search(const ObjectType &Type,
                                               StringRef Name, unsigned Depth,
                                               StringRef &Problem) {
  if (Depth == MaxDepth)
    return std::nullopt;
  for (const DwarfField &Field : fieldsOf(Type)) {
    bool Named = !Field.Name.empty();
    if (Named && Field.Name != Name)
      continue;
    ObjectType Part = complete(typeOf(Field.Die));
    std::optional<FieldPlace> Found = FieldPlace{0, Part};
    if (!Named)
      Found = isClass(Part.Die) ? search(Part, Name, Depth + 1, Problem)
                                : std::nullopt;
    if (!Found)
      continue;
    if (!Field.FirstBit) {
      Problem = "is in a virtual base, whose offset depends on the object";
      return std::nullopt;
    }
    Found->Offset += *Field.FirstBit / 8;
    return Found;
  }
  forEachChild(Type.Die, [&](const DWARFDie &Child) {
    if ((Child.getTag() == DW_TAG_variable ||
         (Child.getTag() == DW_TAG_member && Child.find(DW_AT_external))) &&
        Child.getShortName() == Name)
      Problem = "is static: give its qualified name";
  });
  return std::nullopt;
}

Expected<FieldPlace> ProcessTypes::field(const ObjectType &Type,
                                         StringRef Name) {
  ObjectType Class = complete(Type);
  if (!isClass(Class.Die))
    return createStringError("is no class or structure but '" +
                             input::nameOf(Class) + "', so it has no field '" +
                             Name + "'");
  if (isDeclaration(Class.Die))
    return createStringError("is a '" + input::nameOf(Class) +
                             "', which no debug information defines");
  StringRef Problem;
  if (std::optional<FieldPlace> Found = search(Class, Name, 0, Problem))
    return *Found;
  if (!Problem.empty())
    return createStringError("is a '" + input::nameOf(Class) +
                             "', whose field '" + Name + "' " + Problem);
  return createStringError("is a '" + input::nameOf(Class) +
                           "', which has no field '" + Name + "'");
}

} // namespace linesman::watch
