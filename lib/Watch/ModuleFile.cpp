// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Object files by LLVM's reader, debug files by ours.

#include "ModuleFile.h"
#include "linesman/Input/DebugFile.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace llvm::object;

namespace linesman::watch {

static bool hasSection(const ELFObjectFileBase &File,
                       function_ref<bool(const ELFSectionRef &)> Is) {
  return any_of(File.sections(),
                [&](const SectionRef &S) { return Is(ELFSectionRef(S)); });
}

bool hasSymbolTable(const ELFObjectFileBase &File) {
  return hasSection(File, [](const ELFSectionRef &S) {
    return S.getType() == ELF::SHT_SYMTAB;
  });
}

bool hasDebugInfo(const ELFObjectFileBase &File) {
  return hasSection(File, [](const ELFSectionRef &S) {
    Expected<StringRef> Name = S.getName();
    if (Name)
      return *Name == ".debug_info" && S.getType() != ELF::SHT_NOBITS;
    consumeError(Name.takeError());
    return false;
  });
}

static Expected<ModuleFile> parse(MemoryBufferRef Bytes,
                                  std::unique_ptr<MemoryBuffer> Owner) {
  Expected<std::unique_ptr<ObjectFile>> File =
      ObjectFile::createELFObjectFile(Bytes);
  if (!File)
    return createFileError(Bytes.getBufferIdentifier(), File.takeError());
  return ModuleFile(std::move(*File), std::move(Owner));
}

Expected<ModuleFile> openModule(const process::Module &M, HasPart Has) {
  assert(M.Bytes && "a module in a map has its file");
  MemoryBufferRef Bytes = M.Bytes->getMemBufferRef();
  Expected<ModuleFile> Own = parse(Bytes, nullptr);
  if (!Own || Has(*cast<ELFObjectFileBase>(Own->getBinary())))
    return Own;
  // What another file lacks or has wrong is no reason to fail here.
  Expected<input::DebugFile> Found = input::findDebugFile(Bytes, {});
  if (!Found) {
    consumeError(Found.takeError());
    return Own;
  }
  if (!Found->Bytes)
    return Own;
  MemoryBufferRef DebugBytes = Found->Bytes->getMemBufferRef();
  Expected<ModuleFile> Debug = parse(DebugBytes, std::move(Found->Bytes));
  if (!Debug) {
    consumeError(Debug.takeError());
    return Own;
  }
  return Has(*cast<ELFObjectFileBase>(Debug->getBinary())) ? std::move(Debug)
                                                           : std::move(Own);
}

} // namespace linesman::watch
