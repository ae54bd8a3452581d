// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The canaries decide: no instrument is used that has not been seen to work.

#include "WatchInstrument.h"
#include "linesman/Watch/PerfInstrument.h"
#include "linesman/Watch/PtraceInstrument.h"
#include "linesman/Watch/WatchError.h"

using namespace llvm;
using namespace linesman::watch;

namespace linesman::tool {

static Expected<ProvenInstrument> provePtrace(std::string Note) {
  Expected<std::unique_ptr<PtraceInstrument>> Tool = PtraceInstrument::start();
  if (!Tool)
    return Tool.takeError();
  Expected<CanaryResult> Canary = (*Tool)->runCanary();
  if (!Canary)
    return Canary.takeError();
  return ProvenInstrument{std::move(*Tool), *Canary, std::move(Note)};
}

Expected<ProvenInstrument> proveInstrument(InstrumentChoice Choice) {
  if (Choice == InstrumentChoice::Ptrace)
    return provePtrace("watched by ptrace, as it was asked for");
  Expected<CanaryResult> Canary = runCanary();
  if (Canary)
    return ProvenInstrument{std::make_unique<PerfInstrument>(), *Canary, ""};
  Error Refused = Error::success();
  Refusal Why = reasonOf(Canary.takeError(), Refused);
  if (Choice == InstrumentChoice::Perf ||
      (Why != Refusal::NotPermitted && Why != Refusal::NotSupported))
    return std::move(Refused);
  std::string Reason = toString(std::move(Refused));
  Expected<ProvenInstrument> Other =
      provePtrace(Reason + "; watched by ptrace, which stops a thread longer "
                           "at each hit");
  if (Other)
    return Other;
  return make_error<WatchError>(Why, Reason + "; and " +
                                         toString(Other.takeError()));
}

} // namespace linesman::tool
