// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Families from /proc: who is whose child, and who runs the same image.

#include "linesman/Control/Family.h"
#include "LoadedFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <chrono>
#include <csignal>
#include <map>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>

using namespace llvm;

namespace linesman::control {

namespace {

/// The fields of /proc/PID/stat behind the name, which may have any character:
/// [0] the state, [1] the parent, [8] faults of children that were waited for.
SmallVector<StringRef> readStat(ProcessId Process, std::string &Text) {
  Expected<std::unique_ptr<MemoryBuffer>> File = readProc(Process, "stat");
  if (!File) {
    consumeError(File.takeError());
    return {};
  }
  Text = (*File)->getBuffer().str();
  SmallVector<StringRef> Fields;
  StringRef(Text).rsplit(')').second.trim().split(Fields, ' ');
  return Fields;
}

/// Where the program is mapped, and which file it is: after a fork the same,
/// after an exec not.
std::optional<std::pair<std::string, uint64_t>> readImage(ProcessId Process) {
  Expected<std::vector<LoadedFile>> Files = readLoadedFiles(Process);
  if (!Files) {
    consumeError(Files.takeError());
    return std::nullopt;
  }
  auto Program =
      find_if(*Files, [](const LoadedFile &F) { return F.IsExecutable; });
  if (Program == Files->end())
    return std::nullopt;
  return std::pair(Program->Path, Program->Start.Value);
}

} // namespace

std::optional<ProcessId> parentOf(ProcessId Process) {
  std::string Text;
  SmallVector<StringRef> Fields = readStat(Process, Text);
  int Parent;
  if (Fields.size() < 2 || Fields[1].getAsInteger(10, Parent))
    return std::nullopt;
  return ProcessId{Parent};
}

std::vector<ProcessId> readDescendants(ProcessId Process) {
  std::multimap<ProcessId, ProcessId> Children;
  std::error_code EC;
  for (sys::fs::directory_iterator I("/proc", EC), End; I != End && !EC;
       I.increment(EC)) {
    int Number;
    if (sys::path::filename(I->path()).getAsInteger(10, Number))
      continue;
    if (std::optional<ProcessId> Parent = parentOf({Number}))
      Children.insert({*Parent, {Number}});
  }
  std::vector<ProcessId> Result = {Process};
  for (size_t I = 0; I != Result.size(); ++I)
    for (auto [Child, End] = Children.equal_range(Result[I]); Child != End;
         ++Child)
      Result.push_back(Child->second);
  Result.erase(Result.begin());
  return Result;
}

Family::Family(ProcessId Root, std::optional<ProcessId> Orphans)
    : Root(Root), Orphans(Orphans), Image(readImage(Root)) {}

std::vector<ProcessId> Family::members() const {
  std::vector<ProcessId> Others = readDescendants(Root);
  if (Orphans)
    append_range(Others, readDescendants(*Orphans));
  Others.insert(Others.begin(), Root);
  std::vector<ProcessId> Result;
  for (ProcessId Process : Others)
    if (Image && !is_contained(Result, Process) && readImage(Process) == Image)
      Result.push_back(Process);
  return Result;
}

uint64_t countEndedChildren(ProcessId Process) {
  std::string Text;
  SmallVector<StringRef> Fields = readStat(Process, Text);
  uint64_t Count;
  if (Fields.size() < 9 || Fields[8].getAsInteger(10, Count))
    return 0;
  return Count;
}

size_t endProcesses(const std::vector<ProcessId> &Which) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point End = Clock::now() + std::chrono::seconds(2);
  std::vector<std::pair<ProcessId, Descriptor>> Left;
  for (ProcessId Process : Which)
    if (Descriptor File(int(::syscall(SYS_pidfd_open, Process.Value, 0)));
        File.get() >= 0)
      Left.emplace_back(Process, std::move(File));
  const size_t Count = Left.size();
  // By descriptor: a number may be another process's by now.
  auto Send = [&](int Signal) {
    for (auto &[Process, File] : Left)
      ::syscall(SYS_pidfd_send_signal, File.get(), Signal, nullptr, 0);
  };
  Send(SIGTERM);
  for (auto &[Process, File] : Left) {
    auto Wait = std::chrono::duration_cast<std::chrono::milliseconds>(
        End - Clock::now());
    pollfd Ended = {File.get(), POLLIN, 0};
    ::poll(&Ended, 1, std::max<int>(0, Wait.count()));
  }
  Send(SIGKILL);
  for (auto &[Process, File] : Left)
    while (::waitpid(Process.Value, nullptr, 0) < 0 && errno == EINTR) {
    }
  return Count;
}

} // namespace linesman::control
