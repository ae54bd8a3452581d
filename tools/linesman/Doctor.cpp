// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman doctor: what this machine and container allow, its NUMA facts, what
// to change. Nothing that is missing makes it fail.

#include "Commands.h"
#include "OptionTable.h"
#include "SharedOptions.h"
#include "linesman/Drive/LineTransfers.h"
#include "linesman/Drive/Machine.h"
#include "linesman/Drive/NodeSpeeds.h"
#include "linesman/Drive/Probes.h"
#include "linesman/Drive/RegisterHolders.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace linesman::drive;

namespace linesman::tool {

namespace {

/// Pairs grow with the square: 16 processors have 120, some 30 ms each.
constexpr unsigned MostMeasured = 16;

struct Options {
  cl::SubCommand Command{"doctor", "What this machine allows"};
  NumberOption<int> Pid{
      "pid",
      cl::desc("Also: where this process's memory and threads "
               "are"),
      cl::value_desc("pid"), cl::sub(Command)};
  cl::opt<bool> Measure{
      "measure",
      cl::desc("Measure what handing a cache line from one processor to "
               "another costs"),
      cl::sub(Command)};
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

/// All that was found out.
struct Diagnosis {
  Machine Of;
  std::vector<Probe> Probes;
  std::vector<Advice> Advices;
  std::optional<ProcessMemory> Memory;
  std::vector<Transfer> Transfers;
  std::optional<ContendedWrite> Contended;
  std::vector<NodeSpeed> Speeds;
};

constexpr StringLiteral Kinds[] = {"static", "heap", "stack", "other"};

void writeMemory(const Diagnosis &Is, raw_ostream &OS) {
  OS << "\nmemory of the process, in kB by node:\n";
  OS << formatv("  {0,-10}", "");
  for (const Node &N : Is.Of.Nodes)
    OS << formatv("{0,12}", formatv("node {0}", N.Number).str());
  OS << '\n';
  for (unsigned Kind = 0; Kind != ProcessMemory::Kinds; ++Kind) {
    OS << formatv("  {0,-10}", Kinds[Kind]);
    for (uint64_t Bytes : Is.Memory->Bytes[Kind])
      OS << formatv("{0,12}", Bytes / 1024);
    OS << '\n';
  }
  OS << formatv("  {0,-10}", "threads");
  for (unsigned Threads : Is.Memory->Threads)
    OS << formatv("{0,12}", Threads);
  OS << '\n';
}

void writeTransfers(const Diagnosis &Is, raw_ostream &OS) {
  OS << "\nhanding a line over, nanoseconds:\n";
  for (const Transfer &T : Is.Transfers)
    OS << formatv("  cpu {0} to cpu {1}: {2:f0}\n", T.From, T.To,
                  T.Nanoseconds);
  if (Is.Contended)
    OS << formatv("an atomic addition: {0:f1} ns alone, {1:f1} ns while "
                  "another processor adds to the same line. One such write "
                  "in each operation caps the whole machine at about {2:f1} "
                  "million operations a second.\n",
                  Is.Contended->Alone, Is.Contended->Contended,
                  1e3 / Is.Contended->Contended);
}

void writeSpeeds(const Diagnosis &Is, raw_ostream &OS) {
  OS << "\nmemory, by node of the processors and of the memory:\n";
  for (const NodeSpeed &S : Is.Speeds)
    OS << formatv("  node {0} to node {1}: {2:f0} ns a load; {3:f1} GB/s read, "
                  "{4:f1} GB/s written by {5} threads\n",
                  S.CpuNode, S.MemoryNode, S.Latency, S.Reads / 1e9,
                  S.Writes / 1e9, S.Threads);
}

void writeText(const Diagnosis &Is, raw_ostream &OS) {
  OS << formatv("{0} processors, {1} packages, {2} last-level caches, {3} "
                "memory nodes\n",
                Is.Of.Cpus.size(), Is.Of.packages(), Is.Of.lastLevelCaches(),
                Is.Of.Nodes.size());
  for (const Advice &A : Is.Advices)
    OS << (A.Is == Advice::Warning ? "warning: " : "note: ") << A.Text << '\n';
  OS << "\nwhat works here:\n";
  for (const Probe &P : Is.Probes)
    OS << formatv("  {0,-4}{1,-18} for {2}\n", P.Works ? "yes" : "no", P.Name,
                  P.NeededFor);
  for (const Probe &P : Is.Probes)
    if (!P.Works)
      OS << "note: " << P.Name << ": " << P.Problem << '\n';
  if (Is.Memory)
    writeMemory(Is, OS);
  if (!Is.Transfers.empty())
    writeTransfers(Is, OS);
  if (!Is.Speeds.empty())
    writeSpeeds(Is, OS);
}

void writeJson(const Diagnosis &Is, raw_ostream &OS) {
  json::OStream Json(OS, 2);
  Json.object([&] {
    Json.attribute("schema", 1);
    Json.attribute("tool", "linesman");
    Json.attribute("command", "doctor");
    Json.attribute("processors", int64_t(Is.Of.Cpus.size()));
    Json.attribute("packages", int64_t(Is.Of.packages()));
    Json.attribute("last_level_caches", int64_t(Is.Of.lastLevelCaches()));
    Json.attributeArray("nodes", [&] {
      for (auto [I, N] : enumerate(Is.Of.Nodes))
        Json.object([&, I = I, &N = N] {
          Json.attribute("node", N.Number);
          Json.attribute("bytes", int64_t(N.MemoryBytes));
          Json.attributeArray("distances", [&] {
            for (int Distance : N.Distances)
              Json.value(Distance);
          });
          if (!Is.Memory)
            return;
          Json.attribute("threads", Is.Memory->Threads[I]);
          for (unsigned Kind = 0; Kind != ProcessMemory::Kinds; ++Kind)
            Json.attribute((Kinds[Kind] + "_bytes").str(),
                           int64_t(Is.Memory->Bytes[Kind][I]));
        });
    });
    Json.attributeArray("probes", [&] {
      for (const Probe &P : Is.Probes)
        Json.object([&] {
          Json.attribute("name", P.Name);
          Json.attribute("works", P.Works);
          if (!P.Works)
            Json.attribute("problem", json::fixUTF8(P.Problem));
        });
    });
    Json.attributeArray("advice", [&] {
      for (const Advice &A : Is.Advices)
        Json.object([&] {
          Json.attribute("level", A.Is == Advice::Warning ? "warning" : "fact");
          Json.attribute("text", json::fixUTF8(A.Text));
        });
    });
    Json.attributeArray("transfers", [&] {
      for (const Transfer &T : Is.Transfers)
        Json.object([&] {
          Json.attribute("from", T.From);
          Json.attribute("to", T.To);
          Json.attribute("nanoseconds", T.Nanoseconds);
        });
    });
    Json.attributeArray("node_speeds", [&] {
      for (const NodeSpeed &S : Is.Speeds)
        Json.object([&] {
          Json.attribute("cpu_node", S.CpuNode);
          Json.attribute("memory_node", S.MemoryNode);
          Json.attribute("latency_ns", S.Latency);
          Json.attribute("read_bytes_per_second", S.Reads);
          Json.attribute("write_bytes_per_second", S.Writes);
          Json.attribute("threads", S.Threads);
        });
    });
    if (Is.Contended)
      Json.attributeObject("contended_write", [&] {
        Json.attribute("alone", Is.Contended->Alone);
        Json.attribute("contended", Is.Contended->Contended);
      });
  });
  OS << '\n';
}

/// What cannot be measured is advice, not a failure.
void measure(Diagnosis &Is) {
  Expected<std::vector<Transfer>> Measured =
      measureTransfers(Is.Of, MostMeasured);
  if (!Measured) {
    Is.Advices.push_back({Advice::Warning, toString(Measured.takeError())});
    return;
  }
  Is.Transfers = std::move(*Measured);
  Expected<ContendedWrite> Cost = measureContendedWrite(Is.Transfers);
  if (Cost)
    Is.Contended = *Cost;
  else
    Is.Advices.push_back({Advice::Fact, toString(Cost.takeError())});
  Expected<std::vector<NodeSpeed>> Speeds = measureNodes(Is.Of);
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
  Expected<Machine> Read = readMachine(Opts.Root);
  if (!Read)
    return fail(Read.takeError());
  if (Error E = checkOutput(Opts.Output))
    return fail(std::move(E));
  Diagnosis Is{std::move(*Read), runProbes(), {}, {}, {}, {}, {}};
  Is.Advices = diagnose(Is.Of);
  if (Opts.Pid.getNumOccurrences()) {
    Expected<ProcessMemory> Memory = readMemory(Is.Of, Opts.Pid, Opts.Root);
    if (!Memory)
      return fail(Memory.takeError());
    append_range(Is.Advices, diagnose(Is.Of, *Memory));
    Is.Memory = std::move(*Memory);
    if (Expected<RegisterHolders> Holders =
            findRegisterHolders(Opts.Pid, Opts.Root))
      append_range(Is.Advices, diagnose(*Holders));
    else
      return fail(Holders.takeError());
  }
  if (Opts.Measure)
    measure(Is);
  Error E = writeOutput(Opts.Output, [&](raw_ostream &OS) {
    Opts.As == Format::Json ? writeJson(Is, OS) : writeText(Is, OS);
  });
  return E ? fail(std::move(E)) : Success;
}

} // namespace linesman::tool
