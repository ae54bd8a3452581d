// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// DWARF to pointed records, unit by unit: a unit's entries are freed when it is
// done. A record that many units have is read in the first one; where another
// one has the same name, size and line, its members are not looked at again.

#include "PointedRecords.h"
#include "OpenDwarf.h"
#include "linesman/Facts/Discarded.h"
#include "linesman/Input/DwarfType.h"
#include "linesman/Input/UnitGuard.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFLocationExpression.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"
#include <map>
#include <tuple>

using namespace llvm;
using namespace llvm::dwarf;

namespace linesman::input {

namespace {

/// DWARF's numbers of the registers that pass arguments, in their order.
ArrayRef<uint8_t> argumentsOf(Triple::ArchType Arch) {
  static constexpr uint8_t X86[] = {5, 4, 1, 2, 8, 9};
  static constexpr uint8_t Arm[] = {0, 1, 2, 3, 4, 5, 6, 7};
  if (Arch == Triple::x86_64)
    return X86;
  if (Arch == Triple::aarch64)
    return Arm;
  return {};
}

/// A record, and the typedef that names it where nothing else does.
struct NamedRecord {
  DWARFDie Die;
  const char *Name = nullptr;
  /// Whose scope the name is in.
  DWARFDie Named;
};

NamedRecord recordAt(DWARFDie Die) {
  NamedRecord Result;
  for (unsigned Depth = 0; Die && Depth != MostNesting; ++Depth) {
    Tag Kind = Die.getTag();
    if (isClass(Die)) {
      Result.Die = Die;
      if (const char *Own = Die.getShortName()) {
        Result.Name = Own;
        Result.Named = Die;
      }
      return Result.Name ? Result : NamedRecord();
    }
    if (Kind == DW_TAG_typedef) {
      Result.Name = Die.getShortName();
      Result.Named = Die;
    } else if (Kind != DW_TAG_const_type && Kind != DW_TAG_volatile_type &&
               Kind != DW_TAG_restrict_type && Kind != DW_TAG_atomic_type) {
      break;
    }
    Die = Die.resolveReferencedType(DW_AT_type);
  }
  return {};
}

/// The name with its scopes; empty for what a function has for itself, which
/// nobody can look up by a name.
std::string scopedName(const NamedRecord &Record) {
  std::string Name = ownNameOf(Record.Named);
  DWARFDie Scope = Record.Named.getParent();
  for (unsigned Depth = 0; Scope && Depth != MostNesting; ++Depth) {
    if (isUnitType(Scope.getTag()))
      return Name;
    std::string Own = ownNameOf(Scope);
    bool IsSpace = Scope.getTag() == DW_TAG_namespace;
    if ((!IsSpace && !isClass(Scope)) || (!IsSpace && Own.empty()))
      return "";
    Name = (Own.empty() ? "(anonymous namespace)" : Own) + "::" + Name;
    Scope = Scope.getParent();
  }
  return "";
}

/// Where a function begins. One that is in several pieces has its entry in the
/// first; a parameter's location has to be there as well.
std::optional<uint64_t> beginOf(const DWARFDie &Function) {
  if (auto Begin = dwarf::toAddress(Function.find(DW_AT_low_pc)))
    return Begin;
  if (!Function.find(DW_AT_ranges))
    return std::nullopt;
  Expected<DWARFAddressRangesVector> Ranges = Function.getAddressRanges();
  if (!Ranges) {
    consumeError(Ranges.takeError());
    return std::nullopt;
  }
  return Ranges->empty() ? std::nullopt
                         : std::optional<uint64_t>(Ranges->front().LowPC);
}

class PointedReader {
public:
  PointedRecords Result;

