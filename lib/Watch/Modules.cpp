// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// /proc/PID/maps joined to program headers.

#include "linesman/Watch/Modules.h"
#include "linesman/Watch/Process.h"
#include "linesman/Watch/WatchError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELF.h"
#include "llvm/Object/ELFTypes.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <cerrno>
#include <set>

using namespace llvm;

namespace linesman::watch {

/// The first address that user programs cannot have on x86-64 and AArch64 with
/// 48-bit addresses; five-level page tables hand out more only on request.
static constexpr uint64_t UserEnd = uint64_t(1) << 47;

std::vector<Mapping> parseMappings(StringRef Text) {
  std::vector<Mapping> Result;
  SmallVector<StringRef> Lines;
  Text.split(Lines, '\n', -1, false);
  for (StringRef Line : Lines) {
    // begin-end perms offset dev inode path; the path may contain blanks.
    SmallVector<StringRef, 6> Parts;
    Line.split(Parts, ' ', 5, true);
    if (Parts.size() < 5)
      continue;
    auto [Begin, End] = Parts[0].split('-');
    Mapping M;
    if (Begin.getAsInteger(16, M.Begin.Value) ||
        End.getAsInteger(16, M.End.Value) ||
        Parts[2].getAsInteger(16, M.FileOffset))
      continue;
    M.Permissions = Parts[1].str();
    if (Parts.size() == 6)
      M.Path = Parts[5].ltrim().str();
    Result.push_back(std::move(M));
  }
  return Result;
}

bool isShared(ArrayRef<Mapping> Mappings, RunAddress Address) {
  return any_of(Mappings, [&](const Mapping &M) {
    return Address >= M.Begin && Address < M.End &&
           StringRef(M.Permissions).ends_with("s");
  });
}

Expected<std::vector<Mapping>> readMappings(ProcessId Process) {
  auto Buffer = MemoryBuffer::getFileAsStream(
      ("/proc/" + Twine(runningThread(Process).Value) + "/maps").str());
  if (!Buffer) {
    bool Gone = Buffer.getError() == std::errc::no_such_file_or_directory ||
                Buffer.getError() == std::errc::no_such_process;
    return make_error<WatchError>(
        Gone ? Refusal::Gone : Refusal::NotPermitted,
        "the memory map of process " + Twine(Process.Value) +
            " cannot be read: " + Buffer.getError().message());
  }
  return parseMappings((*Buffer)->getBuffer());
}

namespace {

template <class ELFT>
std::vector<Module::Segment> readSegments(StringRef Bytes) {
  std::vector<Module::Segment> Result;
  auto File = object::ELFFile<ELFT>::create(Bytes);
  if (!File) {
    consumeError(File.takeError());
    return Result;
  }
  auto Headers = File->program_headers();
  if (!Headers) {
    consumeError(Headers.takeError());
    return Result;
  }
  for (const auto &Header : *Headers)
    if (Header.p_type == ELF::PT_LOAD)
      Result.push_back(
          {{Header.p_vaddr}, Header.p_memsz, Header.p_offset, Header.p_filesz});
  return Result;
}

std::vector<Module::Segment> readSegments(const std::string &File) {
  // Only the headers are needed, but they may be anywhere in theory; mapping
  // costs nothing for the rest.
  auto Buffer = MemoryBuffer::getFile(File, false, false);
  if (!Buffer)
    return {};
  StringRef Bytes = (*Buffer)->getBuffer();
  if (!Bytes.starts_with("\177ELF") || Bytes.size() < ELF::EI_NIDENT)
    return {};
  bool Little = Bytes[ELF::EI_DATA] == ELF::ELFDATA2LSB;
  if (!Little)
    return {};
  return Bytes[ELF::EI_CLASS] == ELF::ELFCLASS64
             ? readSegments<object::ELF64LE>(Bytes)
             : readSegments<object::ELF32LE>(Bytes);
}

/// Where the file behind \p Path can be opened: by /proc/PID/exe for the
/// program (also when it was deleted or replaced), by the process's root for
/// the rest when it lives in a container.
std::string openablePath(ProcessId Process, const std::string &Path,
                         const std::string &Program) {
  std::string Proc = ("/proc/" + Twine(Process.Value)).str();
  if (Path == Program && !sys::fs::exists(Path))
    return Proc + "/exe";
  std::string Inside = Proc + "/root" + Path;
  sys::fs::file_status Here, There;
  if (!sys::fs::status(Inside, There) &&
      (sys::fs::status(Path, Here) ||
       Here.getUniqueID() != There.getUniqueID()))
    return Inside;
  return Path;
}

} // namespace

bool Module::contains(RunAddress Address) const {
  LinkAddress Link = toLink(Address);
  return llvm::any_of(Segments, [&](const Segment &S) {
    return Link >= S.Begin && Link.Value - S.Begin.Value < S.Size;
  });
}

Expected<ModuleMap> ModuleMap::read(ProcessId Process) {
  Expected<std::vector<Mapping>> Mappings = readMappings(Process);
  if (!Mappings)
    return Mappings.takeError();
  std::string Program = programOf(Process);
  ProcessId Thread = runningThread(Process);
  return build(*Mappings, Program, [&](const std::string &Path) {
    return openablePath(Thread, Path, Program);
  });
}

ModuleMap
ModuleMap::build(ArrayRef<Mapping> Mappings, StringRef Program,
                 function_ref<std::string(const std::string &)> Openable) {
  ModuleMap Result;
  std::set<std::string> Known;
  for (const Mapping &M : Mappings) {
    if (!StringRef(M.Path).starts_with("/") || Known.count(M.Path))
      continue;
    std::string File = Openable(M.Path);
    std::vector<Module::Segment> Segments = readSegments(File);
    for (const Module::Segment &S : Segments) {
      uint64_t PageOffset = S.FileOffset & ~uint64_t(4095);
      if (M.FileOffset < PageOffset ||
          M.FileOffset >= S.FileOffset + S.FileSize)
        continue;
      uint64_t Link = S.Begin.Value - S.FileOffset + M.FileOffset;
      Known.insert(M.Path);
      Module Found(M.Path, File, M.Begin.Value - Link, std::move(Segments));
      if (M.Path == Program)
        Result.Modules.insert(Result.Modules.begin(), std::move(Found));
      else
        Result.Modules.push_back(std::move(Found));
      break;
    }
  }
  return Result;
}

const Module *ModuleMap::find(RunAddress Address) const {
  for (const Module &M : Modules)
    if (M.contains(Address))
      return &M;
  return nullptr;
}

Error checkAddress(ProcessId Process, RunAddress Address, uint64_t Size) {
  std::string Name = "address 0x" + utohexstr(Address.Value, true);
  if (Address.Value >= UserEnd || Address.Value + Size > UserEnd)
    return make_error<WatchError>(
        Refusal::BadAddress,
        Name + " belongs to the kernel; only a program's own memory can be "
               "watched");
  Expected<std::vector<Mapping>> Mappings = readMappings(Process);
  if (!Mappings)
    return Mappings.takeError();
  for (const Mapping &M : *Mappings) {
    if (Address < M.Begin || Address >= M.End)
      continue;
    if (StringRef(M.Permissions).starts_with("---"))
      return make_error<WatchError>(
          Refusal::BadAddress, Name + " is mapped without any access (" +
                                   M.Permissions + "), so nobody touches it");
    return Error::success();
  }
  return make_error<WatchError>(Refusal::BadAddress,
                                Name + " is not mapped in process " +
                                    Twine(Process.Value));
}

} // namespace linesman::watch
