// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's DWARF reader, asked about one instruction at a time. Its parsers are
// lazy: only the units of printed instructions are read.

#include "linesman/Input/SourceLines.h"
#include "LineTableNames.h"
#include "OpenDwarf.h"
#include "linesman/Input/UnitGuard.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFCompileUnit.h"

using namespace llvm;

namespace linesman::input {

/// Otherwise says why in Damage.
bool SourceLines::isReadable(DWARFUnit &Unit) {
  if (!Guard->open(Unit, UnitGuard::Entries::All)) {
    Damage = "a unit's entries cannot be read";
    return false;
  }
  if (Error E = checkLineTableNames(Unit)) {
    Damage = toString(std::move(E));
    return false;
  }
  return true;
}

std::vector<layout::Frame>
SourceLines::readFrames(layout::LinkAddress Instruction) {
  std::vector<layout::Frame> Frames;
  DWARFUnit *Unit = Dwarf->getCompileUnitForCodeAddress(Instruction.Value);
  if (!Unit)
    return Frames;
  // LLVM takes it for granted that a unit with code can be read.
  if (std::exchange(Checked, Unit) != Unit)
    CheckedIsReadable = isReadable(*Unit);
  if (!CheckedIsReadable)
    return Frames;
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

SourceLines::SourceLines(const Binary &File)
    : Guard(std::make_unique<UnitGuard>()) {
  if (!survives([&] {
        OpenedDwarf Opened =
            openDwarf(File, [](Error E) { consumeError(std::move(E)); });
        Object = std::move(Opened.Object);
        Dwarf = std::move(Opened.Context);
        // To find the unit of an address, LLVM reads the first entry of each.
        if (Dwarf && !all_of(Dwarf->compile_units(), [&](const auto &Unit) {
              return Guard->admits(*Unit, UnitGuard::Entries::First);
            })) {
          Damage = "a unit's first entry cannot be read";
          Dwarf.reset();
        }
      }))
    giveUp();
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
