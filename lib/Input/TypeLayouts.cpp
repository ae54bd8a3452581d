// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DWARF's types, looked for by name: unit by unit, only in namespaces and
// classes, until all are found. A unit's entries are freed when it is done, so
// that memory is that of the largest.

#include "linesman/Input/TypeLayouts.h"
#include "OpenDwarf.h"
#include "linesman/Input/DwarfType.h"
#include "linesman/Input/TypeName.h"
#include "linesman/Input/UnitGuard.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace llvm::dwarf;

namespace linesman::input {

namespace {

/// Deeper nesting is damaged debug information.
constexpr unsigned MaxDepth = 32;

class LayoutReader {
public:
  explicit LayoutReader(ArrayRef<layout::AccessedType> Types)
      : Types(Types), Result(Types.size()) {
    for (auto [Number, T] : enumerate(Types)) {
      std::string Name = comparableTypeName(T.Name);
      addTemplates(Name);
      Wanted[Name].push_back(Number);
    }
  }

  void readUnit(const DWARFDie &Unit) { readScope(Unit, "", 0); }
  bool isDone() const { return Wanted.empty(); }

  ArrayRef<layout::AccessedType> Types;
  std::vector<std::optional<layout::TypeLayout>> Result;

private:
  void addTemplates(StringRef Name);
  void readScope(const DWARFDie &Scope, const std::string &Prefix,
                 unsigned Depth);
  void define(const DWARFDie &Record, StringRef Name);
  void addMembers(const DWARFDie &Record, uint64_t Address,
                  const std::string &Prefix, layout::TypeLayout &Target,
                  unsigned Depth);

