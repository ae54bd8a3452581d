// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The patcher of objects: the first bytes choose what is changed, the rest is
// the object.

#include "Fuzz.h"
#include "InputObject.h"
#include "ObjectEditor.h"
#include "llvm/Support/raw_ostream.h"

using namespace linesman;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  constexpr size_t Choices = 4;
  if (Size < Choices)
    return 0;
  relink::InputObject Object;
  Object.Path = "fuzz.o";
  // ELF's tables are read where they are: as aligned as in a file.
  std::string Aligned = fuzz::text(Data + Choices, Size - Choices).str();
  Object.Bytes = Aligned;
  if (llvm::Error E = relink::readDefinitions(Object)) {
    (void)llvm::toString(std::move(E));
    return 0;
  }
  relink::ObjectChanges Changes;
  for (const relink::Definition &D : Object.Definitions) {
    // What is in front is as much as the alignment: zeros again.
    if (D.Alignment > 4096)
      continue;
    relink::SectionChange Change;
    Change.Alignment = uint64_t(1) << (Data[0] % 13);
    Change.Before = Data[1];
    Change.RoundTo = Change.Alignment;
    Change.Gap = Data[2] & 1 ? Data[3] : 0;
    if (Data[2] & 2)
      Change.Name = ".linesman_fuzz";
    // Zeros that are only promised would be written: bounded in the editor,
    // and too slow here.
    if ((Data[2] & 4) && D.Size < 4096)
      Change.Kept = relink::SectionChange::Contents::InFile;
    if (D.Section)
      Changes.Sections[*D.Section] = Change;
    else
      Changes.Commons[D.SymbolIndex] = {relink::CommonChange::Strength::Only,
                                        D.Size, D.Alignment, Change};
  }
  Changes.Added.push_back({".linesman_tail_data", Data[3], true});
  auto Edited = relink::editObject(Object.Bytes, Changes);
  if (!fuzz::succeeded(Edited))
    return 0;
  // Sections of a hostile object may lie over each other, so that an edit of
  // one breaks another: what comes out is read, and need not be right.
  relink::InputObject After;
  After.Path = "edited.o";
  After.Bytes = {Edited->data(), Edited->size()};
  if (llvm::Error E = relink::readDefinitions(After))
    (void)llvm::toString(std::move(E));
  return 0;
}
