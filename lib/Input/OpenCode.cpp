// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpenCode.h"

using namespace llvm;

namespace linesman::input {

bool OpenedCode::read(const Binary &File) {
  auto Ignore = [](Error E) {
    consumeError(std::move(E));
    return false;
  };
  Arch = createArchitecture(Elf.getHeader().e_machine);
  if (!Arch)
    return false;
  std::optional<ElfFile> Symbols;
  if (File.Files.Symbols && File.Files.Symbols != File.File.get()) {
    Expected<ElfFile> Debug = openElf(File.Files.Symbols->getBuffer());
    if (!Debug)
      return Ignore(Debug.takeError());
    Symbols.emplace(*Debug);
  }
  std::optional<ElfFile> Mini;
  if (File.Mini) {
    Expected<ElfFile> Held = openElf(File.Mini->getBuffer());
    if (!Held)
      return Ignore(Held.takeError());
    Mini.emplace(*Held);
  }
  Expected<CodeFunctions> Read = readCodeFunctions(
      Elf, Symbols ? *Symbols : Elf, Mini ? &*Mini : nullptr, *File.File);
  if (!Read)
    return Ignore(Read.takeError());
  Functions = std::move(*Read);
  Expected<CodeMap> Made = CodeMap::create(Elf, *Arch, File.Image, Functions);
  if (!Made)
    return Ignore(Made.takeError());
  Map = std::move(*Made);
  Decoder = Arch->createDecoder(Map);
  return true;
}

} // namespace linesman::input
