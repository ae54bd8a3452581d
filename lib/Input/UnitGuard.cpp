// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Goes over the entries of a unit as LLVM does, with a bound.

#include "linesman/Input/UnitGuard.h"
#include "linesman/Guard/Document.h"
#include "llvm/DebugInfo/DWARF/DWARFCompileUnit.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugAbbrev.h"
#include "llvm/DebugInfo/DWARF/DWARFFormValue.h"
#include "llvm/DebugInfo/DWARF/DWARFUnit.h"
#include "llvm/Support/Path.h"
#include <cinttypes>

using namespace llvm;
using namespace llvm::dwarf;

namespace linesman::input {

namespace {

struct Walk {
  /// Of the entry that leads out of the section.
  std::optional<uint64_t> Damaged;
  /// An entry may refer to another unit.
  bool RefersOut = false;
};

} // namespace

static bool refersOut(Form F) {
  return F == DW_FORM_ref_addr || F == DW_FORM_ref_sig8 ||
         F == DW_FORM_indirect;
}

/// Where LLVM ends by itself (an entry without an abbreviation, a form that it
/// does not know), so does this.
static Walk walk(DWARFUnit &Unit, UnitGuard::Entries Read) {
  Walk Result;
  const DWARFAbbreviationDeclarationSet *Abbreviations =
      Unit.getAbbreviations();
  if (!Abbreviations)
    return Result;
  DWARFDataExtractor Data = Unit.getDebugInfoExtractor();
  uint64_t Offset = Unit.getOffset() + Unit.getHeaderSize();
  uint64_t UnitEnd = Unit.getNextUnitOffset();
  uint64_t SectionEnd = Data.getData().size();
  while (Offset < std::min(UnitEnd, SectionEnd)) {
    uint64_t Entry = Offset;
    uint64_t Code = Data.getULEB128(&Offset);
    // A number without an end.
    if (Offset == Entry) {
      Result.Damaged = Entry;
      return Result;
    }
    if (Code) {
      const DWARFAbbreviationDeclaration *Declaration =
          Abbreviations->getAbbreviationDeclaration(Code);
      if (!Declaration)
        return Result;
      for (const auto &Attribute : Declaration->attributes()) {
        uint64_t Before = Offset;
        if (std::optional<int64_t> Size = Attribute.getByteSize(Unit))
          Offset += *Size;
        else if (!DWARFFormValue::skipValue(Attribute.Form, Data, &Offset,
                                            Unit.getFormParams()))
          return Result;
        if (Offset < Before || Offset > SectionEnd) {
          Result.Damaged = Entry;
          return Result;
        }
        Result.RefersOut |= refersOut(Attribute.Form);
      }
    }
    if (Read == UnitGuard::Entries::First)
      return Result;
  }
  return Result;
}

/// The file that \p Skeleton was split off into, as LLVM names it; empty if
/// there is none.
static std::string splitPath(DWARFUnit &Skeleton) {
  DWARFDie Top = Skeleton.getUnitDIE();
  if (Skeleton.isDWOUnit() || !Top || !Skeleton.getDWOId())
    return "";
  StringRef Name = toStringRef(Top.find(
      Skeleton.getVersion() >= 5 ? DW_AT_dwo_name : DW_AT_GNU_dwo_name));
  if (Name.empty())
    return "";
  SmallString<128> Path;
  if (sys::path::is_relative(Name))
    Path = toStringRef(Top.find(DW_AT_comp_dir));
  sys::path::append(Path, Name);
  return Path.str().str();
}

/// LLVM's own handler of a split unit's context prints. Always false.
bool UnitGuard::complain(DWARFUnit &Unit, uint64_t Entry) {
  DWARFContext &Context =
      Unit.isDWOUnit() && Skeletons ? *Skeletons : Unit.getContext();
  Context.getRecoverableErrorHandler()(createStringError(
      "the entry at 0x%" PRIx64 " ends behind its section", Entry));
  return false;
}

UnitGuard::Answers &UnitGuard::answersFor(DWARFUnit &Unit) {
  return Unit.isDWOUnit() ? SplitUnits : OtherUnits;
}

UnitGuard::Reach UnitGuard::reachOf(DWARFUnit &Unit) {
  auto [It, IsNew] = answersFor(Unit).Units.try_emplace(&Unit, Reach::Damaged);
  if (IsNew) {
    Walk Found = walk(Unit, Entries::All);
    if (Found.Damaged)
      complain(Unit, *Found.Damaged);
    else
      It->second = Found.RefersOut ? Reach::Others : Reach::Own;
  }
  return It->second;
}

bool UnitGuard::isWhole(DWARFUnit &Unit) {
  DWARFContext &Context = Unit.getContext();
  auto &Known = answersFor(Unit).Contexts;
  if (auto It = Known.find(&Context); It != Known.end())
    return It->second;
  auto IsReadable = [&](const std::unique_ptr<DWARFUnit> &Other) {
    return reachOf(*Other) != Reach::Damaged;
  };
  return Known[&Context] = all_of(Context.normal_units(), IsReadable) &&
                           all_of(Context.dwo_units(), IsReadable);
}

bool UnitGuard::admits(DWARFUnit &Unit, Entries Read) {
  if (Read == Entries::First) {
    Walk Found = walk(Unit, Read);
    return !Found.Damaged || complain(Unit, *Found.Damaged);
  }
  const Reach Reached = reachOf(Unit);
  return Reached == Reach::Own || (Reached == Reach::Others && isWhole(Unit));
}

/// Whether LLVM may open what \p Skeleton was split off into, and look for its
/// unit there: in a package by an index, otherwise in the first entries of all.
bool UnitGuard::admitsSplit(DWARFUnit &Skeleton,
                            std::shared_ptr<DWARFContext> &Split) {
  const std::string Path = splitPath(Skeleton);
  if (Path.empty())
    return true;
  DWARFContext &Context = Skeleton.getContext();
  // LLVM reads any file to its end, and the standard input for "-".
  if (guard::isStream(Path) || Path == "-") {
    Context.getRecoverableErrorHandler()(
        createFileError(Path, createStringError("is not a regular file")));
    return false;
  }
  Split = Context.getDWOContext(Path);
  if (!Split)
    return true;
  if (Split->isDWP()) {
    Package = Split;
    DWARFUnit *Unit = Split->getDWOCompileUnitForHash(*Skeleton.getDWOId());
    return !Unit || admits(*Unit, Entries::First);
  }
  return all_of(Split->dwo_units(),
                [&](const std::unique_ptr<DWARFUnit> &Unit) {
                  return admits(*Unit, Entries::First);
                });
}

DWARFDie UnitGuard::open(DWARFUnit &Unit, Entries Read) {
  Skeletons = &Unit.getContext();
  // LLVM takes this one as long as it is open.
  std::shared_ptr<DWARFContext> Split;
  if (!admits(Unit, Read) || !admitsSplit(Unit, Split))
    return DWARFDie();
  DWARFDie Top = Unit.getNonSkeletonUnitDIE();
  if (!Top || Read == Entries::First)
    return Top;
  DWARFUnit &Whole = *Top.getDwarfUnit();
  if (&Whole != &Unit && !admits(Whole, Read))
    return DWARFDie();
  return Whole.getUnitDIE(false);
}

void UnitGuard::close(DWARFUnit &Unit) {
  Unit.clear();
  // Others may come to be at the addresses of those that are gone.
  if (!Package)
    SplitUnits = Answers();
}

} // namespace linesman::input
