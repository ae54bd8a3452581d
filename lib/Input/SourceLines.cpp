// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's DWARF reader, asked about one instruction at a time. Its parsers are
// lazy: only the units of printed instructions are read.

#include "linesman/Input/SourceLines.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ObjectFile.h"

using namespace llvm;

namespace linesman::input {

SourceLines::SourceLines(const Binary &From) {
  Expected<std::unique_ptr<object::ObjectFile>> File =
      object::ObjectFile::createELFObjectFile(From.File->getMemBufferRef());
  if (!File) {
    // The reader has accepted the file; LLVM's general one is stricter about
    // tables that nobody needs here.
    consumeError(File.takeError());
    return;
  }
  Object = std::move(*File);
  auto Ignore = [](Error E) { consumeError(std::move(E)); };
  Dwarf = DWARFContext::create(*Object,
                               DWARFContext::ProcessDebugRelocations::Ignore,
                               /*L=*/nullptr, /*DWPName=*/"", Ignore, Ignore);
}

SourceLines::~SourceLines() = default;

std::vector<layout::Frame> SourceLines::find(layout::LinkAddress Instruction) {
  std::vector<layout::Frame> Frames;
  if (!Dwarf)
    return Frames;
  // The file's own spelling, as compiler facts have it: reports are the same
  // wherever the build was.
  DILineInfoSpecifier What(DILineInfoSpecifier::FileLineInfoKind::RawValue,
                           DINameKind::LinkageName);
  DIInliningInfo Found = Dwarf->getInliningInfoForAddress(
      {Instruction.Value, object::SectionedAddress::UndefSection}, What);
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

} // namespace linesman::input
