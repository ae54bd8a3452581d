// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DWARF to the model's types.
//
//  1. Each unit that can have a wanted object: its variables at namespace
//     level, and those of functions where a wanted object can be one. A static
//     member of a class template is at namespace level too, as the completion
//     of its declaration.
//  2. A wanted variable's type is turned into the model's, with all that is in
//     it by value; pointers end there.
//  3. What a unit only declares is looked for in the others, once for all.

#include "linesman/Input/ReadTypes.h"
#include "OpenDwarf.h"
#include "UnitFilter.h"
#include "linesman/Input/DwarfType.h"
#include "linesman/Input/UnitGuard.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugAbbrev.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"
#include <map>
#include <tuple>

using namespace llvm;
using namespace llvm::dwarf;
using namespace linesman::layout;

namespace linesman::input {

namespace {

/// A class that another unit defines may have members that a third one does.
constexpr unsigned MostRounds = 4;

/// C compilers name the static variables of functions "f.count" or "count.0".
bool mayBeInFunction(StringRef Name) {
  return Name.starts_with("_ZZ") || Name.contains('.');
}

/// The name with its scopes; empty for what has none.
std::string scopedName(DWARFDie Die) {
  std::string Name;
  for (unsigned Depth = 0; Die && Depth != MostNesting; ++Depth) {
    // A class that is defined outside of its scope.
    if (DWARFDie Declared =
            Die.getAttributeValueAsReferencedDie(DW_AT_specification))
      Die = Declared;
    if (isUnitType(Die.getTag()))
      break;
    std::string Own = ownNameOf(Die);
    if (Own.empty() && Die.getTag() != DW_TAG_namespace)
      return "";
    Name = (Own.empty() ? "(anonymous)" : Own) + "::" + Name;
    Die = Die.getParent();
  }
  return Name;
}

class TypeReader {
public:
  TypesRead read(const Binary &File, ArrayRef<uint32_t> Wanted) {
    for (uint32_t Index : Wanted) {
      const Symbol &S = File.Image.symbols()[Index];
      Missing.insert(S.Address.Value);
      LooksIntoFunctions |= mayBeInFunction(S.name());
    }
    Dwarf = open(File);
    if (!Dwarf.Context)
      return std::move(Result);
    UnitFilter Filter(*Dwarf.Context, {Missing.begin(), Missing.end()});
    for (const auto &Unit : Dwarf.Context->compile_units()) {
      ++Result.Counts.Units;
      if (!Guard.admits(*Unit, Entries::First))
        continue;
      Result.Counts.HasVariables =
          Result.Counts.HasVariables || mayHaveVariables(*Unit);
      if (Filter.mayHave(*Unit))
        visit(*Unit, [&](DWARFUnit &U) { readVariables(U); });
      if (Missing.empty())
        break;
    }
    for (unsigned Round = 0; Round != MostRounds && !Declared.empty();
         ++Round) {
      bool HasReadPackage = false;
      for (const auto &Unit : Dwarf.Context->normal_units())
        visit(*Unit, [&](DWARFUnit &U) {
          readDefinitions(U);
          // -fdebug-types-section; a package has those of all units.
          bool IsPackage = &U.getContext() == Guard.package();
          if (U.isDWOUnit() && !(IsPackage && HasReadPackage))
            for (const auto &T : U.getContext().dwo_units())
              if (T->isTypeUnit())
                readDefinitions(*T);
          HasReadPackage |= IsPackage;
        });
    }
    finishArrays();
    return std::move(Result);
  }

  /// Until LLVM's reader has crashed on one.
  bool HasLineTables = true;

private:
  using Entries = UnitGuard::Entries;
  using TypeKey = std::tuple<const DWARFUnit *, uint64_t, unsigned>;

  TypesRead Result;
  OpenedDwarf Dwarf;
  UnitGuard Guard;
  /// Addresses of objects without a type.
  DenseSet<uint64_t> Missing;
  bool LooksIntoFunctions = false;
  /// Of the unit that is being read; nothing while a type is being made.
  std::map<TypeKey, std::optional<TypeIndex>> Known;
  /// Whose line tables are damaged.
  DenseSet<const DWARFUnit *> WithoutTable;
  /// Other units that types of this one are in.
  DenseSet<DWARFUnit *> Visited;
  /// By scoped name: types that are only declared so far.
  StringMap<SmallVector<TypeIndex, 1>> Declared;
  /// Their names without scopes, which most types of a unit do not have.
  StringSet<> DeclaredNames;

