// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A million symbols are compared with their definitions, a few are read.

#include "ReadBack.h"
#include "ThreadBlock.h"
#include "linesman/Guard/Document.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace linesman::relink {

static Expected<Linked>
readBackSome(std::unique_ptr<MemoryBuffer> File,
             function_ref<bool(layout::AddressRange)> Keep) {
  Expected<input::Binary> Binary = input::readImage(std::move(File), Keep);
  if (!Binary)
    return Binary.takeError();
  Expected<layout::Image> ThreadBlock =
      readThreadBlock(Binary->File->getBuffer());
  if (!ThreadBlock)
    return createFileError(Binary->File->getBufferIdentifier(),
                           ThreadBlock.takeError());
  return Linked{std::move(*Binary), std::move(*ThreadBlock)};
}

Expected<Linked> readBack(std::unique_ptr<MemoryBuffer> File) {
  return readBackSome(std::move(File),
                      [](layout::AddressRange) { return true; });
}

Expected<Linked> readBackEdited(StringRef Path, const LinkInputs &Inputs,
                                const DefinitionIndex &Index,
                                ArrayRef<ResolvedEdit> Edits,
                                LinkedScan::Verdict &Verdict) {
  std::vector<StringRef> Names;
  uint64_t Around = layout::LineSize().Bytes;
  for (const ResolvedEdit &Edit : Edits) {
    Around = std::max(Around, PowerOf2Ceil(Edit.Change.Bytes));
    for (const Definitions &Symbol : Edit.Symbols) {
      DefinitionRef Ref = Symbol.front();
      Names.push_back(Inputs.definition(Ref).Name);
      for (const Definition *Other : unitOf(Inputs, Ref))
        Names.push_back(Other->Name);
    }
  }
  Expected<std::unique_ptr<MemoryBuffer>> File = guard::mapFile(Path);
  if (!File)
    return File.takeError();
  Expected<LinkedScan> Scan = Index.scan((*File)->getBuffer(), Names);
  if (!Scan) {
    consumeError(Scan.takeError()); // the reader of all says it better
    Verdict = LinkedScan::Verdict::Doubtful;
    return readBack(std::move(*File));
  }
  Verdict = Scan->Symbols;
  std::vector<layout::AddressRange> Regions;
  for (layout::AddressRange R : Scan->Ranges)
    Regions.push_back({{alignDown(R.Begin.Value, Around) -
                        std::min(Around, alignDown(R.Begin.Value, Around))},
                       {alignTo(R.End.Value, Around) + Around}});
  llvm::sort(Regions);
  // By their ends too, so that a search finds what overlaps.
  for (size_t I = 1; I < Regions.size(); ++I)
    Regions[I].End = std::max(Regions[I].End, Regions[I - 1].End);
  // Linkers write most symbols in the order of their addresses: they lie
  // between the same two regions as the one before.
  layout::AddressRange Gap = {{0}, {0}};
  return readBackSome(std::move(*File), [&](layout::AddressRange R) {
    if (Gap.Begin <= R.Begin && R.End <= Gap.End)
      return false;
    auto After = partition_point(
        Regions, [&](layout::AddressRange N) { return N.End <= R.Begin; });
    if (After != Regions.end() && After->Begin < R.End)
      return true;
    Gap.Begin = After == Regions.begin() ? layout::LinkAddress{0}
                                         : std::prev(After)->End;
    Gap.End =
        After == Regions.end() ? layout::LinkAddress{UINT64_MAX} : After->Begin;
    return false;
  });
}

} // namespace linesman::relink
