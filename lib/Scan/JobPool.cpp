// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A descriptor for each process tells of its end.

#include "JobPool.h"
#include "linesman/Process/Handles.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Errno.h"
#include <csignal>
#include <poll.h>
#include <unistd.h>

using namespace llvm;

namespace linesman::scan {

JobPool::~JobPool() {
  for (const Process &Job : Running)
    ::kill(Job.Is.Pid, SIGKILL);
  while (!Running.empty())
    reap(0);
}

Error JobPool::start(size_t Job, ArrayRef<std::string> Command, StringRef Log) {
  SmallVector<StringRef> Words(Command.begin(), Command.end());
  std::string Problem;
  bool HasFailed = false;
  sys::ProcessInfo Is = sys::ExecuteNoWait(
      Command.front(), Words, /*Env=*/std::nullopt, {StringRef(""), Log, Log},
      Megabytes, &Problem, &HasFailed);
  if (HasFailed)
    return createStringError(Problem);
  process::Descriptor End = process::openProcess({int(Is.Pid)});
  if (!End.isOpen()) {
    Error Failed = createStringError("pidfd_open: " + sys::StrError());
    ::kill(Is.Pid, SIGKILL);
    sys::Wait(Is, std::nullopt);
    return Failed;
  }
  Running.push_back({Job, Is, std::move(End), Clock::now()});
  return Error::success();
}

JobEnd JobPool::reap(size_t Index) {
  Process Ended = std::move(Running[Index]);
  Running.erase(Running.begin() + Index);
  JobEnd Result{Ended.Job, 0, "", 0, 0};
  std::optional<sys::ProcessStatistics> Used;
  sys::ProcessInfo End =
      sys::Wait(Ended.Is, std::nullopt, &Result.Problem, &Used);
  Result.Code = End.ReturnCode;
  if (Ended.IsLate) {
    Result.Code = -1;
    Result.Problem =
        ("it took longer than " + Twine(Limit.count()) + " s").str();
  }
  if (Used) {
    Result.Seconds = std::chrono::duration<double>(Used->TotalTime).count();
    Result.PeakKiB = Used->PeakMemory;
  }
  return Result;
}

std::optional<JobEnd> JobPool::await(int Wake) {
  while (true) {
    SmallVector<pollfd> Files = {{Wake, POLLIN, 0}};
    int Milliseconds = -1;
    Clock::time_point Now = Clock::now();
    for (Process &Job : Running) {
      Files.push_back({Job.End.get(), POLLIN, 0});
      if (Job.IsLate || Limit.count() == 0)
        continue;
      auto Left =
          std::chrono::ceil<std::chrono::milliseconds>(Job.Begun + Limit - Now);
      if (Left.count() <= 0) {
        Job.IsLate = true;
        ::kill(Job.Is.Pid, SIGKILL);
      } else if (Milliseconds < 0 || Left.count() < Milliseconds) {
        Milliseconds = int(Left.count());
      }
    }
    if (::poll(Files.data(), Files.size(), Milliseconds) <= 0)
      continue;
    if (Files.front().revents)
      return std::nullopt;
    for (size_t I = 1; I != Files.size(); ++I)
      if (Files[I].revents)
        return reap(I - 1);
  }
}

} // namespace linesman::scan
