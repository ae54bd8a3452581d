// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/PageWrites.h"
#include "Clock.h"
#include "linesman/Process/Handles.h"
#include "linesman/Process/State.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <chrono>
#include <poll.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::control;
using namespace linesman::process;

namespace linesman::drive {

void PageWrites::add(ArrayRef<RunRange> Regions) {
  ++Scans;
  for (RunRange R : Regions)
    for (RunAddress A = R.Begin; A < R.End; A.Value += pageSize())
      ++Pages[A];
}

namespace {

enum class Woken : uint8_t { Time, Ended, Asked };

/// Waits for a time, the end of a process, or a request to end.
Woken waitFor(const Descriptor &Process, EndRequests &Ends,
              Clock::duration Time) {
  pollfd Waits[] = {{Process.get(), POLLIN, 0}, {Ends.file(), POLLIN, 0}};
  int Milliseconds = std::chrono::ceil<std::chrono::milliseconds>(Time).count();
  ::poll(Waits, 2, std::max(0, Milliseconds));
  return Ends.hasCome()     ? Woken::Asked
         : Waits[0].revents ? Woken::Ended
                            : Woken::Time;
}

} // namespace

Error watchWrites(WriteWatch &Watch, ProcessId Process,
                  const WriteSchedule &Schedule, EndRequests &Ends,
                  PageWrites &Seen, function_ref<Error()> Look) {
  Descriptor File = openProcess(Process);
  if (File.get() < 0)
    return createStringError(formatv("there is no process {0}", Process.Value));
  const auto Step = std::chrono::duration_cast<Clock::duration>(
      std::chrono::duration<double>(1 / Schedule.Rate));
  Clock::time_point Next = Clock::now();
  while (Seen.Scans != Schedule.Scans) {
    Next += Step;
    if (waitFor(File, Ends, Next - Clock::now()) == Woken::Asked)
      return Error::success();
    Expected<std::vector<RunRange>> Regions = Watch.scan();
    if (!Regions) {
      // It ended while it was watched: what was seen is the result.
      Seen.Ended = waitFor(File, Ends, {}) == Woken::Ended && Seen.Scans;
      if (!Seen.Ended)
        return Regions.takeError();
      consumeError(Regions.takeError());
      return Error::success();
    }
    Seen.add(*Regions);
    if (Error E = Look())
      return E;
  }
  return Error::success();
}

void writeText(const PageWrites &Seen, StaticPages &Pages, raw_ostream &OS) {
  uint64_t Total = 0;
  for (const NamedModule &M : Pages.modules())
    for (RunRange R : M.Loaded.Ranges)
      Total += R.size() / pageSize();
  OS << formatv("{0} of {1} static pages written, {2} scan{3}\n",
                Seen.Pages.size(), Total, Seen.Scans,
                Seen.Scans == 1 ? "" : "s");
  const NamedModule *Last = nullptr;
  for (auto [Address, Count] : Seen.Pages) {
    NamedModule *M = Pages.moduleOf(Address);
    if (!M)
      continue;
    if (M != Last)
      OS << '\n' << sys::path::filename(M->Loaded.Path) << '\n';
    Last = M;
    OS << formatv(
        "  {0,-12} {1,-18} {2}\n",
        formatv("{0:x}", M->Loaded.Bias.toLink(Address).Value).str(),
        formatv("in {0} of {1}", Count, Seen.Scans).str(),
        shorten(Pages.symbolsIn(*M, {Address, {Address.Value + pageSize()}})));
  }
}

} // namespace linesman::drive
