// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's DWARF reader, asked about one instruction at a time. Its parsers are
// lazy: only the units of printed instructions are read.

#include "linesman/Input/SourceLines.h"
#include "LineTableForms.h"
#include "OpenDwarf.h"
#include "llvm/DebugInfo/DWARF/DWARFCompileUnit.h"

using namespace llvm;

namespace linesman::input {

std::vector<layout::Frame>
SourceLines::readFrames(layout::LinkAddress Instruction) {
  std::vector<layout::Frame> Frames;
  // LLVM takes it for granted that a unit with code can be read.
  DWARFUnit *Unit = Dwarf->getCompileUnitForCodeAddress(Instruction.Value);
  if (!Unit || !Unit->getNonSkeletonUnitDIE(/*ExtractUnitDIEOnly=*/false) ||
      !Unit->getUnitDIE(/*ExtractUnitDIEOnly=*/false))
    return Frames;
  if (std::exchange(Checked, Unit) != Unit)
    if (Error E = checkLineTableForms(*Unit)) {
      Checked = nullptr;
      Damage = toString(std::move(E));
      return Frames;
    }
  // The file's own spelling, as compiler facts have it: reports are the same
  // wherever the build was.
  DILineInfoSpecifier Request(DILineInfoSpecifier::FileLineInfoKind::RawValue,
                              DINameKind::LinkageName);
  DIInliningInfo Found = Dwarf->getInliningInfoForAddress(
      {Instruction.Value, object::SectionedAddress::UndefSection}, Request);
  for (uint32_t I = 0; I != Found.getNumberOfFrames(); ++I) {
    const DILineInfo &Frame = Found.getFrame(I);
    if (Frame.FileName == DILineInfo::BadString || !Frame.Line)
      continue;
    Frames.push_back(
        {Frame.FunctionName == DILineInfo::BadString ? "" : Frame.FunctionName,
         Frame.FileName, Frame.Line});
  }
  return Frames;
}

SourceLines::SourceLines(const Binary &File) {
  OpenedDwarf Opened;
  if (!survives([&] {
        Opened = openDwarf(File, [](Error E) { consumeError(std::move(E)); });
      })) {
    giveUp();
    return;
  }
  Object = std::move(Opened.Object);
  Dwarf = std::move(Opened.Context);
}

SourceLines::~SourceLines() = default;

void SourceLines::giveUp() {
  Damage = ("LLVM's reader has crashed: " + CrashReport).str();
  // See survives.
  (void)Dwarf.release();
  (void)Object.release();
}

std::vector<layout::Frame> SourceLines::find(layout::LinkAddress Instruction) {
  std::vector<layout::Frame> Frames;
  if (!Dwarf || survives([&] { Frames = readFrames(Instruction); }))
    return Frames;
  giveUp();
  return {};
}

} // namespace linesman::input