  OpenedDwarf open(const Binary &File) {
    return openDwarf(File,
                     [this](Error E) { addProblem(toString(std::move(E))); });
  }

  void addProblem(StringRef Text) {
    if (!Result.Counts.Problems++)
      Result.Counts.FirstProblem = Text;
  }

  /// Reads a unit, or what was split off from it, and forgets it.
  void visit(DWARFUnit &Unit, function_ref<void(DWARFUnit &)> Read) {
    if (DWARFDie Top = Guard.open(Unit, Entries::First))
      Read(*Top.getDwarfUnit());
    Known.clear();
    for (DWARFUnit *Other : Visited)
      if (&Other->getContext() == Dwarf.Context.get())
        Other->clear();
    Visited.clear();
    Guard.close(Unit);
  }

  static bool hasTag(const DWARFUnit &Unit, ArrayRef<Tag> Tags) {
    const DWARFAbbreviationDeclarationSet *Abbreviations =
        Unit.getAbbreviations();
    return Abbreviations && any_of(*Abbreviations, [&](const auto &A) {
             return is_contained(Tags, A.getTag());
           });
  }

  /// Where the rest of a skeleton is; empty for all other units.
  static std::string splitFileOf(DWARFUnit &Unit) {
    DWARFDie Top = Unit.getUnitDIE();
    if (!Top || Unit.isDWOUnit())
      return "";
    auto Name = dwarf::toString(Top.find({DW_AT_dwo_name, DW_AT_GNU_dwo_name}));
    return Name && *Name ? *Name : "";
  }

  /// A unit's abbreviations tell it.
  static bool mayHaveVariables(DWARFUnit &Unit) {
    return hasTag(Unit, DW_TAG_variable) || !splitFileOf(Unit).empty();
  }

  void readVariables(DWARFUnit &Unit) {
    if (std::string Split = splitFileOf(Unit); !Split.empty()) {
      if (!Result.Counts.MissingSplit++)
        Result.Counts.FirstMissing = Split;
      return;
    }
    if (!hasTag(Unit, DW_TAG_variable) || !Guard.admits(Unit, Entries::All))
      return;
    if (LooksIntoFunctions)
      for (unsigned I = 0, End = Unit.getNumDIEs(); I != End; ++I) {
        DWARFDie Die = Unit.getDIEAtIndex(I);
        if (Die.getTag() == DW_TAG_variable)
          readVariable(Die);
      }
    else
      readScope(Unit.getUnitDIE(/*ExtractUnitDIEOnly=*/false), 0);
  }

  void readScope(const DWARFDie &Scope, unsigned Depth) {
    if (!Scope || Depth == MostNesting)
      return;
    forEachChild(Scope, [&](const DWARFDie &Child) {
      if (Child.getTag() == DW_TAG_variable)
        readVariable(Child);
      else if (Child.getTag() == DW_TAG_namespace ||
               Child.getTag() == DW_TAG_module)
        readScope(Child, Depth + 1);
    });
  }

  void readVariable(const DWARFDie &Variable) {
    for (const VariablePlace &P : placesOf(Variable))
      if (Missing.contains(P.Address.Value)) {
        DwarfType Subject = typeOf(Variable);
        if (!Subject)
          continue;
        Missing.erase(P.Address.Value);
        const char *Name = Variable.getShortName();
        Result.Types.Objects[P.Address.Value] = {
            Name ? Name : "", make(Subject, 0), P.Offset, define(Variable)};
      }
  }

  /// A damaged line table costs the names of files, and nothing else.
  Definition define(const DWARFDie &Variable) {
    Definition Result = definitionOf(Variable);
    auto ReadFile = [&] {
      Expected<std::string> File = declFileOf(Variable);
      if (File)
        Result.File = std::move(*File);
      else if (std::string Problem = toString(File.takeError());
               WithoutTable.insert(Variable.getDwarfUnit()).second)
        addProblem(Problem);
    };
    if (HasLineTables && Result.Line && !survives(ReadFile)) {
      HasLineTables = false;
      addProblem(
          ("LLVM's reader of line tables has crashed: " + CrashReport).str());
    }
    return Result;
  }

