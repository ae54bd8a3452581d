// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads /sys and /proc, below a root.

#include "linesman/Drive/Machine.h"
#include "linesman/Layout/Address.h"
#include "linesman/Process/ProcFiles.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <map>
#include <sched.h>
#include <set>

using namespace llvm;

namespace linesman::drive {

namespace {

/// Files below a root.
class Tree {
public:
  explicit Tree(StringRef Root) : Root(Root) {}

  std::string path(const Twine &Inside) const {
    SmallString<128> Path(Root);
    sys::path::append(Path, Inside);
    return std::string(Path);
  }

  /// Without the white space at its ends; nothing when it cannot be read.
  std::optional<std::string> read(const Twine &Inside) const {
    auto File = MemoryBuffer::getFileAsStream(path(Inside));
    if (!File)
      return std::nullopt;
    return (*File)->getBuffer().trim().str();
  }

  std::optional<int> readNumber(const Twine &Inside) const {
    std::optional<std::string> Text = read(Inside);
    int Number;
    if (!Text || !to_integer(*Text, Number))
      return std::nullopt;
    return Number;
  }

  /// Names in a folder, sorted.
  std::vector<std::string> list(const Twine &Inside) const {
    std::vector<std::string> Names;
    std::error_code EC;
    for (sys::fs::directory_iterator It(path(Inside), EC), End;
         It != End && !EC; It.increment(EC))
      Names.push_back(sys::path::filename(It->path()).str());
    llvm::sort(Names);
    return Names;
  }

