// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The userfaultfd of another process. An offer is a file without a name whose
// title says whose it is, so that it can be found in /proc, and whose text says
// which descriptor to copy.

#include "linesman/Control/WriteWatch.h"
#include "linesman/Control/Actuator.h"
#include "linesman/Process/Family.h"
#include "linesman/Process/Handles.h"
#include "linesman/Process/ProcFiles.h"
#include "linesman/Process/State.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FormatVariadic.h"
#include <csignal>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::process;

namespace linesman::control {

namespace {

// Newer than the headers of older systems (Linux 6.7).
struct PageRegion {
  uint64_t Begin, End, Categories;
};
struct PagemapScan {
  uint64_t Size, Flags, Begin, End, WalkEnd, Regions, RegionCount, MaxPages,
      Inverted, CategoryMask, CategoryAnyMask, ReturnMask;
};
constexpr unsigned long PagemapScanRequest = _IOWR('f', 16, PagemapScan);
constexpr uint64_t ScanWriteProtect = 1, ScanCheckAsync = 2,
                   CategoryWritten = 2;

std::string titleOf(ProcessId Process) {
  return formatv("linesman-watch:{0}", Process.Value);
}

/// The descriptor of \p Holder that is the offer for \p Process; -1 without.
int findOffer(ProcessId Holder, ProcessId Process) {
  std::string Wanted = "/memfd:" + titleOf(Process) + " (deleted)";
  std::error_code EC;
  for (const OpenFile &File : listOpenFiles(procPath(Holder, "fd"), EC))
    if (File.Target == Wanted)
      return File.Number;
  return -1;
}

Error noOffer(ProcessId Process) {
  if (Error E = checkReadable(Process))
    return E;
  return createStringError(
      formatv("process {0}: only a program that 'linesman run -- COMMAND' has "
              "started, and that is still its child, can be watched for writes",
              Process.Value));
}

} // namespace

Expected<WatchOffer> WatchOffer::make(ProcessId Process,
                                      Expected<Descriptor> Watcher) {
  WatchOffer Result;
  Result.Process = Process;
  std::string Text;
  if (Watcher) {
    Result.Watcher = std::move(*Watcher);
    Text = formatv("{0}", Result.Watcher.get());
  } else {
    Text = toString(Watcher.takeError());
  }
  Result.Note =
      Descriptor(::memfd_create(titleOf(Process).c_str(), MFD_CLOEXEC));
  if (Result.Note.get() < 0 || ::write(Result.Note.get(), Text.data(),
                                       Text.size()) != ssize_t(Text.size()))
    return createStringError("memfd_create: " + sys::StrError(errno));
  // Where Yama lets nobody but parents take descriptors: we hold nothing else
  // that is worth taking. EINVAL: there is no Yama.
  ::prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  return std::move(Result);
}

bool WatchOffer::isOver() const {
  return ::kill(Process.Value, 0) != 0 && errno == ESRCH;
}

Expected<std::unique_ptr<WriteWatch>> WriteWatch::attach(Actuator &Watched) {
  const ProcessId Process = Watched.process();
  int Offer = -1;
  ProcessId Holder = Process;
  while (Offer < 0) {
    std::optional<ProcessId> Parent = parentOf(Holder);
    if (!Parent || Parent->Value <= 1)
      return noOffer(Process);
    Holder = *Parent;
    Offer = findOffer(Holder, Process);
  }
  // Opened anew, it has a lock of its own.
  std::string Path = procPath(Holder, formatv("fd/{0}", Offer).str());
  Descriptor Lock(::open(Path.c_str(), O_RDONLY | O_CLOEXEC));
  if (Lock.get() < 0)
    return createStringError(Path + ": " + sys::StrError(errno));
  if (::flock(Lock.get(), LOCK_EX | LOCK_NB) != 0)
    return createStringError("somebody else watches the process's writes");
  char Text[512];
  ssize_t Size = ::pread(Lock.get(), Text, sizeof Text, 0);
  int Number;
  if (Size <= 0 || StringRef(Text, Size).getAsInteger(10, Number))
    return createStringError(StringRef(Text, std::max<ssize_t>(0, Size)));
  Descriptor HolderFile = openProcess(Holder);
  Descriptor Watcher(
      HolderFile.get() < 0
          ? -1
          : int(::syscall(SYS_pidfd_getfd, HolderFile.get(), Number, 0)));
  if (Watcher.get() < 0)
    return callError("pidfd_getfd", errno);
  Expected<std::unique_ptr<WriteWatch>> Result =
      begin(Watched, std::move(Watcher));
  if (Result)
    (*Result)->Lock = std::move(Lock);
  return Result;
}

Expected<std::unique_ptr<WriteWatch>> WriteWatch::begin(Actuator &Watched,
                                                        Descriptor Watcher) {
  std::unique_ptr<WriteWatch> Result(new WriteWatch);
  Result->Watcher = std::move(Watcher);
  if (Error E = openPagemap(Watched.process()).moveInto(Result->Pagemap))
    return std::move(E);
  Expected<std::vector<StaticModule>> Modules = Watched.modules();
  if (!Modules)
    return Modules.takeError();
  for (const StaticModule &M : *Modules)
    for (RunRange Range : M.Ranges) {
      uffdio_register Register = {};
      Register.range = {Range.Begin.Value, Range.size()};
      Register.mode = UFFDIO_REGISTER_MODE_WP;
      uffdio_writeprotect Protect = {};
      Protect.range = Register.range;
      Protect.mode = UFFDIO_WRITEPROTECT_MODE_WP;
      if (::ioctl(Result->Watcher.get(), UFFDIO_REGISTER, &Register) == 0) {
        // From here on it is ours to unregister.
        Result->Ranges.push_back(Range);
        if (::ioctl(Result->Watcher.get(), UFFDIO_WRITEPROTECT, &Protect) == 0)
          continue;
      }
      ++Result->Unwatched;
    }
  // What was written until now says at once that the kernel is too old.
  Expected<std::vector<RunRange>> First = Result->scan();
  if (!First)
    return First.takeError();
  return std::move(Result);
}

WriteWatch::~WriteWatch() {
  for (RunRange Range : Ranges) {
    uffdio_range Bytes = {Range.Begin.Value, Range.size()};
    // A process that has ended has nothing left to unregister.
    (void)::ioctl(Watcher.get(), UFFDIO_UNREGISTER, &Bytes);
  }
}

Expected<std::vector<RunRange>> WriteWatch::scan() {
  std::vector<RunRange> Result;
  std::vector<PageRegion> Found(1024);
  for (RunRange Range : Ranges)
    for (uint64_t Position = Range.Begin.Value; Position < Range.End.Value;) {
      PagemapScan Scan = {};
      Scan.Size = sizeof Scan;
      Scan.Flags = ScanWriteProtect | ScanCheckAsync;
      Scan.Begin = Position;
      Scan.End = Range.End.Value;
      Scan.Regions = reinterpret_cast<uint64_t>(Found.data());
      Scan.RegionCount = Found.size();
      Scan.CategoryMask = Scan.ReturnMask = CategoryWritten;
      int Count = ::ioctl(Pagemap.get(), PagemapScanRequest, &Scan);
      if (Count < 0 && errno == ESRCH)
        return createStringError("the process has ended");
      if (Count < 0 && errno == ENOTTY)
        return callError("PAGEMAP_SCAN", ENOSYS);
      // A module that dlclose took away is no failure.
      if (Count < 0)
        break;
      for (const PageRegion &Region : ArrayRef(Found).take_front(Count))
        Result.push_back({{Region.Begin}, {Region.End}});
      if (Scan.WalkEnd <= Position)
        break;
      Position = Scan.WalkEnd;
    }
  return Result;
}

} // namespace linesman::control
