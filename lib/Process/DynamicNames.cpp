// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Process/DynamicNames.h"
#include "linesman/Guard/Document.h"
#include "linesman/Guard/Dynamic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace linesman::process {

DynamicNames readDynamicNames(StringRef Bytes) {
  DynamicNames Result;
  auto File = object::ELFFile<object::ELF64LE>::create(Bytes);
  if (!File) {
    consumeError(File.takeError());
    return Result;
  }
  auto Dynamic = guard::readDynamic(*File);
  if (!Dynamic) {
    consumeError(Dynamic.takeError());
    return Result;
  }
  StringRef Names;
  for (const auto &D : *Dynamic)
    if (D.d_tag == ELF::DT_STRTAB) {
      Expected<const uint8_t *> Position = File->toMappedAddr(D.getPtr());
      if (!Position) {
        consumeError(Position.takeError());
        return Result;
      }
      Names = Bytes.drop_front(*Position - Bytes.bytes_begin());
    }
  for (const auto &D : *Dynamic) {
    if (D.d_tag != ELF::DT_NEEDED && D.d_tag != ELF::DT_SONAME)
      continue;
    if (D.getVal() >= Names.size())
      continue;
    std::string Name = Names.drop_front(D.getVal())
                           .take_until([](char C) { return C == '\0'; })
                           .str();
    if (D.d_tag == ELF::DT_SONAME)
      Result.Soname = std::move(Name);
    else
      Result.Needed.push_back(std::move(Name));
  }
  return Result;
}

DynamicNames readDynamicNamesOfFile(StringRef Path) {
  Expected<std::unique_ptr<MemoryBuffer>> Bytes = guard::mapFile(Path);
  if (Bytes)
    return readDynamicNames((*Bytes)->getBuffer());
  consumeError(Bytes.takeError());
  return DynamicNames();
}

} // namespace linesman::process
