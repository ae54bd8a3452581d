// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Vocabulary.h"

using namespace llvm;

namespace linesman::tool {

/// One place for all commands, so that what is alike looks alike. Options that
/// stand in no row come last.
constexpr options::Grouping Groupings[] = {
    {"what to look at",
     {"pid", "symbol", "address", "at", "type", "report", "finding", "filter",
      "select", "types", "binary", "objects", "from-tidy", "changed-since",
      "candidates", "program"}},
    {"what is read",
     {"facts", "samples", "thread-entry", "debug-file", "debug-dir",
      "debuginfod", "from", "onto", "plan", "captured", "links", "link-command",
      "shim", "measured"}},
    {"the checks", {"p", "checks", "unit-facts", "clang-tidy", "plugin"}},
    {"edits", {"isolate", "group", "pad", "shift", "explode", "whole-units"}},
    {"placement", {"place", "prepare", "hold", "local", "remote"}},
    {"measurement",
     {"metric", "match", "better", "probe", "live", "starts", "duration",
      "rounds", "warmup", "margin", "disturbed", "wait", "rate", "dirty",
      "instrument", "fixed", "measure", "simulated"}},
    {"the run", {"jobs", "state", "resume", "log", "progress"}},
    {"limits", {"budget", "time-limit", "limit", "memory", "per-file"}},
    {"memory", {"line-size", "page-size", "heap-align"}},
    {"result",
     {"format", "emit", "top", "all", "guesses", "source-root", "color", "o"}},
    {"gate",
     {"fail-on", "baseline", "write-baseline", "lock", "tolerance",
      "max-score"}},
};

/// Options of other tools, and what they are here.
constexpr options::Habit Habits[] = {{"output", "o"},
                                     {"out", "o"},
                                     {"json", "format=json"},
                                     {"html", "format=html"},
                                     {"sarif", "format=sarif"},
                                     {"p", "pid"},
                                     {"n", "top"},
                                     {"limit", "top"},
                                     {"time", "duration"},
                                     {"runs", "rounds"},
                                     {"cache-line", "line-size"}};

ArrayRef<options::Grouping> groupings() { return Groupings; }

ArrayRef<options::Habit> habits() { return Habits; }

const options::OutputOptions &outputOptions() {
  static constexpr options::OutputOptions Outputs = {
      {"o", "write-baseline"}, {"log", "state"}, {"captured"}};
  return Outputs;
}

} // namespace linesman::tool
