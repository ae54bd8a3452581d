// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table and a list for each question.

#include "linesman/Drive/DoctorReport.h"
#include "linesman/Guard/Head.h"
#include "linesman/Report/Document.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace linesman::drive {

using report::plural;

namespace {

constexpr StringLiteral Kinds[] = {"static", "heap", "stack", "other"};

void writeMemory(const Diagnosis &Is, raw_ostream &OS) {
  OS << "\nmemory of the process, in kB by node:\n";
  OS << formatv("  {0,-10}", "");
  for (const Node &N : Is.Host.Nodes)
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
    OS << formatv("  cpu {0} to cpu {1}: {2:f0}\n", T.Sender, T.Receiver,
                  T.Nanoseconds);
  if (const auto &Cost = Is.Contended)
    OS << formatv("an atomic addition: {0:f1} ns alone ({1:f0} cycles of "
                  "{2:f2} ns), {3:f1} ns ({4:f0} cycles) while another "
                  "processor adds to the same line. One such write in each "
                  "operation caps the whole machine at about {5:f1} million "
                  "operations a second.\n",
                  Cost->Alone, Cost->Alone / Cost->Cycle, Cost->Cycle,
                  Cost->Contended, Cost->Contended / Cost->Cycle,
                  1e3 / Cost->Contended);
  if (!Is.Ceilings.empty())
    OS << "\nwhat the writes of a finding cap, if all threads come to one "
          "line:\n";
  for (const WriteCeiling &C : Is.Ceilings)
    OS << formatv(
        "  {0}: {1} writes an operation, at most {2} million operations a "
        "second of all processors together\n",
        C.Id, report::number(C.Writes), report::number(C.Operations * 1e-6));
}

void writeSpeeds(const Diagnosis &Is, raw_ostream &OS) {
  OS << "\nmemory, by node of the processors and of the memory:\n";
  for (const NodeSpeed &S : Is.Speeds)
    OS << formatv("  node {0} to node {1}: {2:f0} ns a load; {3:f1} GB/s read, "
                  "{4:f1} GB/s written by {5}\n",
                  S.CpuNode, S.MemoryNode, S.Latency, S.Reads / 1e9,
                  S.Writes / 1e9, plural(S.Threads, "thread"));
}

} // namespace

void writeText(const Diagnosis &Is, raw_ostream &OS) {
  if (Is.Host.IsTopologyKnown)
    OS << formatv("{0}, {1}, {2}, {3}\n",
                  plural(Is.Host.Cpus.size(), "processor"),
                  plural(Is.Host.packages(), "package"),
                  plural(Is.Host.lastLevelCaches(), "last-level cache"),
                  plural(Is.Host.Nodes.size(), "memory node"));
  else
    OS << plural(Is.Host.Cpus.size(), "processor") << '\n';
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
    guard::writeHead("doctor", Json);
    Json.attribute("processors", int64_t(Is.Host.Cpus.size()));
    if (Is.Host.IsTopologyKnown) {
      Json.attribute("packages", int64_t(Is.Host.packages()));
      Json.attribute("last_level_caches", int64_t(Is.Host.lastLevelCaches()));
    }
    Json.attributeArray("nodes", [&] {
      for (auto [I, N] : enumerate(Is.Host.Nodes))
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
          Json.attribute("from", T.Sender);
          Json.attribute("to", T.Receiver);
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
        Json.attribute("cycle", Is.Contended->Cycle);
      });
    if (!Is.Ceilings.empty())
      Json.attributeArray("ceilings", [&] {
        for (const WriteCeiling &C : Is.Ceilings)
          Json.object([&] {
            Json.attribute("id", json::fixUTF8(C.Id));
            Json.attribute("writes", C.Writes);
            Json.attribute("operations_per_second", C.Operations);
          });
      });
  });
  OS << '\n';
}

} // namespace linesman::drive
