// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman doctor: what this machine and container allow, its NUMA facts, what
// to change. Nothing that is missing makes it fail.

#include "Commands.h"
#include "SharedOptions.h"
#include "linesman/Drive/DoctorReport.h"
#include "linesman/Drive/LineTransfers.h"
#include "linesman/Drive/Machine.h"
#include "linesman/Drive/NodeSpeeds.h"
#include "linesman/Drive/Probes.h"
#include "linesman/Drive/RegisterHolders.h"
#include "linesman/Guard/Document.h"
#include "linesman/Guard/Output.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace linesman::drive;

namespace linesman::tool {

namespace {

/// Pairs grow with the square: 16 processors have 120, some 30 ms each.
constexpr unsigned MostMeasured = 16;

struct Options {
  cl::SubCommand Command{"doctor", "What this machine allows"};
  Number<int> Pid{Command, "pid", "pid",
                  "Also: where this process's memory and threads are"};
  Flag Measure{
      Command, "measure",
      "Measure what handing a cache line from one processor to another costs"};
  Text Report{Command, "report", "file",
              "With --measure: what the writes of its findings cap (JSON)"};
  cl::opt<std::string> Root{"root",
                            cl::desc("Read /sys and /proc below this "
                                     "folder, for tests"),
                            cl::value_desc("folder"),
                            cl::init("/"),
                            cl::Hidden,
                            cl::sub(Command)};
  FormatOption As{Command};
  OutputOption Output{Command};
};

Expected<report::Document> readFindings(StringRef File) {
  Expected<json::Value> Root = guard::readJson(File);
  if (!Root)
    return Root.takeError();
  Expected<report::Document> Read = report::readReport(*Root);
  if (!Read)
    return createFileError(File, Read.takeError());
  return Read;
}

/// Findings whose writes are told.
constexpr size_t MostCeilings = 10;

/// What cannot be measured is advice, not a failure. \p Report may be null.
void measure(Diagnosis &Is, const report::Document *Report) {
  Expected<std::vector<Transfer>> Measured =
      measureTransfers(Is.Host, MostMeasured);
  if (Measured) {
    Is.Transfers = std::move(*Measured);
    Expected<ContendedWrite> Cost = measureContendedWrite(Is.Transfers);
    if (Cost)
      Is.Contended = *Cost;
    else
      Is.Advices.push_back({Advice::Fact, toString(Cost.takeError())});
    if (Is.Contended && Report)
      Is.Ceilings = findCeilings(*Report, *Is.Contended, MostCeilings);
    if (Is.Contended && Report && Is.Ceilings.empty())
      Is.Advices.push_back({Advice::Warning,
                            "no finding of the report says how often it "
                            "writes; linesman layout does"});
  } else {
    Is.Advices.push_back({Advice::Warning, toString(Measured.takeError())});
  }
  Expected<std::vector<NodeSpeed>> Speeds = measureNodes(Is.Host);
  if (!Speeds) {
    Is.Advices.push_back({Advice::Warning, toString(Speeds.takeError())});
    return;
  }
  Is.Speeds = std::move(*Speeds);
  append_range(Is.Advices, diagnose(Is.Speeds));
}

} // namespace

int runDoctor(Arguments Args) {
  Options Opts;
  if (!parseOptions(Args, "linesman doctor: what this machine and container "
                          "allow, and what to change\n"))
    return Failure;
  if (Opts.Pid.getNumOccurrences() && Opts.Pid <= 0)
    return fail(createStringError("--pid: expected the number of a process"));
  std::optional<report::Document> Report;
  if (!Opts.Report.empty()) {
    if (!Opts.Measure)
      return fail(createStringError("--report needs --measure"));
    Expected<report::Document> Given = readFindings(Opts.Report);
    if (!Given)
      return fail(Given.takeError());
    Report = std::move(*Given);
  }
  Expected<Machine> Read = readMachine(Opts.Root);
  if (!Read)
    return fail(Read.takeError());
  if (Error E = guard::checkOutput(Opts.Output))
    return fail(std::move(E));
  // Before probes start children: Linux may exchange the inherited events of a
  // parent and a child when it switches between them, and those of ours end
  // with the child then.
  std::vector<Advice> Taken;
  if (!Opts.Pid.getNumOccurrences())
    Taken = diagnose(findRegisterUsers(Opts.Root));
  Diagnosis Is;
  Is.Host = std::move(*Read);
  Is.Probes = runProbes(readSeccomp(Opts.Root));
  Is.Advices = diagnose(Is.Host);
  if (Opts.Pid.getNumOccurrences()) {
    Expected<ProcessMemory> Memory = readMemory(Is.Host, Opts.Pid, Opts.Root);
    if (!Memory)
      return fail(Memory.takeError());
    append_range(Is.Advices, diagnose(Is.Host, *Memory));
    Is.Memory = std::move(*Memory);
    if (Expected<RegisterHolders> Holders =
            findRegisterHolders(Opts.Pid, Opts.Root))
      append_range(Is.Advices, diagnose(*Holders));
    else
      return fail(Holders.takeError());
  }
  append_range(Is.Advices, Taken);
  if (Opts.Measure)
    measure(Is, Report ? &*Report : nullptr);
  Error E = guard::writeOutput(Opts.Output, [&](raw_ostream &OS) {
    Opts.As == Format::Json ? writeJson(Is, OS) : writeText(Is, OS);
  });
  return E ? fail(std::move(E)) : Success;
}

} // namespace linesman::tool
