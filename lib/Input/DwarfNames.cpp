// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of types, and definitions of variables, as the source writes them. LLVM
// prints types as C++ does; C wants "struct" before the name of one.

#include "LineTableNames.h"
#include "linesman/Input/DwarfType.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFTypePrinter.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace llvm::dwarf;
using linesman::layout::Definition;

namespace linesman::input {

static bool isTemplateArgument(Tag Kind) {
  return Kind == DW_TAG_template_type_parameter ||
         Kind == DW_TAG_template_value_parameter ||
         Kind == DW_TAG_GNU_template_parameter_pack;
}

/// LLVM writes the types that one is made of, and never ends where one of them
/// is the type itself. Looks at \p Left entries at most.
static bool hasEnd(const DWARFDie &Die, unsigned &Left) {
  if (!Die)
    return true;
  if (Left == 0)
    return false;
  --Left;
  if (!hasEnd(Die.resolveReferencedType(DW_AT_type), Left))
    return false;
  bool Ends = true;
  forEachChild(Die, [&](const DWARFDie &Child) {
    Tag Kind = Child.getTag();
    if (Kind == DW_TAG_formal_parameter || isTemplateArgument(Kind))
      Ends = Ends && hasEnd(Child, Left);
  });
  bool IsMember = isClass(Die) && isClass(Die.getParent());
  return Ends && (!IsMember || hasEnd(Die.getParent(), Left));
}

/// Of all arguments of templates and functions, too.
static bool hasEnd(const DWARFDie &Die) {
  unsigned Left = 1000;
  return hasEnd(Die, Left);
}

std::string nameOf(const DwarfType &Type) {
  if (!Type)
    return "void";
  if (isArray(Type) && Type.Indexed)
    return "array of " + nameOf(typeOf(Type.Die));
  if (!hasEnd(Type.Die))
    return "damaged type";
  std::string Name;
  raw_string_ostream OS(Name);
  dumpTypeQualifiedName(Type.Die, OS);
  return Name;
}

static bool hasTemplateArguments(const DWARFDie &Class) {
  bool Has = false;
  forEachChild(Class, [&](const DWARFDie &Child) {
    Has |= isTemplateArgument(Child.getTag());
  });
  return Has;
}

std::string ownNameOf(const DWARFDie &Die) {
  const char *Short = Die.getShortName();
  StringRef Name = Short ? Short : "";
  if (Name.empty() || Name.ends_with(">") || !isClass(Die) ||
      !hasTemplateArguments(Die) || !hasEnd(Die))
    return Name.str();
  std::string Whole;
  raw_string_ostream OS(Whole);
  dumpTypeUnqualifiedName(Die, OS);
  return Whole;
}

/// What \p Type points to or consists of; no entry for void.
static DWARFDie innermostOf(DWARFDie Type) {
  return follow(Type, {DW_TAG_pointer_type, DW_TAG_reference_type,
                       DW_TAG_rvalue_reference_type, DW_TAG_array_type,
                       DW_TAG_const_type, DW_TAG_volatile_type,
                       DW_TAG_restrict_type});
}

/// A type that C names with "struct", "union" or "enum" before.
static bool hasTag(const DWARFDie &Type) {
  return isClass(Type) || (Type && Type.getTag() == DW_TAG_enumeration_type);
}

static StringRef tagWord(const DWARFDie &Type) {
  switch (Type.getTag()) {
  case DW_TAG_union_type:
    return "union ";
  case DW_TAG_enumeration_type:
    return "enum ";
  default:
    return "struct ";
  }
}

static bool isFunctionOfTags(const DWARFDie &Type) {
  if (Type.getTag() != DW_TAG_subroutine_type)
    return false;
  bool Has = hasTag(innermostOf(Type.resolveReferencedType(DW_AT_type)));
  forEachChild(Type, [&](const DWARFDie &Child) {
    Has |= hasTag(innermostOf(Child.resolveReferencedType(DW_AT_type)));
  });
  return Has;
}

/// As the source can write it; empty where that is not known.
static std::string writtenType(const DWARFDie &Type) {
  if (!Type || !hasEnd(Type))
    return "";
  if (Type.getTag() == DW_TAG_atomic_type) {
    std::string Owner = writtenType(Type.resolveReferencedType(DW_AT_type));
    return Owner.empty() ? "" : "_Atomic(" + Owner + ")";
  }
  DWARFDie Inner = innermostOf(Type);
  if (Inner && ((hasTag(Inner) && !Inner.getShortName()) ||
                Inner.getTag() == DW_TAG_atomic_type))
    return "";
  std::string Text;
  raw_string_ostream OS(Text);
  dumpTypeQualifiedName(Type, OS);
  // LLVM does not close those of arrays of pointers to functions.
  if (count(Text, '(') != count(Text, ')'))
    return "";
  auto Language =
      toUnsigned(Type.getDwarfUnit()->getUnitDIE().find(DW_AT_language), 0);
  // isC expects a language that LLVM knows.
  if (!Inner || LanguageString(Language).empty() ||
      !isC(SourceLanguage(Language)))
    return Text;
  if (isFunctionOfTags(Inner))
    return "";
  if (hasTag(Inner)) {
    StringRef Rest = Text;
    while (Rest.consume_front("const ") || Rest.consume_front("volatile "))
      ;
    if (!Rest.starts_with(Inner.getShortName()))
      return "";
    Text.insert(Text.size() - Rest.size(), tagWord(Inner));
  }
  return Text;
}

Definition definitionOf(const DWARFDie &Variable) {
  Definition Result;
  Result.Line = Variable.getDeclLine();
  Result.IsLocal = !Variable.findRecursively(DW_AT_external);
  if (auto Type = Variable.findRecursively(DW_AT_type))
    Result.Type = writtenType(Variable.resolveReferencedType(*Type));
  return Result;
}

Expected<std::string> declFileOf(const DWARFDie &Die) {
  // LLVM's own getDeclFile does not know the unit of a number that all entries
  // of a kind have in common (DW_FORM_implicit_const), as GCC writes it.
  std::string File;
  DWARFUnit &Unit = *Die.getDwarfUnit();
  if (auto Number = toUnsigned(Die.findRecursively(DW_AT_decl_file))) {
    if (Error E = checkLineTableNames(Unit))
      return std::move(E);
    if (const auto *Table = Unit.getContext().getLineTableForUnit(&Unit))
      Table->getFileNameByIndex(
          *Number, "", DILineInfoSpecifier::FileLineInfoKind::RelativeFilePath,
          File);
  }
  return File;
}

} // namespace linesman::input