  void read(const Binary &File) {
    bool IsDamaged = false;
    Dwarf = openDwarf(File, [&](Error E) {
      consumeError(std::move(E));
      IsDamaged = true;
    });
    if (!Dwarf.Context)
      return;
    Arguments = argumentsOf(Dwarf.Context->getArch());
    for (const auto &Unit : Dwarf.Context->compile_units()) {
      IsDamaged = false;
      DWARFDie Top = Guard.open(*Unit, UnitGuard::Entries::All);
      // LLVM has no tables for a unit that it complains of, and reads them.
      if (Top && !IsDamaged)
        readUnit(*Top.getDwarfUnit(), Unit->getOffset());
      Known.clear();
      Guard.close(*Unit);
    }
  }

private:
  OpenedDwarf Dwarf;
  UnitGuard Guard;
  ArrayRef<uint8_t> Arguments;
  /// Of this unit, by the offset of what a pointer points to.
  DenseMap<uint64_t, RecordIndex> Known;
  /// By name, size and line, and by unit where names are a unit's own.
  std::map<std::tuple<std::string, uint64_t, uint64_t, uint64_t>, RecordIndex>
      ByName;
  struct Members {
    SmallVector<uint32_t, 32> FirstBits;
    SmallVector<std::pair<uint64_t, RecordIndex>, 0> Pointers;
  };

  /// Records of this unit whose members are not read yet: a chain of pointers
  /// through a kernel's types is longer than the stack.
  std::vector<std::pair<DWARFDie, RecordIndex>> Waiting;

  void readUnit(DWARFUnit &Unit, uint64_t Number) {
    for (unsigned I = 0, End = Unit.getNumDIEs(); I != End; ++I) {
      DWARFDie Die = Unit.getDIEAtIndex(I);
      if (Die.getTag() == DW_TAG_subprogram)
        readFunction(Die, Number);
      else if (Die.getTag() == DW_TAG_variable)
        readVariable(Die, Number);
      readWaiting(Number);
    }
  }

  void readWaiting(uint64_t Unit) {
    while (!Waiting.empty()) {
      auto [Die, Index] = Waiting.back();
      Waiting.pop_back();
      Members Found;
      addMembers(Die, 0, Unit, /*IsUnion=*/false, Found, 0);
      llvm::sort(Found.Pointers);
      Result.Records[Index].Fingerprint = facts::fingerprintOf(Found.FirstBits);
      Result.Records[Index].Pointers = std::move(Found.Pointers);
    }
  }

  void readFunction(const DWARFDie &Die, uint64_t Unit) {
    std::optional<uint64_t> Begin = beginOf(Die);
    if (!Begin || facts::isDiscarded(*Begin))
      return;
    PointedFunction Function;
    Function.Unit = Unit;
    Function.Result = pointedBy(Die, Unit);
    forEachChild(Die, [&](const DWARFDie &Child) {
      if (Child.getTag() != DW_TAG_formal_parameter)
        return;
      std::optional<uint8_t> Number = argumentAt(Child, *Begin);
      RecordIndex Record = Number ? pointedBy(Child, Unit) : NoRecord;
      if (Record != NoRecord)
        Function.Parameters.push_back({*Number, Record});
    });
    auto [It, IsNew] = Result.Functions.try_emplace(*Begin, Function);
    // A linker has folded functions of different types.
    if (!IsNew && (It->second.Parameters != Function.Parameters ||
                   It->second.Result != Function.Result))
      It->second = {Unit, {}, NoRecord};
  }

  /// The argument's number, if \p Parameter is in a register that passes one
  /// when its function begins at \p Begin.
  std::optional<uint8_t> argumentAt(const DWARFDie &Parameter, uint64_t Begin) {
    if (!Parameter.find(DW_AT_location))
      return std::nullopt;
    Expected<DWARFLocationExpressionsVector> Places =
        Parameter.getLocations(DW_AT_location);
    if (!Places) {
      consumeError(Places.takeError());
      return std::nullopt;
    }
    for (const DWARFLocationExpression &Place : *Places) {
      bool IsHere = !Place.Range || Place.Range->LowPC == Begin;
      if (!IsHere || Place.Expr.size() != 1 || Place.Expr[0] < DW_OP_reg0 ||
          Place.Expr[0] > DW_OP_reg31)
        continue;
      const uint8_t *It = find(Arguments, Place.Expr[0] - DW_OP_reg0);
      if (It != Arguments.end())
        return It - Arguments.begin();
    }
    return std::nullopt;
  }

