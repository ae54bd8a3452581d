// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LineTableForms.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/DebugInfo/DWARF/DWARFFormValue.h"
#include <cinttypes>

using namespace llvm;
using namespace llvm::dwarf;

namespace linesman::input {

/// Skips a list of names. Returns the first form in it that LLVM does not know.
static std::optional<Form> skipNames(const DWARFDataExtractor &Data,
                                     uint64_t &Offset, FormParams Params) {
  SmallVector<Form, 8> Forms;
  for (unsigned I = Data.getU8(&Offset); I != 0; --I) {
    Data.getULEB128(&Offset); // what the name is: a folder, a file, a checksum
    Forms.push_back(Form(Data.getULEB128(&Offset)));
  }
  for (Form F : Forms)
    if (FormEncodingString(F).empty())
      return F;
  // Skipping knows no end of the section.
  uint64_t Count = Data.getULEB128(&Offset);
  for (uint64_t Before = 0;
       Count && Before != Offset && Data.isValidOffset(Offset); --Count) {
    Before = Offset;
    for (Form F : Forms)
      if (!DWARFFormValue::skipValue(F, Data, &Offset, Params))
        return F;
  }
  return std::nullopt;
}

static std::optional<Form> findUnknownForm(const DWARFDataExtractor &Data,
                                           uint64_t Offset) {
  auto [Length, Format] = Data.getInitialLength(&Offset);
  if (!Length || Data.getU16(&Offset) != 5)
    return std::nullopt;
  FormParams Params{5, Data.getU8(&Offset), Format};
  Data.getU8(&Offset); // bytes of a segment's selector
  Data.getUnsigned(&Offset, Params.getDwarfOffsetByteSize()); // of the header
  constexpr unsigned LineProgram = 5; // bytes that say how lines are encoded
  Offset += LineProgram;
  if (unsigned Opcodes = Data.getU8(&Offset))
    Offset += Opcodes - 1;
  std::optional<Form> Found = skipNames(Data, Offset, Params);
  return Found ? Found : skipNames(Data, Offset, Params);
}

Error checkLineTableForms(DWARFUnit &Unit) {
  std::optional<uint64_t> Offset =
      toSectionOffset(Unit.getUnitDIE().find(DW_AT_stmt_list));
  if (!Offset)
    return Error::success();
  DWARFContext &Dwarf = Unit.getContext();
  DWARFDataExtractor Data(Dwarf.getDWARFObj(), Unit.getLineSection(),
                          Dwarf.isLittleEndian(), Unit.getAddressByteSize());
  // As LLVM has it: a split unit's tables begin somewhere in a package.
  std::optional<Form> Found =
      findUnknownForm(Data, *Offset + Unit.getLineTableOffset());
  if (!Found)
    return Error::success();
  return createStringError("the line table at 0x%" PRIx64
                           " has names of the unknown form 0x%x",
                           *Offset, unsigned(*Found));
}

} // namespace linesman::input
