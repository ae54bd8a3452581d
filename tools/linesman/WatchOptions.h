// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of linesman watch, and what they ask for.

#ifndef LINESMAN_TOOLS_WATCHOPTIONS_H
#define LINESMAN_TOOLS_WATCHOPTIONS_H

#include "Deliver.h"
#include "SharedOptions.h"
#include "linesman/Drive/WatchSearch.h"
#include "linesman/Drive/WatchSession.h"

namespace linesman::tool {

struct WatchOptions {
  llvm::cl::SubCommand Command{"watch"};
  Rest Program{Command, "[-- COMMAND...]"};
  PidOption Pid{Command, "Watch this process"};
  Text Symbol{Command, "symbol", "name[+offset]", "Watch this object's lines"};
  Text Address{Command, "address", "address",
               "Watch the line of this run-time address"};
  Text Expression{
      Command, "at", "expression",
      "Watch the object that a global leads to: server->slots[3].lock"};
  Text Type{Command, "type", "T::field",
            "Watch this field of the object at --address or --at"};
  Text Report{Command, "report", "file", "Findings of another command (JSON)"};
  Text Finding{Command, "finding", "id", "Watch this finding of --report"};
  Number<unsigned> Top{Command, "top", "n",
                       "Watch the first findings of --report (10)", 10};
  Seconds Duration{Command, "duration",
                   "Seconds to watch (2, 1 more for each further finding, and "
                   "up to eight times as long until there is a verdict; with a "
                   "command: until it exits)"};
  Number<double> Budget{Command, "budget", "percent",
                        "How much the target may be slowed, in percent (5)", 5};
  Number<double> Wait{
      Command, "wait", "seconds",
      "Seconds to wait for a thread that uses an object of a type's finding "
      "(10); with a command also for pointers in --at to become non-null and, "
      "if given, for a library that is loaded later",
      10};
  Choice<drive::InstrumentChoice> Instrument{
      Command,
      "instrument",
      "What sees accesses",
      {{"auto", drive::InstrumentChoice::Auto,
        "perf, and ptrace where perf is refused (default)"},
       {"perf", drive::InstrumentChoice::Perf, "perf_event_open"},
       {"ptrace", drive::InstrumentChoice::Ptrace,
        "debug registers by ptrace"}},
      drive::InstrumentChoice::Auto};
  Number<unsigned> LineSize{Command, "line-size", "bytes",
                            "Bytes of a cache line: 64 or 128 (64)",
                            watch::OneLine};
  DeliveryOptions Delivery{Command, Format::Text,
                           FindingsFormatOption::Also::Nothing};

  /// Fails for what does not go together.
  llvm::Error check() const;
  drive::WatchRequest request() const;
  drive::SessionPlan plan() const;
  /// \p Problem of the search, with the option that waits for a library.
  llvm::Error offerWait(llvm::Error Problem) const;
};

} // namespace linesman::tool

#endif // LINESMAN_TOOLS_WATCHOPTIONS_H
