// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the join of pointers costs by itself: a million functions with ten uses
// of pointers each, which hand addresses on, store them in members and write
// through what they load. Prints seconds of processor time and the process's
// largest size, also into the file of LINESMAN_BENCH_ROWS (see measure.py), and
// exits 1 above their bounds.
//
//     join-cost [FUNCTIONS]
//
// With binaries that were built with the pass, the same of their compiler facts
// alone, all of them, also of functions that nothing leads to: the median of
// five joins, in milliseconds, and the time of all five. No bounds.
//
//     join-cost BINARY...

#include "linesman/Layout/PointerJoin.h"
#include "llvm/Object/ELFObjectFile.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <sys/resource.h>

using namespace linesman;
using namespace linesman::layout;
using namespace llvm;
using facts::Origin;
using facts::PointerUse;

namespace {

class Generator {
public:
  explicit Generator(uint64_t Functions) : Functions(Functions) {
    for (unsigned I = 0; I != Types; ++I)
      Names.push_back("_ZTS6Record" + std::to_string(I));
    for (uint64_t I = 0; I <= Functions / FunctionsPerFile; ++I)
      Files.push_back("source/unit" + std::to_string(I) + ".cpp");
  }

  facts::PointerFacts next() {
    facts::PointerFacts Facts;
    llvm::StringRef File = Files[Number / FunctionsPerFile];
    Facts.Function = function(Number++);
    auto Add = [&](PointerUse::UseKind Kind, Origin Source) -> PointerUse & {
      PointerUse &Use = Facts.Uses.emplace_back();
      Use.Kind = Kind;
      Use.Source = Source;
      Use.Offset = 8 * below(8);
      Use.Size = 8;
      Use.File = File;
      Use.Line = below(2000);
      return Use;
    };
    for (unsigned I = 0; I != 3; ++I)
      Add(PointerUse::Access, parameter()).Does = facts::AccessKind::Write;
    for (unsigned I = 0; I != 3; ++I) {
      PointerUse &Use =
          Add(PointerUse::Handed, below(24) ? parameter() : object());
      // Mostly to the same unit's, which do not call back.
      Use.Callee = function(below(16) ? std::min(Number + below(64), Functions)
                                      : below(Functions));
      Use.Parameter = below(3);
    }
    Add(PointerUse::Stored, below(8) ? parameter() : object()).Destination =
        member();
    Add(PointerUse::Access, member()).Does = facts::AccessKind::Write;
    Origin Returned;
    Returned.Kind = Origin::Result;
    Returned.Function = function(below(Functions));
    Add(PointerUse::Access, Returned);
    Add(PointerUse::Returned, below(8) ? parameter() : object());
    return Facts;
  }

private:
  static constexpr unsigned Types = 20000, Objects = 100000,
                            FunctionsPerFile = 50;
  const uint64_t Functions;
  uint64_t Number = 0;
  std::mt19937_64 Random{1};
  std::vector<std::string> Names, Files;

