// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LineTableNames.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFFormValue.h"
#include <cinttypes>

using namespace llvm;
using namespace llvm::dwarf;

namespace linesman::input {

/// Skips a list of names; an error where LLVM would not end, or not where the
/// list does.
static Error skipNames(const DWARFDataExtractor &Data, uint64_t &Offset,
                       FormParams Params) {
  if (!Data.isValidOffset(Offset))
    return Error::success();
  SmallVector<Form, 8> Forms;
  for (unsigned I = Data.getU8(&Offset); I != 0; --I) {
    Data.getULEB128(&Offset); // what the name is: a folder, a file, a checksum
    Forms.push_back(Form(Data.getULEB128(&Offset)));
  }
  auto Unknown = [](Form F) {
    return createStringError("names of the unknown form 0x%x", unsigned(F));
  };
  for (Form F : Forms)
    if (FormEncodingString(F).empty())
      return Unknown(F);
  const uint64_t Count = Data.getULEB128(&Offset);
  // LLVM makes room for each, also for those that have no bytes.
  if (Count > Data.size())
    return createStringError("%" PRIu64 " names in %" PRIu64 " bytes", Count,
                             uint64_t(Data.size()));
  // Skipping knows no end of the section.
  for (uint64_t I = 0; I != Count && Data.isValidOffset(Offset); ++I)
    for (Form F : Forms) {
      uint64_t Before = Offset;
      if (!DWARFFormValue::skipValue(F, Data, &Offset, Params))
        return Unknown(F);
      if (Offset < Before || Offset > Data.size())
        return createStringError("a name that ends behind its section");
    }
  return Error::success();
}

static Error checkNames(const DWARFDataExtractor &Data, uint64_t Offset) {
  auto [Length, Format] = Data.getInitialLength(&Offset);
  if (!Length || Data.getU16(&Offset) != 5)
    return Error::success();
  FormParams Params{5, Data.getU8(&Offset), Format};
  Data.getU8(&Offset); // bytes of a segment's selector
  Data.getUnsigned(&Offset, Params.getDwarfOffsetByteSize()); // of the header
  constexpr unsigned LineProgram = 5; // bytes that say how lines are encoded
  Offset += LineProgram;
  if (unsigned Opcodes = Data.getU8(&Offset))
    Offset += Opcodes - 1;
  if (Error E = skipNames(Data, Offset, Params))
    return E;
  return skipNames(Data, Offset, Params);
}

Error checkLineTableNames(DWARFUnit &Unit) {
  std::optional<uint64_t> Offset =
      toSectionOffset(Unit.getUnitDIE().find(DW_AT_stmt_list));
  if (!Offset)
    return Error::success();
  DWARFContext &Dwarf = Unit.getContext();
  DWARFDataExtractor Data(Dwarf.getDWARFObj(), Unit.getLineSection(),
                          Dwarf.isLittleEndian(), Unit.getAddressByteSize());
  // As LLVM has it: a split unit's tables begin somewhere in a package.
  Error Problem = checkNames(Data, *Offset + Unit.getLineTableOffset());
  if (!Problem)
    return Error::success();
  return createStringError("the line table at 0x%" PRIx64 " has %s", *Offset,
                           toString(std::move(Problem)).c_str());
}

} // namespace linesman::input
