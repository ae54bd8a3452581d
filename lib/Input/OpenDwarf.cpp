// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's DWARF reader over a binary that was read.

#include "OpenDwarf.h"
#include "ElfSections.h"
#include "linesman/Guard/Document.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace linesman::input {

/// LLVM's reader decompresses whatever is compressed, to the size that the
/// section claims to have.
static Error checkCompressed(StringRef Bytes) {
  Expected<ElfFile> Elf = openElf(Bytes);
  if (!Elf)
    return Elf.takeError();
  auto Headers = Elf->sections();
  if (!Headers)
    return Headers.takeError();
  for (const ElfSection &Header : *Headers) {
    if (!(Header.sh_flags & ELF::SHF_COMPRESSED))
      continue;
    Expected<ArrayRef<uint8_t>> Contents = Elf->getSectionContents(Header);
    if (!Contents)
      return Contents.takeError();
    if (auto D = openCompressed("of debug information", *Contents); !D)
      return D.takeError();
  }
  return Error::success();
}

OpenedDwarf openDwarf(const Binary &Source,
                      std::function<void(Error)> Complain) {
  OpenedDwarf Result;
  if (!Source.Files.Dwarf)
    return Result;
  Expected<std::unique_ptr<object::ObjectFile>> File =
      object::ObjectFile::createELFObjectFile(
          Source.Files.Dwarf->getMemBufferRef());
  if (!File) {
    // The reader has accepted the file; LLVM's general one is stricter about
    // tables that nobody needs here.
    Complain(File.takeError());
    return Result;
  }
  if (Error E = checkCompressed(Source.Files.Dwarf->getBuffer())) {
    Complain(std::move(E));
    return Result;
  }
  Result.Object = std::move(*File);
  // A package is beside the binary, also where the rest is in a debug file;
  // LLVM looks for it beside the file that it reads.
  std::string Package;
  if (Source.Files.Dwarf != Source.File.get())
    if (std::string Path = Source.File->getBufferIdentifier().str() + ".dwp";
        sys::fs::exists(Path))
      Package = Path;
  // LLVM reads whatever has this name.
  const std::string PackagePath =
      Package.empty() ? Source.Files.Dwarf->getBufferIdentifier().str() + ".dwp"
                      : Package;
  if (guard::isStream(PackagePath)) {
    Complain(createFileError(PackagePath,
                             createStringError("is not a regular file")));
    return Result;
  }
  Result.Context = DWARFContext::create(
      *Result.Object, DWARFContext::ProcessDebugRelocations::Ignore,
      /*L=*/nullptr, Package, Complain, Complain);
  return Result;
}

/// What a sanitizer or a fuzzer looks for must not be recovered from.
#if defined(__SANITIZE_ADDRESS__) || LLVM_ADDRESS_SANITIZER_BUILD ||           \
    LLVM_THREAD_SANITIZER_BUILD || defined(LINESMAN_FUZZING)
bool survives(function_ref<void()> Read) {
  Read();
  return true;
}
#else
bool survives(function_ref<void()> Read) {
  return CrashRecoveryContext().RunSafely(Read);
}
#endif

} // namespace linesman::input