  /// Numbers N of the names PREFIXN in a folder, ascending.
  std::vector<int> listNumbers(const Twine &Inside, StringRef Prefix) const {
    std::vector<int> Numbers;
    for (StringRef Name : list(Inside)) {
      int Number;
      if (Name.consume_front(Prefix) && !Name.getAsInteger(10, Number))
        Numbers.push_back(Number);
    }
    llvm::sort(Numbers);
    return Numbers;
  }

private:
  StringRef Root;
};

constexpr StringLiteral CpuFolder = "sys/devices/system/cpu";
constexpr StringLiteral NodeFolder = "sys/devices/system/node";

/// The cache of the highest level: its lowest CPU and its line.
void readLastLevel(const Tree &Files, Cpu &Processor, unsigned &LineSize) {
  std::string Caches =
      (CpuFolder + "/cpu" + Twine(Processor.Number) + "/cache").str();
  int Highest = 0;
  for (int Index : Files.listNumbers(Caches, "index")) {
    std::string Cache = Caches + "/index" + std::to_string(Index);
    int Level = Files.readNumber(Cache + "/level").value_or(0);
    auto Shared = Files.read(Cache + "/shared_cpu_list");
    if (Level <= Highest || !Shared)
      continue;
    Highest = Level;
    if (auto Sharing = parseList(*Shared); Sharing && !Sharing->empty())
      Processor.LastLevelCache = *min_element(*Sharing);
    LineSize =
        Files.readNumber(Cache + "/coherency_line_size").value_or(LineSize);
  }
}

void readMemoryNodes(const Tree &Files, Machine &Result) {
  std::map<int, int> NodeOfCpu;
  for (int Number : Files.listNumbers(NodeFolder, "node")) {
    std::string Folder = (NodeFolder + "/node" + Twine(Number)).str();
    Node N;
    N.Number = Number;
    // "Node 0 MemTotal:       24580064 kB"
    SmallVector<StringRef> Words;
    std::string Memory = Files.read(Folder + "/meminfo").value_or("");
    StringRef(Memory).split('\n').first.split(Words, ' ', -1, false);
    uint64_t Kilobytes;
    if (Words.size() > 3 && to_integer(Words[3], Kilobytes))
      N.MemoryBytes = Kilobytes * 1024;
    std::string Distances = Files.read(Folder + "/distance").value_or("");
    SmallVector<StringRef> Numbers;
    StringRef(Distances).split(Numbers, ' ', -1, false);
    for (StringRef Text : Numbers)
      if (int Distance; to_integer(Text, Distance))
        N.Distances.push_back(Distance);
    if (auto Cpus = parseList(Files.read(Folder + "/cpulist").value_or("")))
      for (int C : *Cpus)
        NodeOfCpu[C] = Number;
    Result.Nodes.push_back(std::move(N));
  }
  for (Cpu &C : Result.Cpus)
    if (auto It = NodeOfCpu.find(C.Number); It != NodeOfCpu.end())
      C.Node = It->second;
  // A kernel without NUMA has no such folder.
  if (Result.Nodes.empty())
    Result.Nodes.push_back({0, 0, {10}});
}

/// Devices with a node of their own whose interrupts other nodes take.
void readInterrupts(const Tree &Files, Machine &Result) {
  std::map<int, int> NodeOfCpu;
  for (const Cpu &C : Result.Cpus)
    NodeOfCpu[C.Number] = C.Node;
  for (const std::string &Device : Files.list("sys/class/net")) {
    std::string Folder = "sys/class/net/" + Device + "/device";
    std::optional<int> Node = Files.readNumber(Folder + "/numa_node");
    if (!Node || *Node < 0)
      continue;
    RemoteInterrupts Remote{Device, *Node, {}};
    for (int Interrupt : Files.listNumbers(Folder + "/msi_irqs", "")) {
      std::string Name = "proc/irq/" + std::to_string(Interrupt);
      auto List = Files.read(Name + "/effective_affinity_list");
      if (!List || List->empty())
        List = Files.read(Name + "/smp_affinity_list");
      auto Cpus = parseList(List.value_or(""));
      if (Cpus && !Cpus->empty() && none_of(*Cpus, [&](int C) {
            auto It = NodeOfCpu.find(C);
            return It != NodeOfCpu.end() && It->second == *Node;
          }))
        Remote.Interrupts.push_back(Interrupt);
    }
    if (!Remote.Interrupts.empty())
      Result.Remote.push_back(std::move(Remote));
  }
}

/// "always [madvise] never": the one in brackets.
std::string chosen(StringRef Text) {
  return Text.split('[').second.split(']').first.str();
}

template <typename Function>
unsigned countDifferent(ArrayRef<Cpu> Cpus, Function Code) {
  std::set<int> Seen;
  for (const Cpu &C : Cpus)
    Seen.insert(Code(C));
  return Seen.size();
}

/// Which kind a line of numa_maps is about.
ProcessMemory::Kind kindOf(StringRef Line) {
  if (Line.contains(" heap"))
    return ProcessMemory::Heap;
  if (Line.contains(" stack"))
    return ProcessMemory::Stack;
  // Private pages of a file that have been written are .data; of .bss the
  // kernel says nothing, so that what is anonymous right behind is not told.
  if (Line.contains(" file=") && Line.contains(" anon="))
    return ProcessMemory::Static;
  return ProcessMemory::Other;
}

} // namespace

std::optional<SmallVector<int>> parseList(StringRef Text) {
  SmallVector<int> Numbers;
  SmallVector<StringRef> Parts;
  Text.trim().split(Parts, ',', -1, false);
  constexpr int Most = 1 << 16;
  for (StringRef Part : Parts) {
    bool IsRange = Part.contains('-');
    auto [First, Last] = Part.split('-');
    int Begin, End;
    if (First.getAsInteger(10, Begin) ||
        (IsRange ? Last : First).getAsInteger(10, End) || Begin < 0 ||
        End < Begin || End - Begin > Most)
      return std::nullopt;
    for (int I = Begin; I <= End; ++I)
      Numbers.push_back(I);
  }
  return Numbers;
}

unsigned Machine::packages() const {
  return countDifferent(Cpus, [](const Cpu &C) { return C.Package; });
}

unsigned Machine::lastLevelCaches() const {
  return countDifferent(Cpus, [](const Cpu &C) { return C.LastLevelCache; });
}

/// Without /sys: "processor : 0" of /proc/cpuinfo, and without that, of this
/// machine, those that this process may use.
static SmallVector<int> readProcessors(const Tree &Files, StringRef Root) {
  SmallVector<int> Numbers;
  std::string Said = Files.read("proc/cpuinfo").value_or("");
  SmallVector<StringRef> Lines;
  StringRef(Said).split(Lines, '\n');
  for (StringRef Line : Lines) {
    auto [Key, Value] = Line.split(':');
    if (int Number;
        Key.trim() == "processor" && to_integer(Value.trim(), Number))
      Numbers.push_back(Number);
  }
  cpu_set_t Allowed;
  CPU_ZERO(&Allowed);
  if (Numbers.empty() && Root == "/" &&
      ::sched_getaffinity(0, sizeof Allowed, &Allowed) == 0)
    for (int Number = 0; Number != CPU_SETSIZE; ++Number)
      if (CPU_ISSET(Number, &Allowed))
        Numbers.push_back(Number);
  return Numbers;
}

Expected<Machine> readMachine(StringRef Root) {
  Tree Files(Root);
  Machine Result;
  auto Online = parseList(Files.read(CpuFolder + "/online").value_or(""));
  if (!Online || Online->empty()) {
    Online = readProcessors(Files, Root);
    Result.IsTopologyKnown = false;
  }
  if (Online->empty())
    return createStringError(
        "'" + Files.path(CpuFolder + "/online") +
        "': expected a list of processors; is /sys mounted?");
  for (int Number : *Online) {
    Cpu C;
    C.Number = C.LastLevelCache = Number;
    C.Package = Files
                    .readNumber(CpuFolder + "/cpu" + Twine(Number) +
                                "/topology/physical_package_id")
                    .value_or(0);
    if (Result.IsTopologyKnown)
      readLastLevel(Files, C, Result.LineSize);
    else
      C.LastLevelCache = 0;
    Result.Cpus.push_back(C);
  }
  readMemoryNodes(Files, Result);
  Result.Balancing = Files.readNumber("proc/sys/kernel/numa_balancing");
  Result.ZoneReclaim = Files.readNumber("proc/sys/vm/zone_reclaim_mode");
  Result.HugePages = chosen(
      Files.read("sys/kernel/mm/transparent_hugepage/enabled").value_or(""));
  readInterrupts(Files, Result);
  return std::move(Result);
}

Expected<ProcessMemory> readMemory(const Machine &Host, int Process,
                                   StringRef Root) {
  Tree Files(Root);
  std::string Folder = "proc/" + std::to_string(Process);
  if (!sys::fs::is_directory(Files.path(Folder)))
    return createStringError("there is no process " + Twine(Process));
  auto File =
      MemoryBuffer::getFileAsStream(Files.path(Twine(Folder) + "/numa_maps"));
  if (!File)
    return createStringError(
        "the memory of process " + Twine(Process) +
        " cannot be read: " + File.getError().message() +
        "; it belongs to another user or is not dumpable: run linesman as "
        "root");
  std::map<int, unsigned> PlaceOfNode, NodeOfCpu;
  for (auto [I, N] : enumerate(Host.Nodes))
    PlaceOfNode[N.Number] = I;
  for (const Cpu &C : Host.Cpus)
    NodeOfCpu[C.Number] = PlaceOfNode[C.Node];

  ProcessMemory Result;
  for (auto &Bytes : Result.Bytes)
    Bytes.resize(Host.Nodes.size());
  Result.Threads.resize(Host.Nodes.size());
  SmallVector<StringRef> Lines;
  (*File)->getBuffer().split(Lines, '\n', -1, false);
  for (StringRef Line : Lines) {
    uint64_t PageBytes = layout::PageSize().Bytes, Kilobytes;
    SmallVector<StringRef> Words;
    Line.split(Words, ' ', -1, false);
    for (StringRef Word : Words)
      if (Word.consume_front("kernelpagesize_kB=") &&
          to_integer(Word, Kilobytes))
        PageBytes = Kilobytes * 1024;
    for (StringRef Word : Words) {
      // "N1=17": 17 pages are on node 1.
      auto [Name, Count] = Word.split('=');
      int Node;
      uint64_t Pages;
      if (!Name.consume_front("N") || Name.getAsInteger(10, Node) ||
          Count.getAsInteger(10, Pages) || !PlaceOfNode.count(Node))
        continue;
      Result.Bytes[kindOf(Line)][PlaceOfNode[Node]] += Pages * PageBytes;
    }
  }
  for (int Thread : Files.listNumbers(Folder + "/task", "")) {
    // "1 (name) S ...": the processor is the 37th field behind the name.
    std::string Text =
        Files.read(Folder + "/task/" + Twine(Thread) + "/stat").value_or("");
    SmallVector<StringRef> Fields = process::statFields(Text);
    constexpr unsigned Processor = 36;
    int C;
    if (Fields.size() > Processor && to_integer(Fields[Processor], C) &&
        NodeOfCpu.count(C))
      ++Result.Threads[NodeOfCpu[C]];
  }
  return std::move(Result);
}

} // namespace linesman::drive