  uint64_t below(uint64_t Bound) { return Random() % Bound; }
  static facts::FunctionRef function(uint64_t Index) {
    return {facts::FunctionRef::Address, 0x100000 + Index * 64};
  }
  Origin parameter() {
    Origin Source;
    Source.Kind = Origin::Parameter;
    Source.Value = below(3);
    return Source;
  }
  Origin object() {
    Origin Source;
    Source.Kind = Origin::Object;
    Source.Value = 0x10000000 + below(Objects) * 64;
    return Source;
  }
  Origin member() {
    Origin Source;
    Source.Kind = Origin::Field;
    Source.Record = Names[below(Types)];
    Source.Offset = 8 * below(8);
    return Source;
  }
};

double secondsOfProcess() {
  rusage Usage;
  getrusage(RUSAGE_SELF, &Usage);
  return double(Usage.ru_utime.tv_sec) + double(Usage.ru_utime.tv_usec) / 1e6 +
         double(Usage.ru_stime.tv_sec) + double(Usage.ru_stime.tv_usec) / 1e6;
}

/// For ten million uses.
constexpr double MostSeconds = 10, MostSize = 4;

/// False if it cannot be written.
bool writeRow(uint64_t Uses, const char *Name, const char *Unit, double Value,
              double Bound) {
  const char *Path = std::getenv("LINESMAN_BENCH_ROWS");
  if (!Path)
    return true;
  std::FILE *Rows = std::fopen(Path, "a");
  if (!Rows)
    return false;
  double Share = Value / Bound;
  std::fprintf(Rows,
               "{\"bench\": \"join-cost\", \"case\": \"%llu uses of "
               "pointers\", \"measured\": \"%s %.2f %s\", \"peer\": "
               "\"wanted %.0f %s\", \"median\": %.4f, \"low\": %.4f, "
               "\"high\": %.4f, \"bound\": 1}\n",
               (unsigned long long)Uses, Name, Value, Unit, Bound, Unit, Share,
               Share, Share);
  return std::fclose(Rows) == 0;
}

/// Compiler facts of a binary, without the rest of what the report reads.
struct BinaryFacts {
  object::OwningBinary<object::ObjectFile> File;
  FunctionsByName Named;
  std::vector<facts::Calls> Calls;
  std::vector<facts::PointerFacts> Pointers;
};

Expected<BinaryFacts> readBinaryFacts(StringRef Path) {
  auto File = object::ObjectFile::createObjectFile(Path);
  if (!File)
    return File.takeError();
  BinaryFacts Result;
  Result.File = std::move(*File);
  const object::ObjectFile &Elf = *Result.File.getBinary();
  StringRef Section, Strings;
  for (const object::SectionRef &S : Elf.sections()) {
    Expected<StringRef> Name = S.getName(), Bytes = S.getContents();
    if (!Name || !Bytes)
      return joinErrors(Name.takeError(), Bytes.takeError());
    if (*Name == facts::SectionName)
      Section = *Bytes;
    else if (*Name == facts::StringSectionName)
      Strings = *Bytes;
  }
  DenseSet<uint64_t> Wanted;
  if (Error E = facts::visitNames(Section,
                                  [&](uint64_t Hash) { Wanted.insert(Hash); }))
    return std::move(E);
  for (const object::SymbolRef &S : Elf.symbols()) {
    Expected<StringRef> Name = S.getName();
    Expected<uint64_t> Address = S.getAddress();
    if (!Name || !Address)
      return joinErrors(Name.takeError(), Address.takeError());
    if (uint64_t Hash = facts::hashName(*Name);
        *Address && Wanted.contains(Hash))
      Result.Named.try_emplace(
          Hash, FunctionSymbol{LinkAddress{*Address}, Name->data()});
  }
  Expected<facts::DecodeCounts> Counts = facts::decodeFacts(
      Section, Strings, [](const facts::Fact &) {},
      [&](const facts::Calls &C) { Result.Calls.push_back(C); }, nullptr,
      [&](const facts::PointerFacts &P) { Result.Pointers.push_back(P); });
  if (!Counts)
    return Counts.takeError();
  return Result;
}

int measureBinary(const char *Path) {
  Expected<BinaryFacts> Facts = readBinaryFacts(Path);
  if (!Facts) {
    std::fprintf(stderr, "%s: %s\n", Path, toString(Facts.takeError()).c_str());
    return 1;
  }
  if (Facts->Pointers.empty()) {
    std::fprintf(stderr, "%s: no compiler facts about pointers\n", Path);
    return 1;
  }
  uint64_t Uses = 0, Found = 0;
  for (const facts::PointerFacts &P : Facts->Pointers)
    Uses += P.Uses.size();
  std::vector<double> Times;
  for (unsigned Round = 0; Round != 5; ++Round) {
    CallGraphBuilder Graph;
    Graph.define(Facts->Named);
    for (const facts::Calls &C : Facts->Calls)
      Graph.add(C);
    PointerJoin Join;
    double Begin = secondsOfProcess();
    for (const facts::PointerFacts &P : Facts->Pointers)
      Join.add(P, Graph);
    Times.push_back(secondsOfProcess() - Begin);
    // The report needs it without a join, too.
    CallGraph Calls = std::move(Graph).finish();
    Found = 0;
    Begin = secondsOfProcess();
    std::move(Join).join(
        Calls, [&](const facts::Fact &Fact) { Found += Fact.Accesses.size(); });
    Times.back() += secondsOfProcess() - Begin;
  }
  llvm::sort(Times);
  std::printf("%s: %zu functions, %llu uses, %llu accesses: %.2f ms (%.2f to "
              "%.2f)\n",
              Path, Facts->Pointers.size(), (unsigned long long)Uses,
              (unsigned long long)Found, Times[2] * 1e3, Times.front() * 1e3,
              Times.back() * 1e3);
  return 0;
}

} // namespace

int main(int Count, char **Words) {
  uint64_t Functions = 1000000;
  if (Count > 1 && StringRef(Words[1]).getAsInteger(10, Functions)) {
    int Status = 0;
    for (const char *Path : ArrayRef(Words + 1, Count - 1))
      Status |= measureBinary(Path);
    return Status;
  }
  Generator Programs(Functions);
  // What making the facts costs is not the join's.
  double Made = 0, Begin = secondsOfProcess();
  CallGraphBuilder Graph;
  PointerJoin Join;
  uint64_t Uses = 0, Found = 0;
  // Asking the time for each function would cost more than the join.
  constexpr uint64_t BlockSize = 1000;
  std::vector<facts::PointerFacts> Block;
  for (uint64_t I = 0; I < Functions; I += BlockSize) {
    double Before = secondsOfProcess();
    Block.clear();
    for (uint64_t J = I; J != std::min(I + BlockSize, Functions); ++J)
      Block.push_back(Programs.next());
    Made += secondsOfProcess() - Before;
    for (const facts::PointerFacts &Facts : Block) {
      Uses += Facts.Uses.size();
      Join.add(Facts, Graph);
    }
  }
  CallGraph Calls = std::move(Graph).finish();
  std::move(Join).join(
      Calls, [&](const facts::Fact &Fact) { Found += Fact.Accesses.size(); });
  double Seconds = secondsOfProcess() - Begin - Made;
  rusage Usage;
  getrusage(RUSAGE_SELF, &Usage);
  double Size = double(Usage.ru_maxrss) / (1 << 20);
  std::printf("%llu uses, %llu accesses: %.2f s (bound %.0f), %.2f GiB (bound "
              "%.0f)\n",
              (unsigned long long)Uses, (unsigned long long)Found, Seconds,
              MostSeconds, Size, MostSize);
  if (!writeRow(Uses, "processor time", "s", Seconds, MostSeconds) ||
      !writeRow(Uses, "memory", "GiB", Size, MostSize))
    return 1;
  return Seconds > MostSeconds || Size > MostSize;
}