  void readVariable(const DWARFDie &Die, uint64_t Unit) {
    SmallVector<VariablePlace, 1> Places = placesOf(Die);
    if (Places.size() != 1 || Places.front().Offset)
      return;
    PointedVariable Variable;
    DwarfType Type = typeOf(Die);
    Variable.IsPointer = pointee(Type).has_value();
    Variable.Record =
        Variable.IsPointer ? pointedBy(Die, Unit) : indexOf(Die, Unit);
    if (Variable.Record != NoRecord)
      Result.Variables.try_emplace(Places.front().Address.Value, Variable);
  }

  /// What \p Die (a parameter, a member, a function) points to, if its type is
  /// a pointer to a record.
  RecordIndex pointedBy(const DWARFDie &Die, uint64_t Unit) {
    DwarfType Type = typeOf(Die);
    if (!pointee(Type))
      return NoRecord;
    return indexOf(Type.Die, Unit);
  }

  /// The record that is the type of \p Die.
  RecordIndex indexOf(const DWARFDie &Die, uint64_t Unit) {
    std::optional<DWARFFormValue> Form = Die.findRecursively(DW_AT_type);
    DWARFDie Type = Form ? Die.resolveReferencedType(*Form) : DWARFDie();
    if (!Type)
      return NoRecord;
    auto [It, IsNew] = Known.try_emplace(Type.getOffset(), NoRecord);
    if (IsNew)
      It->second = intern(recordAt(Type), Unit);
    return It->second;
  }

  RecordIndex intern(const NamedRecord &Record, uint64_t Unit) {
    if (!Record.Die || isDeclaration(Record.Die))
      return NoRecord;
    uint64_t Size = sizeOf(DwarfType{Record.Die});
    std::string Name = scopedName(Record);
    if (Name.empty() || !Size)
      return NoRecord;
    bool IsUnits = StringRef(Name).contains("(anonymous namespace)");
    auto [It, IsNew] = ByName.try_emplace(
        {Name, Size, Record.Die.getDeclLine(), IsUnits ? Unit + 1 : 0},
        Result.Records.size());
    if (IsNew) {
      PointedRecord &New = Result.Records.emplace_back();
      New.Name = std::move(Name);
      New.Size = Size;
      Waiting.push_back({Record.Die, It->second});
    }
    return It->second;
  }

  /// Pointers inside of a union are none: which of its members holds is not
  /// known.
  void addMembers(const DWARFDie &Record, uint64_t Begin, uint64_t Unit,
                  bool IsUnion, Members &Listed, unsigned Depth) {
    if (Depth == MostNesting)
      return;
    IsUnion |= Record.getTag() == DW_TAG_union_type;
    for (const DwarfField &Field : fieldsOf({Record})) {
      if (Listed.FirstBits.size() == MostMembers)
        return;
      if (!Field.FirstBit)
        continue;
      Listed.FirstBits.push_back(Begin * 8 + *Field.FirstBit);
      if (Field.Bits)
        continue;
      uint64_t Offset = Begin + *Field.FirstBit / 8;
      DwarfType Type = typeOf(Field.Die);
      if (isClass(Type.Die) && !isDeclaration(Type.Die)) {
        if (RecordIndex Part = indexOf(Field.Die, Unit); Part != NoRecord)
          Result.Records[Part].IsPart = true;
        addMembers(Type.Die, Offset, Unit, IsUnion, Listed, Depth + 1);
      } else if (RecordIndex Index = pointedBy(Field.Die, Unit);
                 Index != NoRecord && !IsUnion)
        Listed.Pointers.push_back({Offset, Index});
    }
  }
};

} // namespace

RecordIndex PointedRecord::pointedFrom(uint64_t Offset) const {
  assert(is_sorted(Pointers) && "it is searched");
  const auto *It = lower_bound(
      Pointers, Offset, [](const auto &P, uint64_t O) { return P.first < O; });
  return It != Pointers.end() && It->first == Offset ? It->second : NoRecord;
}

PointedRecords readPointedRecords(const Binary &File) {
  auto Reader = std::make_unique<PointedReader>();
  if (survives([&] { Reader->read(File); }))
    return std::move(Reader->Result);
  (void)Reader.release(); // see survives
  return PointedRecords();
}

} // namespace linesman::input
