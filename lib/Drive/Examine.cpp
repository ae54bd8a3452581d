// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/Examine.h"
#include "linesman/Drive/RegisterHolders.h"
#include "linesman/Drive/Seccomp.h"
#include "linesman/Report/Document.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linesman::drive {

namespace {

/// Pairs grow with the square: 16 processors have 120, some 30 ms each.
constexpr unsigned MostMeasured = 16;
/// Findings whose writes are told.
constexpr size_t MostCeilings = 10;

/// Handing a line from one processor to another. \p Report may be null.
void measureLines(Diagnosis &Is, const report::Document *Report) {
  Expected<std::vector<Transfer>> Measured =
      measureTransfers(Is.Host, MostMeasured);
  if (!Measured) {
    Is.Advices.push_back({Advice::Warning, toString(Measured.takeError())});
    return;
  }
  Is.Transfers = std::move(*Measured);
  Expected<ContendedWrite> Cost = measureContendedWrite(Is.Transfers);
  if (!Cost) {
    Is.Advices.push_back({Advice::Fact, toString(Cost.takeError())});
    return;
  }
  Is.Contended = *Cost;
  if (!Report)
    return;
  Is.Ceilings = findCeilings(*Report, *Is.Contended, MostCeilings);
  if (Is.Ceilings.empty())
    Is.Advices.push_back({Advice::Warning,
                          "no finding of the report says how often it writes; "
                          "linesman layout does"});
}

/// The memory of each node, from each node.
void measureMemory(Diagnosis &Is) {
  Expected<std::vector<NodeSpeed>> Speeds = measureNodes(Is.Host);
  if (!Speeds) {
    Is.Advices.push_back({Advice::Warning, toString(Speeds.takeError())});
    return;
  }
  Is.Speeds = std::move(*Speeds);
  append_range(Is.Advices, diagnose(Is.Speeds));
}

Error examineProcess(Diagnosis &Is, int Process, StringRef Root) {
  Expected<ProcessMemory> Memory = readMemory(Is.Host, Process, Root);
  if (!Memory)
    return Memory.takeError();
  append_range(Is.Advices, diagnose(Is.Host, *Memory));
  Is.Memory = std::move(*Memory);
  Expected<RegisterHolders> Holders = findRegisterHolders(Process, Root);
  if (!Holders)
    return Holders.takeError();
  append_range(Is.Advices, diagnose(*Holders));
  return Error::success();
}

} // namespace

Expected<Diagnosis> examine(const Examination &Asked) {
  std::optional<report::Document> Report;
  if (!Asked.Report.empty()) {
    Expected<report::Document> Read = report::readReportFile(Asked.Report);
    if (!Read)
      return Read.takeError();
    Report = std::move(*Read);
  }
  Diagnosis Is;
  if (Error E = readMachine(Asked.Root).moveInto(Is.Host))
    return std::move(E);
  // Before probes start children: Linux may exchange the inherited events of a
  // parent and a child when it switches between them, and those of ours end
  // with the child then.
  std::vector<Advice> Taken;
  if (!Asked.Process)
    Taken = diagnose(findRegisterUsers(Asked.Root));
  Is.Probes = runProbes(readSeccomp(Asked.Root));
  Is.Advices = diagnose(Is.Host);
  if (Asked.Process)
    if (Error E = examineProcess(Is, *Asked.Process, Asked.Root))
      return std::move(E);
  append_range(Is.Advices, Taken);
  if (Asked.Measures) {
    measureLines(Is, Report ? &*Report : nullptr);
    measureMemory(Is);
  }
  return Is;
}

} // namespace linesman::drive