  void readDefinitions(DWARFUnit &Unit) {
    static constexpr Tag Classes[] = {DW_TAG_structure_type, DW_TAG_class_type,
                                      DW_TAG_union_type};
    if (Declared.empty() || !hasTag(Unit, Classes) ||
        !Guard.admits(Unit, Entries::All))
      return;
    for (unsigned I = 0, End = Unit.getNumDIEs(); I != End; ++I) {
      DWARFDie Die = Unit.getDIEAtIndex(I);
      if (!isClass(Die) || isDeclaration(Die))
        continue;
      const char *Own = Die.getShortName();
      if (!Own || !DeclaredNames.contains(Own))
        continue;
      auto It = Declared.find(scopedName(Die));
      if (It == Declared.end())
        continue;
      SmallVector<TypeIndex, 1> Waiting = std::move(It->second);
      Declared.erase(It);
      TypeIndex Defined = make({Die}, 0);
      for (TypeIndex Index : Waiting)
        types()[Index] = types()[Defined];
    }
  }

  std::vector<Type> &types() { return Result.Types.Types; }

  TypeIndex add(Type T) {
    types().push_back(std::move(T));
    return types().size() - 1;
  }

  TypeIndex make(const DwarfType &Subject, unsigned Depth) {
    if (!Subject || Depth == MostNesting)
      return add({});
    Visited.insert(Subject.Die.getDwarfUnit());
    auto [It, IsNew] = Known.try_emplace(
        {Subject.Die.getDwarfUnit(), Subject.Die.getOffset(), Subject.Indexed});
    // A type that contains itself is damaged: it ends here.
    if (!IsNew)
      return It->second ? *It->second : add({});
    Type Made;
    if (isArray(Subject))
      Made = makeArray(Subject, Depth);
    else if (isClass(Subject.Die) && !isDeclaration(Subject.Die))
      Made = makeClass(Subject, Depth);
    else
      Made.Size = sizeOf(Subject);
    TypeIndex Index = add(std::move(Made));
    It->second = Index;
    if (isClass(Subject.Die) && isDeclaration(Subject.Die))
      if (std::string Name = scopedName(Subject.Die); !Name.empty()) {
        Declared[Name].push_back(Index);
        DeclaredNames.insert(Subject.Die.getShortName());
      }
    return Index;
  }

  Type makeArray(const DwarfType &Subject, unsigned Depth) {
    Type Made;
    Made.Kind = layout::TypeKind::Array;
    Made.Element = make(elementOf(Subject), Depth + 1);
    Made.Elements = elementsOf(Subject).value_or(0);
    Made.Stride = strideOf(Subject);
    return Made;
  }

  Type makeClass(const DwarfType &Subject, unsigned Depth) {
    Type Made;
    Made.Kind = Subject.Die.getTag() == DW_TAG_union_type
                    ? layout::TypeKind::Union
                    : layout::TypeKind::Record;
    Made.Size = sizeOf(Subject);
    for (const DwarfField &F : fieldsOf(Subject))
      // What is in a virtual base is at no fixed place.
      if (F.FirstBit)
        Made.Fields.push_back({F.Name.str(), make(typeOf(F.Die), Depth + 1),
                               *F.FirstBit, F.Bits.value_or(0)});
    return Made;
  }

  /// The size of an array of what was only declared is known last.
  void finishArrays() {
    auto Finish = [&](auto &Finish, TypeIndex Index) -> uint64_t {
      Type &T = types()[Index];
      if (T.Kind == layout::TypeKind::Array) {
        if (!T.Stride)
          T.Stride = Finish(Finish, T.Element);
        T.Size = T.Elements * T.Stride;
      }
      return T.Size;
    };
    for (TypeIndex Index = 0; Index != types().size(); ++Index)
      Finish(Finish, Index);
  }
};

} // namespace

TypesRead readTypes(const Binary &File, ArrayRef<uint32_t> Wanted) {
  // Opening alone would decompress sections.
  if (Wanted.empty())
    return TypesRead();
  TypesRead Result;
  auto Reader = std::make_unique<TypeReader>();
  bool IsWhole = survives([&] { Result = Reader->read(File, Wanted); });
  // See survives.
  if (!IsWhole || !Reader->HasLineTables)
    (void)Reader.release();
  if (IsWhole)
    return Result;
  Result = TypesRead();
  Result.Counts.Problems = 1;
  Result.Counts.FirstProblem =
      ("LLVM's reader of debug information has crashed: " + CrashReport).str();
  return Result;
}

} // namespace linesman::input
