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

static Expected<ModuleFile> open(std::unique_ptr<MemoryBuffer> Bytes) {
  Expected<std::unique_ptr<ObjectFile>> File =
      ObjectFile::createELFObjectFile(Bytes->getMemBufferRef());
  if (!File)
    return createFileError(Bytes->getBufferIdentifier(), File.takeError());
  return ModuleFile(std::move(*File), std::move(Bytes));
}

Expected<ModuleFile> openModule(StringRef Path, HasPart Has) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> Bytes =
      MemoryBuffer::getFile(Path, /*IsText=*/false,
                            /*RequiresNullTerminator=*/false);
  if (!Bytes)
    return createFileError(Path, Bytes.getError());
  MemoryBufferRef Buffer = (*Bytes)->getMemBufferRef();
  Expected<ModuleFile> Own = open(std::move(*Bytes));
  if (!Own || Has(*cast<ELFObjectFileBase>(Own->getBinary())))
    return Own;
  // What another file lacks or has wrong is no reason to fail here.
  Expected<input::DebugFile> Found = input::findDebugFile(Buffer, {});
  if (!Found) {
    consumeError(Found.takeError());
    return Own;
  }
  if (!Found->Bytes)
    return Own;
  Expected<ModuleFile> Debug = open(std::move(Found->Bytes));
  if (!Debug) {
    consumeError(Debug.takeError());
    return Own;
  }
  return Has(*cast<ELFObjectFileBase>(Debug->getBinary())) ? std::move(Debug)
                                                           : std::move(Own);
}

} // namespace linesman::watch
