// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// /proc/PID/maps joined to program headers. A process goes on with its files
// when they are deleted or replaced; maps then says "PATH (deleted)".

#include "linesman/Process/Modules.h"
#include "linesman/Guard/Document.h"
#include "linesman/Layout/Address.h"
#include "linesman/Process/ProcFiles.h"
#include "linesman/Process/State.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ELF.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace linesman::process {

namespace {

template <class ELFT>
std::vector<Module::Segment> readSegments(StringRef Bytes) {
  auto File = object::ELFFile<ELFT>::create(Bytes);
  if (!File) {
    consumeError(File.takeError());
    return {};
  }
  auto Headers = File->program_headers();
  if (!Headers) {
    consumeError(Headers.takeError());
    return {};
  }
  std::vector<Module::Segment> Result;
  for (const auto &Header : *Headers)
    if (Header.p_type == ELF::PT_LOAD || Header.p_type == ELF::PT_GNU_RELRO)
      Result.push_back({{Header.p_vaddr},
                        Header.p_memsz,
                        Header.p_offset,
                        Header.p_filesz,
                        (Header.p_flags & ELF::PF_W) != 0,
                        Header.p_type == ELF::PT_GNU_RELRO});
  return Result;
}

/// Of any file that a process may have mapped.
std::vector<Module::Segment> readProgramHeaders(StringRef Bytes) {
  if (!Bytes.starts_with(StringRef(ELF::ElfMagic, 4)) ||
      Bytes.size() < ELF::EI_NIDENT || Bytes[ELF::EI_DATA] != ELF::ELFDATA2LSB)
    return {};
  return Bytes[ELF::EI_CLASS] == ELF::ELFCLASS64
             ? readSegments<object::ELF64LE>(Bytes)
             : readSegments<object::ELF32LE>(Bytes);
}

/// Null for what is no file with an end: processes map devices, too.
FileBytes openFile(StringRef Path) {
  Expected<std::unique_ptr<MemoryBuffer>> Bytes = guard::mapFile(Path);
  if (Bytes)
    return std::move(*Bytes);
  consumeError(Bytes.takeError());
  return nullptr;
}

constexpr StringLiteral DeletedMark = " (deleted)";

/// Whether the process's own view has \p Name no longer, as its text says.
bool isDeleted(ProcessId Process, StringRef Name) {
  return Name.ends_with(DeletedMark) &&
         !sys::fs::exists(procPath(Process, "root" + Name));
}

std::string openablePath(ProcessId Process, const Mapping &Mapped,
                         StringRef Program) {
  if (isDeleted(Process, Mapped.Path))
    return Mapped.Path == Program
               ? procPath(Process, "exe")
               // For the administrator only.
               : procPath(Process, formatv("map_files/{0:x-}-{1:x-}",
                                           Mapped.Range.Begin.Value,
                                           Mapped.Range.End.Value)
                                       .str());
  // Through the process's own root: it may live in a container.
  std::string Inside = Mapped.Path == Program
                           ? procPath(Process, "exe")
                           : procPath(Process, "root" + Mapped.Path);
  // By its path, if that leads there: debug files may be beside it.
  bool IsSame = false;
  return !sys::fs::equivalent(Mapped.Path, Inside, IsSame) && IsSame
             ? Mapped.Path
             : Inside;
}

/// What \p Segments say about the bias, when \p Mapped is one of them.
std::optional<LoadBias> biasOf(const Mapping &Mapped,
                               ArrayRef<Module::Segment> Segments) {
  for (const Module::Segment &S : Segments) {
    uint64_t PageOffset = alignDown(S.FileOffset, layout::PageSize().Bytes);
    if (!S.IsRelro && Mapped.FileOffset >= PageOffset &&
        Mapped.FileOffset < S.FileOffset + S.FileSize)
      return LoadBias{Mapped.Range.Begin.Value -
                      (S.Begin.Value - S.FileOffset + Mapped.FileOffset)};
  }
  return std::nullopt;
}

} // namespace

bool Module::holdsPartOf(RunAddress Begin, uint64_t Size) const {
  uint64_t First = Bias.toLink(Begin).Value;
  return any_of(Segments, [&](const Segment &S) {
    return !S.IsRelro && First < S.Begin.Value + S.Size &&
           S.Begin.Value < First + Size;
  });
}

Expected<ModuleMap> ModuleMap::read(ProcessId Process, const ModuleMap &Known) {
  Expected<std::vector<Mapping>> Mappings = readMappings(Process);
  if (!Mappings)
    return Mappings.takeError();
  Expected<std::string> Program = executablePath(Process);
  if (!Program)
    return Program.takeError();
  ProcessId Thread = runningThread(Process);
  ModuleMap Result = build(
      *Mappings, *Program,
      [&](const Mapping &M) { return openablePath(Thread, M, *Program); },
      Known);
  for (Module &M : Result.Modules)
    if (isDeleted(Thread, M.Path))
      M.Path.resize(M.Path.size() - DeletedMark.size());
  return Result;
}

ModuleMap ModuleMap::build(ArrayRef<Mapping> Mappings, StringRef Program,
                           function_ref<std::string(const Mapping &)> Openable,
                           const ModuleMap &Known) {
  ModuleMap Result;
  StringSet<> Done;
  for (const Mapping &M : Mappings) {
    if (!M.isFile() || Done.contains(M.Path))
      continue;
    Module Loaded{M.Path, Openable(M), {}, {}, M.FileId};
    if (const Module *Open = Known.findFile(M)) {
      Loaded.Segments = Open->Segments;
      Loaded.Bytes = Open->Bytes;
    } else if (Loaded.Bytes = openFile(Loaded.File); Loaded.Bytes) {
      Loaded.Segments = readProgramHeaders(Loaded.Bytes->getBuffer());
    }
    std::optional<LoadBias> Bias = biasOf(M, Loaded.Segments);
    if (!Bias)
      continue;
    Loaded.Bias = *Bias;
    Done.insert(M.Path);
    Result.Modules.insert(M.Path == Program ? Result.Modules.begin()
                                            : Result.Modules.end(),
                          std::move(Loaded));
  }
  return Result;
}

const Module *ModuleMap::findFile(const Mapping &Mapped) const {
  auto Found = find_if(Modules, [&](const Module &M) {
    return M.FileId == Mapped.FileId && M.Path == Mapped.Path;
  });
  return Found == Modules.end() ? nullptr : &*Found;
}

const Module *ModuleMap::find(RunAddress Begin, uint64_t Size) const {
  for (const Module &M : Modules)
    if (M.holdsPartOf(Begin, Size))
      return &M;
  return nullptr;
}

} // namespace linesman::process
