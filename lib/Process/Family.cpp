// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Families from /proc: who is whose child, and who runs the same image.

#include "linesman/Process/Family.h"
#include "linesman/Process/Handles.h"
#include "linesman/Process/Mappings.h"
#include "linesman/Process/ProcFiles.h"
#include "linesman/Process/State.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>
#include <csignal>
#include <map>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>

using namespace llvm;

namespace linesman::process {

/// Where the program is mapped, and which file it is: after a fork the same,
/// after an exec not.
static std::optional<std::pair<std::string, RunAddress>>
readImage(ProcessId Process) {
  Expected<std::string> Program = executablePath(Process);
  Expected<std::vector<Mapping>> Mappings = readMappings(Process);
  if (!Program || !Mappings) {
    consumeError(Program.takeError());
    consumeError(Mappings.takeError());
    return std::nullopt;
  }
  auto First =
      find_if(*Mappings, [&](const Mapping &M) { return M.Path == *Program; });
  if (First == Mappings->end())
    return std::nullopt;
  // Its file may be deleted or replaced at any time.
  StringRef Path = *Program;
  Path.consume_back(" (deleted)");
  return std::pair(Path.str(), First->Range.Begin);
}

static std::string readStat(ProcessId Process) {
  return readProcFile(procPath(Process, "stat"));
}

std::optional<ProcessId> parentOf(ProcessId Process) {
  std::string Text = readStat(Process);
  SmallVector<StringRef> Fields = statFields(Text);
  int Parent;
  if (Fields.size() < 2 || Fields[1].getAsInteger(10, Parent))
    return std::nullopt;
  return ProcessId{Parent};
}

std::vector<ProcessId> readDescendants(ProcessId Process) {
  std::multimap<ProcessId, ProcessId> Children;
  for (int Number : listNumbers("/proc"))
    if (std::optional<ProcessId> Parent = parentOf({Number}))
      Children.insert({*Parent, {Number}});
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
  std::string Text = readStat(Process);
  SmallVector<StringRef> Fields = statFields(Text);
  // Faults of children that were waited for.
  uint64_t Count;
  if (Fields.size() < 9 || Fields[8].getAsInteger(10, Count))
    return 0;
  return Count;
}

size_t endProcesses(const std::vector<ProcessId> &Processes) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point End = Clock::now() + std::chrono::seconds(2);
  std::vector<std::pair<ProcessId, Descriptor>> Left;
  for (ProcessId Process : Processes)
    if (Descriptor File = openProcess(Process); File.isOpen())
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

} // namespace linesman::process
