// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Guard/Dynamic.h"

using namespace llvm;
using object::ELF64LE;

namespace linesman::guard {

Expected<ELF64LE::DynRange> readDynamic(const object::ELFFile<ELF64LE> &File) {
  auto Segments = File.program_headers();
  if (!Segments)
    return Segments.takeError();
  const uint64_t Size = File.getBufSize();
  for (const ELF64LE::Phdr &Segment : *Segments)
    if (Segment.p_type == ELF::PT_DYNAMIC &&
        (Segment.p_offset > Size || Segment.p_filesz > Size - Segment.p_offset))
      return createStringError("the dynamic segment ends outside of the file");
  return File.dynamicEntries();
}

} // namespace linesman::guard
