// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/PredictedCost.h"
#include "linesman/Drive/LineTransfers.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace llvm;
using linesman::watch::Rate;

namespace linesman::drive {

/// Of independent streams, that meet.
static constexpr double SmallestPart = 0.5;
/// Transfer times from one transfer of a thread that always wants the line to
/// its next one, at most: in loops without other work the threads lost a fifth
/// to a quarter of their time (docs/measurements.md).
static constexpr double LongestTurn = 5;
/// Processors that are measured in pairs; more take longer than a watch.
static constexpr unsigned MostProcessors = 4;

/// From the lower bound of a price to the upper one. The model alone is a
/// factor of 2 (SmallestPart); what is beyond this says little of which finding
/// is worth a fix.
static constexpr double WidestTold = 8;

namespace {

/// Accesses a second of wall time.
struct Stream {
  double Reads = 0, Writes = 0;
  double all() const { return Reads + Writes; }
};

double transfersOf(const Stream &Own, const Stream &Others) {
  return std::min(Own.Reads, Others.Writes) +
         std::min(Own.Writes, Others.all());
}

/// All but number \p Left; not a difference, as it may be unbounded.
Stream sumWithout(ArrayRef<Stream> All, size_t Left) {
  Stream Sum;
  for (size_t I = 0; I != All.size(); ++I)
    if (I != Left) {
      Sum.Reads += All[I].Reads;
      Sum.Writes += All[I].Writes;
    }
  return Sum;
}

/// "820", "1.2 thousand", "3.4 million".
std::string count(double Value) {
  auto digits = [](double V) -> std::string {
    return formatv(V < 10 ? "{0:F1}" : "{0:F0}", V);
  };
  if (Value >= 1e6)
    return digits(Value * 1e-6) + " million";
  if (Value >= 1e3)
    return digits(Value * 1e-3) + " thousand";
  return digits(Value);
}

} // namespace

std::optional<PredictedCost> predictCost(ArrayRef<ThreadUse> Threads,
                                         double TransferNanoseconds) {
  if (Threads.size() < 2)
    return std::nullopt;
  std::vector<Stream> Low, High;
  double Running = 0;
  for (const ThreadUse &T : Threads) {
    Running += T.Running;
    // Nothing times unbounded is nothing.
    auto scale = [&](double A) { return T.Running > 0 ? A * T.Running : 0; };
    Low.push_back({scale(T.Reads.Low), scale(T.Writes.Low)});
    High.push_back({scale(T.Reads.High), scale(T.Writes.High)});
  }
  if (!(Running > 0))
    return std::nullopt;
  PredictedCost Result;
  Result.TransferNanoseconds = TransferNanoseconds;
  Result.Threads = Threads.size();
  const double Seconds = TransferNanoseconds * 1e-9;
  double Longest = 0, Shortest = 0;
  for (size_t I = 0; I != Threads.size(); ++I) {
    double Least =
        std::min(SmallestPart * transfersOf(Low[I], sumWithout(Low, I)),
                 Threads[I].Running / (LongestTurn * Seconds));
    double Most = transfersOf(High[I], sumWithout(High, I));
    Result.Transfers.Low += Least;
    Result.Transfers.High += Most;
    // A thread waits no longer than it runs.
    Shortest += std::min(Least * Seconds, Threads[I].Running);
    Longest += std::min(Most * Seconds, Threads[I].Running);
  }
  Result.LowShare = Shortest / Running;
  Result.HighShare = Longest / Running;
  return Result;
}

bool PredictedCost::isWide() const { return width() > WidestTold; }

std::string describe(const PredictedCost &Cost) {
  std::string Doubt = Cost.isWide() ? "cannot tell well: " : "";
  std::string Base =
      formatv("of the time of {0}", report::plural(Cost.Threads, "thread"));
  if (!Cost.Transfers.isBounded())
    return formatv("{0}{1} transfers a second or more, x {2:F0} ns: {3} % {4} "
                   "or more",
                   Doubt, count(Cost.Transfers.Low), Cost.TransferNanoseconds,
                   report::percentText(Cost.LowShare), Base);
  return formatv("{0}{1} to {2} transfers a second x {3:F0} ns: {4} to {5} % "
                 "{6}",
                 Doubt, count(Cost.Transfers.Low), count(Cost.Transfers.High),
                 Cost.TransferNanoseconds, report::percentText(Cost.LowShare),
                 report::percentText(Cost.HighShare), Base);
}

report::FindingPrice describePrice(const PredictedCost &Cost) {
  report::FindingPrice Result;
  Result.Transfers.Low = Cost.Transfers.Low;
  Result.Share.Low = Cost.LowShare;
  if (Cost.Transfers.isBounded()) {
    Result.Transfers.High = Cost.Transfers.High;
    Result.Share.High = Cost.HighShare;
  }
  Result.TransferNs = Cost.TransferNanoseconds;
  Result.Threads = Cost.Threads;
  return Result;
}

PredictedCost readPrice(const report::FindingPrice &Price) {
  PredictedCost Result;
  Result.Transfers = {Price.Transfers.Low,
                      Price.Transfers.High.value_or(Rate::Unbounded)};
  Result.TransferNanoseconds = Price.TransferNs;
  Result.LowShare = Price.Share.Low;
  Result.HighShare = Price.Share.High.value_or(1);
  Result.Threads = Price.Threads;
  return Result;
}

std::optional<double> transferTime() {
  Expected<Machine> Measured = readMachine();
  if (!Measured) {
    consumeError(Measured.takeError());
    return std::nullopt;
  }
  Expected<std::vector<Transfer>> All =
      measureTransfers(*Measured, MostProcessors);
  if (!All) {
    consumeError(All.takeError());
    return std::nullopt;
  }
  std::optional<double> Farthest;
  for (const Transfer &T : *All)
    Farthest = std::max(Farthest.value_or(0), T.Nanoseconds);
  return Farthest;
}

} // namespace linesman::drive
