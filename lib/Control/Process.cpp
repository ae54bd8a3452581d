// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules of a process from /proc: a line of maps with file offset 0 is where a
// module begins, and the program headers of its file say the rest. The ranges
// follow the same rule as the shim's (lib/Runtime/ranges.c); a test compares
// them.

#include "linesman/Control/Process.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <elf.h>
#include <unistd.h>

using namespace llvm;

namespace linesman::control {

RunRange intersect(RunRange A, RunRange B) {
  RunAddress Begin = std::max(A.Begin, B.Begin);
  RunAddress End = std::min(A.End, B.End);
  return {Begin, std::max(Begin, End)};
}

Descriptor &Descriptor::operator=(Descriptor &&Other) noexcept {
  if (this != &Other) {
    reset();
    Number = Other.release();
  }
  return *this;
}

void Descriptor::reset() {
  if (Number >= 0)
    ::close(Number);
  Number = -1;
}

uint64_t pageSize() { return ::sysconf(_SC_PAGESIZE); }

constexpr StringLiteral ShimFile = "liblinesman-shim.so";

namespace {

std::string procPath(ProcessId Process, StringRef Name) {
  return formatv("/proc/{0}/{1}", Process.Value, Name);
}

/// Reads a file of /proc, whose size is not known before. Names the process,
/// not the file: that is what the user gave.
Expected<std::unique_ptr<MemoryBuffer>> readProc(ProcessId Process,
                                                 StringRef Name) {
  std::string Path = procPath(Process, Name);
  // As a stream: the size of a file in /proc is 0 until it is read.
  auto Buffer = MemoryBuffer::getFileAsStream(Path);
  if (Buffer)
    return std::move(*Buffer);
  std::error_code EC = Buffer.getError();
  if (EC == std::errc::no_such_file_or_directory ||
      EC == std::errc::no_such_process)
    return createStringError("there is no process " + Twine(Process.Value));
  return createStringError("process " + Twine(Process.Value) + ": " + Path +
                           ": " + EC.message());
}

/// The writable ranges of an ELF file at a bias.
std::optional<Module> readFile(StringRef Open, StringRef Path, uint64_t Start) {
  auto Buffer = MemoryBuffer::getFileSlice(Open, 65536, 0, /*IsVolatile=*/true);
  if (!Buffer)
    return std::nullopt;
  StringRef Bytes = (*Buffer)->getBuffer();
  Elf64_Ehdr Header;
  if (Bytes.size() < sizeof Header)
    return std::nullopt;
  std::memcpy(&Header, Bytes.data(), sizeof Header);
  if (!Bytes.starts_with(ELFMAG) || Header.e_ident[EI_CLASS] != ELFCLASS64 ||
      Header.e_phentsize != sizeof(Elf64_Phdr) ||
      Header.e_phoff > Bytes.size() ||
      (Bytes.size() - Header.e_phoff) / sizeof(Elf64_Phdr) < Header.e_phnum)
    return std::nullopt;
  std::vector<Elf64_Phdr> Segments(Header.e_phnum);
  std::memcpy(Segments.data(), Bytes.data() + Header.e_phoff,
              Segments.size() * sizeof(Elf64_Phdr));

  uint64_t Page = pageSize();
  auto Down = [&](uint64_t A) { return A & -Page; };
  Module Result;
  Result.Path = Path.str();
  RunRange Relro;
  auto First = find_if(Segments,
                       [](const Elf64_Phdr &S) { return S.p_type == PT_LOAD; });
  if (First == Segments.end())
    return std::nullopt;
  Result.Bias = Start - Down(First->p_vaddr) + Down(First->p_offset);
  for (const Elf64_Phdr &S : Segments)
    if (S.p_type == PT_GNU_RELRO)
      Relro = {{Down(Result.Bias + S.p_vaddr)},
               {Down(Result.Bias + S.p_vaddr + S.p_memsz)}};
  auto Add = [&](RunAddress Begin, RunAddress End) {
    if (Begin < End)
      Result.Ranges.push_back({Begin, End});
  };
  for (const Elf64_Phdr &S : Segments) {
    if (S.p_type != PT_LOAD || !(S.p_flags & PF_W) || !S.p_memsz)
      continue;
    RunRange Whole = {{Down(Result.Bias + S.p_vaddr)},
                      {Down(Result.Bias + S.p_vaddr + S.p_memsz + Page - 1)}};
    RunRange Cut = intersect(Whole, Relro);
    if (Cut.Begin == Cut.End) {
      Add(Whole.Begin, Whole.End);
      continue;
    }
    Add(Whole.Begin, Cut.Begin);
    Add(Cut.End, Whole.End);
  }
  return Result;
}

} // namespace

Expected<std::string> executablePath(ProcessId Process) {
  char Path[4096];
  ssize_t Size =
      ::readlink(procPath(Process, "exe").c_str(), Path, sizeof Path);
  if (Size >= 0)
    return std::string(Path, Size);
  int Error = errno;
  if (Error == ENOENT)
    return createStringError("there is no process " + Twine(Process.Value));
  return createStringError("process " + Twine(Process.Value) +
                           " is not yours: " + sys::StrError(Error));
}

Expected<std::vector<Module>> readModules(ProcessId Process) {
  Expected<std::string> Executable = executablePath(Process);
  if (!Executable)
    return Executable.takeError();
  Expected<std::unique_ptr<MemoryBuffer>> Maps = readProc(Process, "maps");
  if (!Maps)
    return Maps.takeError();
  std::vector<Module> Result;
  StringRef Rest = (*Maps)->getBuffer();
  while (!Rest.empty()) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    SmallVector<StringRef, 6> Fields;
    Line.split(Fields, ' ', /*MaxSplit=*/5, /*KeepEmpty=*/false);
    uint64_t Begin, Offset;
    if (Fields.size() < 6 || !Fields[5].ltrim().starts_with("/") ||
        Fields[2].getAsInteger(16, Offset) || Offset != 0 ||
        Fields[0].split('-').first.getAsInteger(16, Begin))
      continue;
    StringRef Path = Fields[5].ltrim();
    // Through the process's own root: it may live in a container.
    std::string Open = Path == *Executable
                           ? procPath(Process, "exe")
                           : procPath(Process, "root") + Path.str();
    if (auto Found = readFile(Open, Path, Begin);
        Found && !Found->Ranges.empty() &&
        sys::path::filename(Path) != ShimFile &&
        none_of(Result, [&](const Module &M) { return M.Path == Path; }))
      Result.push_back(std::move(*Found));
  }
  std::stable_partition(Result.begin(), Result.end(),
                        [&](const Module &M) { return M.Path == *Executable; });
  return Result;
}

bool isShimRefused(ProcessId Process) {
  auto Contains = [&](StringRef Name, StringRef Text) {
    Expected<std::unique_ptr<MemoryBuffer>> File = readProc(Process, Name);
    if (File)
      return (*File)->getBuffer().contains(Text);
    consumeError(File.takeError());
    return false;
  };
  if (!Contains("maps", ("/" + ShimFile + "\n").str()) ||
      !Contains("status", "\nSeccomp:\t2\n"))
    return false;
  std::error_code EC;
  for (sys::fs::directory_iterator I(procPath(Process, "task"), EC), End;
       I != End && !EC; I.increment(EC))
    if (Contains(("task/" + sys::path::filename(I->path()) + "/comm").str(),
                 "linesman-shim"))
      return false;
  return true;
}

} // namespace linesman::control
