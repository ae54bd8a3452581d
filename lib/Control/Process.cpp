// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules of a process from /proc: a line of maps with file offset 0 is where a
// module begins, and the program headers of its file say the rest. The ranges
// follow the same rule as the shim's (lib/Runtime/ranges.c); a test compares
// them.

#include "linesman/Control/Process.h"
#include "LoadedFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <elf.h>
#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
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

/// The writable ranges of an ELF file at a bias.
std::optional<Module> readFile(const LoadedFile &From) {
  auto Buffer =
      MemoryBuffer::getFileSlice(From.File, 65536, 0, /*IsVolatile=*/true);
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
  Result.Path = From.Path;
  Result.File = From.File;
  RunRange Relro;
  auto First = find_if(Segments,
                       [](const Elf64_Phdr &S) { return S.p_type == PT_LOAD; });
  if (First == Segments.end())
    return std::nullopt;
  Result.Bias = From.Start.Value - Down(First->p_vaddr) + Down(First->p_offset);
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

std::string userName(unsigned User) {
  if (const passwd *Entry = ::getpwuid(User))
    return Entry->pw_name;
  return formatv("user {0}", User);
}

Error checkReadable(ProcessId Process) {
  struct stat Status;
  if (::stat(procPath(Process, "").c_str(), &Status) != 0)
    return createStringError(formatv("there is no process {0}", Process.Value));
  Descriptor Pagemap(
      ::open(procPath(Process, "pagemap").c_str(), O_RDONLY | O_CLOEXEC));
  if (Pagemap.get() >= 0)
    return Error::success();
  if ((errno == EACCES || errno == EPERM) && ::geteuid() == 0)
    return createStringError(
        formatv("process {0} is not to be looked into, not even by root: a "
                "container without --cap-add=SYS_PTRACE, a process outside of "
                "it, or a security module refuses",
                Process.Value));
  if (errno == EACCES || errno == EPERM)
    return createStringError(
        formatv("process {0} belongs to {1}, and {2} may not look into it; run "
                "linesman as that user or as root",
                Process.Value, userName(Status.st_uid), userName(::geteuid())));
  return createStringError(
      formatv("process {0} has no memory: it is a thread of the kernel, or has "
              "ended",
              Process.Value));
}

Expected<std::string> executablePath(ProcessId Process) {
  char Path[4096];
  ssize_t Size =
      ::readlink(procPath(Process, "exe").c_str(), Path, sizeof Path);
  if (Size >= 0)
    return std::string(Path, Size);
  if (Error E = checkReadable(Process))
    return std::move(E);
  return createStringError(
      formatv("process {0} has no executable file", Process.Value));
}

Expected<std::vector<Module>> readModules(ProcessId Process) {
  Expected<std::vector<LoadedFile>> Files = readLoadedFiles(Process);
  if (!Files)
    return Files.takeError();
  // The executable first.
  std::stable_partition(Files->begin(), Files->end(),
                        [](const LoadedFile &F) { return F.IsExecutable; });
  std::vector<Module> Result;
  for (const LoadedFile &File : *Files)
    if (auto Found = readFile(File); Found && !Found->Ranges.empty() &&
                                     sys::path::filename(File.Path) != ShimFile)
      Result.push_back(std::move(*Found));
  return Result;
}

Expected<std::vector<RunRange>> readPrivateMemory(ProcessId Process) {
  Expected<std::unique_ptr<MemoryBuffer>> File = readProc(Process, "maps");
  if (!File)
    return File.takeError();
  std::vector<RunRange> Result;
  SmallVector<StringRef> Lines;
  (*File)->getBuffer().split(Lines, '\n');
  for (StringRef Line : Lines) {
    auto [Range, Rest] = Line.split(' ');
    auto [From, To] = Range.split('-');
    RunRange R;
    if (Rest.starts_with("rw-p") && !From.getAsInteger(16, R.Begin.Value) &&
        !To.getAsInteger(16, R.End.Value))
      Result.push_back(R);
  }
  return std::move(Result);
}

} // namespace linesman::control