  /// Members of the record that is being read.
  size_t Looked = 0;
  /// Types of each name: several where layouts differ.
  StringMap<SmallVector<size_t, 1>> Wanted;
  /// Templates of wanted types, and of what they are in: "A" and "A<int>::B" of
  /// "A<int>::B<long>". Only of such classes the arguments are looked for.
  StringSet<> Templates;
};

void LayoutReader::addTemplates(StringRef Name) {
  unsigned Open = 0;
  for (auto [I, C] : enumerate(Name)) {
    if (C == '<' && Open++ == 0)
      Templates.insert(Name.take_front(I));
    else if (C == '>' && Open)
      --Open;
  }
}

void LayoutReader::readScope(const DWARFDie &Scope, const std::string &Prefix,
                             unsigned Depth) {
  if (Depth == MaxDepth)
    return;
  forEachChild(Scope, [&](const DWARFDie &Child) {
    Tag Kind = Child.getTag();
    bool IsSpace = Kind == DW_TAG_namespace;
    if (!IsSpace && !isClass(Child) && Kind != DW_TAG_typedef)
      return;
    const char *Own = Child.getShortName();
    std::string Name =
        Prefix + comparableTypeName(Own       ? StringRef(Own)
                                    : IsSpace ? "(anonymous namespace)"
                                              : "");
    if (Templates.contains(Name))
      Name = Prefix + comparableTypeName(ownNameOf(Child));
    if (!IsSpace && Own && Wanted.contains(Name)) {
      // A record of C may be named by its typedef only.
      DWARFDie Record = stripQualifiers(Child);
      if (isClass(Record) && !isDeclaration(Record))
        define(Record, Name);
    }
    if (Kind != DW_TAG_typedef && (Own || IsSpace))
      readScope(Child, Name + "::", Depth + 1);
  });
}

void LayoutReader::define(const DWARFDie &Record, StringRef Name) {
  uint64_t Size = sizeOf(DwarfType{Record});
  auto Entry = Wanted.find(Name);
  for (size_t &Number : Entry->second) {
    if (Types[Number].Size && Types[Number].Size != Size)
      continue;
    layout::TypeLayout &Layout = Result[Number].emplace();
    Layout.Size = Size;
    Looked = 0;
    addMembers(Record, 0, "", Layout, 0);
    stable_sort(Layout.Members, [](const auto &A, const auto &B) {
      return A.Offset < B.Offset;
    });
    Expected<std::string> File = declFileOf(Record);
    if (!File)
      consumeError(File.takeError());
    else if (uint64_t Line = Record.getDeclLine(); Line && !File->empty())
      Layout.Source = (Twine(*File) + ":" + Twine(Line)).str();
    // One of several with this name.
    erase(Entry->second, Number);
    break;
  }
  if (Entry->second.empty())
    Wanted.erase(Entry);
}

/// What nobody who reads a report can reorder.
bool isLibrarys(const DWARFDie &Record) {
  for (DWARFDie Scope = Record.getParent(); Scope; Scope = Scope.getParent())
    if (const char *Name = Scope.getShortName();
        Scope.getTag() == DW_TAG_namespace && Name &&
        (StringRef(Name) == "std" || StringRef(Name) == "__gnu_cxx"))
      return true;
  const char *Name = Record.getShortName();
  return Name && StringRef(Name).starts_with("__");
}

void LayoutReader::addMembers(const DWARFDie &Record, uint64_t Address,
                              const std::string &Prefix,
                              layout::TypeLayout &Target, unsigned Depth) {
  if (Depth == MaxDepth)
    return;
  auto Align = [&Target](const DWARFDie &Die) {
    if (auto Bytes = toUnsigned(Die.find(DW_AT_alignment));
        Bytes && isPowerOf2_64(*Bytes))
      Target.Alignment = std::max(Target.Alignment, *Bytes);
  };
  Align(Record);
  for (const DwarfField &Field : fieldsOf({Record})) {
    if (Looked == MostMembers)
      return;
    ++Looked;
    Align(Field.Die);
    if (!Field.FirstBit)
      continue; // a virtual base: the object decides
    bool IsBase = Field.Die.getTag() == DW_TAG_inheritance;
    uint64_t Offset = Address + *Field.FirstBit / 8;
    DwarfType Type = typeOf(Field.Die);
    // Members of an anonymous union are the class's own. They overlap.
    bool IsNamedUnion = isClass(Type.Die) &&
                        Type.Die.getTag() == DW_TAG_union_type &&
                        (IsBase || !Field.Name.empty());
    bool IsPlain = isClass(Type.Die) && !IsNamedUnion &&
                   !isDeclaration(Type.Die) && !isLibrarys(Type.Die);
    if (IsPlain) {
      addMembers(Type.Die, Offset,
                 Field.Name.empty() ? Prefix : Prefix + Field.Name.str() + ".",
                 Target, Depth + 1);
      continue;
    }
    if (isClass(Type.Die))
      Align(Type.Die);
    uint64_t Size = Field.Bits ? (*Field.Bits + 7) / 8 : sizeOf(Type);
    // Empty bases have no bytes of their own.
    if (IsBase && Size <= 1)
      continue;
    StringRef Name = Field.Name;
    if (const char *Base = Type.Die.getShortName(); IsBase && Base)
      Name = Base;
    if (Name.empty())
      Name = "(anonymous)";
    else if (Name.starts_with("_vptr"))
      Name = "vptr";
    Target.Members.push_back({Offset, Size, Prefix + Name.str()});
  }
}

} // namespace

std::vector<std::optional<layout::TypeLayout>>
readTypeLayouts(const Binary &File, ArrayRef<layout::AccessedType> Types) {
  auto Reader = std::make_unique<LayoutReader>(Types);
  auto Read = [&] {
    auto Ignore = [](Error E) { consumeError(std::move(E)); };
    OpenedDwarf Dwarf = openDwarf(File, Ignore);
    UnitGuard Guard;
    if (!Dwarf.Context)
      return;
    for (const auto &Unit : Dwarf.Context->compile_units()) {
      if (Reader->isDone())
        break;
      if (DWARFDie Top = Guard.open(*Unit, UnitGuard::Entries::All))
        Reader->readUnit(Top);
      Guard.close(*Unit);
    }
  };
  if (survives(Read))
    return std::move(Reader->Result);
  (void)Reader.release();
  return std::vector<std::optional<layout::TypeLayout>>(Types.size());
}

} // namespace linesman::input
