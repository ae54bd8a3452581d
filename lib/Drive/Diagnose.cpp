// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the machine's settings mean for bisecting and for databases.

#include "linesman/Drive/Machine.h"
#include "linesman/Layout/Address.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace llvm;

namespace linesman::drive {

namespace {

/// As the firmware says a local access.
constexpr int LocalDistance = 10;

/// Where more than \p Part of the whole is; nothing when it is spread.
std::optional<unsigned> findMost(ArrayRef<uint64_t> Amounts, double Part) {
  uint64_t Whole = std::accumulate(Amounts.begin(), Amounts.end(), uint64_t(0));
  for (auto [I, Amount] : enumerate(Amounts))
    if (Whole && double(Amount) > Part * double(Whole))
      return I;
  return std::nullopt;
}

void diagnoseNodes(const Machine &Host, std::vector<Advice> &Result) {
  auto say = [&](Advice::Level Is, std::string Text) {
    Result.push_back({Is, std::move(Text)});
  };
  if (!Host.IsTopologyKnown) {
    say(Advice::Warning,
        "/sys is not mounted here, or not readable: how many packages, caches "
        "and memory nodes there are is not known (mount -t sysfs sysfs /sys)");
    return;
  }
  if (Host.Nodes.size() > 1) {
    int Farthest = 0;
    for (const Node &N : Host.Nodes)
      for (int Distance : N.Distances)
        Farthest = std::max(Farthest, Distance);
    say(Advice::Fact,
        formatv("{0} memory nodes; the firmware puts the farthest at {1:f1} "
                "times the distance of local memory. linesman bisect works.",
                Host.Nodes.size(), double(Farthest) / LocalDistance));
    for (const Node &N : Host.Nodes)
      if (!N.MemoryBytes)
        say(Advice::Warning,
            formatv("node {0} has no memory: its processors always use another "
                    "node's",
                    N.Number));
    return;
  }
  if (Host.packages() > 1)
    say(Advice::Warning,
        formatv("{0} processor packages, but one memory node: NUMA is hidden, "
                "usually by 'node interleaving' or 'NUMA off' in the firmware. "
                "Half of all memory is remote and nothing can be placed. "
                "Switch it on, or expect a spread that no pinning cures.",
                Host.packages()));
  else if (Host.lastLevelCaches() > 1)
    say(Advice::Fact,
        formatv("{0} last-level caches in one package and one memory node: a "
                "line that crosses them costs several times more than within "
                "one. Pin threads that share to one cache ('L3 as NUMA' in the "
                "firmware shows them as nodes).",
                Host.lastLevelCaches()));
  else
    say(Advice::Fact, "one memory node: no page can be remote, so linesman "
                      "bisect has nothing to search; linesman watch and ab "
                      "work");
}

} // namespace

std::vector<Advice> diagnose(const Machine &Host) {
  std::vector<Advice> Result;
  auto say = [&](Advice::Level Is, std::string Text) {
    Result.push_back({Is, std::move(Text)});
  };
  diagnoseNodes(Host, Result);
  if (Host.LineSize && Host.LineSize != layout::LineSize().Bytes)
    say(Advice::Warning,
        formatv("cache lines of {0} bytes: use --line-size={0}",
                Host.LineSize));
  if (Host.Nodes.size() > 1) {
    if (Host.Balancing.value_or(0))
      say(Advice::Warning,
          "kernel.numa_balancing is on: it moves pages to the threads that use "
          "them, and back those that linesman places from outside. Set it to 0 "
          "while you bisect; a database that pins its threads wants 0 always.");
    if (Host.ZoneReclaim.value_or(0))
      say(Advice::Warning,
          formatv("vm.zone_reclaim_mode is {0}: a full node drops its file "
                  "cache before it takes memory of another. Databases and "
                  "file servers want 0.",
                  *Host.ZoneReclaim));
  }
  if (Host.HugePages == "always")
    say(Advice::Fact,
        "transparent huge pages: always. A page of the heap may be 2 MB and "
        "moves as a whole; linesman's shim switches that off for static "
        "pages.");
  for (const RemoteInterrupts &R : Host.Remote)
    say(Advice::Warning,
        formatv("{0} is on node {1}, but {2} of its interrupts go to "
                "processors of other nodes (the first: {3}). Set "
                "/proc/irq/{3}/smp_affinity_list, or stop irqbalance.",
                R.Device, R.Node, R.Interrupts.size(), R.Interrupts.front()));
  return Result;
}

std::vector<Advice> diagnose(const Machine &Host, const ProcessMemory &Memory) {
  std::vector<Advice> Result;
  if (Host.Nodes.size() < 2)
    return Result;
  // More than nine tenths is "all" for a verdict.
  constexpr double NearlyAll = 0.9;
  SmallVector<uint64_t> Threads(Memory.Threads.begin(), Memory.Threads.end());
  std::optional<unsigned> Runs = findMost(Threads, NearlyAll);
  static constexpr StringLiteral Words[] = {"static data", "heap", "stacks",
                                            "other memory"};
  for (unsigned Kind = 0; Kind != ProcessMemory::Kinds; ++Kind) {
    std::optional<unsigned> Lies = findMost(Memory.Bytes[Kind], NearlyAll);
    if (Runs && Lies && *Runs != *Lies)
      Result.push_back(
          {Advice::Warning,
           formatv("{0} on node {1}, all threads on node {2}: every first "
                   "access crosses the interconnect. linesman place moves "
                   "static pages; numactl --membind={2} starts with them "
                   "there.",
                   Words[Kind], Host.Nodes[*Lies].Number,
                   Host.Nodes[*Runs].Number)});
  }
  if (!Runs)
    Result.push_back({Advice::Fact,
                      "threads run on several nodes, so that some memory is "
                      "remote for some of them wherever it is"});
  return Result;
}

} // namespace linesman::drive
