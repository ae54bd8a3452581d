// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each pair of nodes has a buffer larger than the last-level cache. All pairs
// are measured in turn, several times, and the medians count: so what else the
// machine does meets all of them. Bandwidth is the sum over threads that run at
// the same time, each by its own median.

#include "linesman/Drive/NodeSpeeds.h"
#include "Clock.h"
#include "linesman/Bisect/Statistics.h"
#include "linesman/Layout/Address.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FormatVariadic.h"
#include <atomic>
#include <cerrno>
#include <linux/mempolicy.h>
#include <numeric>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

using namespace llvm;

namespace linesman::drive {

namespace {

constexpr size_t LineBytes = layout::LineSize().Bytes, BufferBytes = size_t(128)
                                                                     << 20;
constexpr unsigned Passes = 5, MostThreads = 8;
/// Stretches of some 100 microseconds: shorter than a scheduler's slice, so
/// that one in which the thread had no processor is far off the median.
constexpr size_t LoadsOfStretch = 1000, LoadStretches = 50;
constexpr size_t StretchLines = 8192;

/// Memory on one node.
class Buffer {
public:
  static Expected<Buffer> make(int Node, bool IsBound) {
    void *Address = ::mmap(nullptr, BufferBytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (Address == MAP_FAILED)
      return createStringError("mmap: " + sys::StrError());
    Buffer Result(Address);
    // Where the kernel gives none, walks of page tables are in the latency.
    ::madvise(Address, BufferBytes, MADV_HUGEPAGE);
    std::vector<unsigned long> Nodes(Node / 64 + 1);
    Nodes[Node / 64] = 1ul << (Node % 64);
    // The kernel takes one bit fewer than it is told.
    if (IsBound && ::syscall(SYS_mbind, Address, BufferBytes, MPOL_BIND,
                             Nodes.data(), 64 * Nodes.size() + 1, 0) != 0)
      return createStringError(
          "memory cannot be bound to a node here (mbind: " + sys::StrError() +
          "); in a container, --cap-add=SYS_NICE allows "
          "it");
    Result.chain();
    return std::move(Result);
  }
  Buffer(Buffer &&Other) : Lines(std::exchange(Other.Lines, nullptr)) {}
  ~Buffer() {
    if (Lines)
      ::munmap(Lines, BufferBytes);
  }

  struct alignas(LineBytes) Line {
    const Line *Next;
    uint64_t Value;
  };
  static constexpr size_t Count = BufferBytes / LineBytes;
  Line *Lines;

private:
  explicit Buffer(void *Address) : Lines(static_cast<Line *>(Address)) {}

  /// One ring through all lines, in an order that no prefetcher follows
  /// (Sattolo's shuffle).
  void chain() {
    std::vector<uint32_t> Order(Count);
    std::iota(Order.begin(), Order.end(), 0);
    uint64_t State = 1;
    for (size_t I = Count - 1; I; --I) {
      State = State * UINT64_C(6364136223846793005) + 1442695040888963407;
      std::swap(Order[I], Order[(State >> 33) % I]);
    }
    for (size_t I = 0; I != Count; ++I)
      Lines[Order[I]].Next = &Lines[Order[(I + 1) % Count]];
  }
};

/// Runs \p Work on \p Cpus, a pinned thread each, all at once; it gets the
/// number of its thread.
Error runOn(ArrayRef<int> Cpus, function_ref<void(size_t Thread)> Work) {
  std::atomic<size_t> Ready{0};
  std::atomic<bool> Failed{false};
  std::vector<std::thread> Threads;
  for (size_t I = 0; I != Cpus.size(); ++I)
    Threads.emplace_back([&, I] {
      cpu_set_t Set;
      CPU_ZERO(&Set);
      CPU_SET(Cpus[I], &Set);
      if (::sched_setaffinity(0, sizeof Set, &Set) != 0)
        Failed = true;
      ++Ready;
      while (Ready != Cpus.size())
        std::this_thread::yield();
      if (!Failed)
        Work(I);
    });
  for (std::thread &T : Threads)
    T.join();
  if (Failed)
    return createStringError("threads cannot be pinned to processors here "
                             "(sched_setaffinity)");
  return Error::success();
}

/// Something that the compiler must work out.
void use(uint64_t Value) { asm volatile("" : : "r"(Value) : "memory"); }

/// Seconds of one pass: of a load, and of a line that is read or written by
/// each thread.
struct StretchTimes {
  std::vector<double> Load;
  std::vector<std::vector<double>> Read, Write;
};

/// Calls \p Work for stretches of lines that a thread's part has, and adds
/// seconds a line.
void timeStretches(size_t Thread, size_t Threads, std::vector<double> &Into,
                   function_ref<void(size_t First)> Work) {
  const size_t Part = Buffer::Count / Threads / StretchLines * StretchLines;
  for (size_t I = Thread * Part; I != (Thread + 1) * Part; I += StretchLines) {
    Clock::time_point Begin = Clock::now();
    Work(I);
    Into.push_back(secondsSince(Begin) / StretchLines);
  }
}

Error measurePass(ArrayRef<int> Cpus, Buffer &Memory, unsigned Pass,
                  StretchTimes &Into) {
  Error E = runOn(Cpus.front(), [&](size_t) {
    // Another place of the ring each time: the last one's lines are cached.
    const Buffer::Line *Found = &Memory.Lines[Pass * (Buffer::Count / Passes)];
    for (size_t Stretch = 0; Stretch != LoadStretches; ++Stretch) {
      Clock::time_point Begin = Clock::now();
      for (size_t I = 0; I != LoadsOfStretch; ++I)
        Found = Found->Next;
      use(reinterpret_cast<uintptr_t>(Found));
      Into.Load.push_back(secondsSince(Begin) / LoadsOfStretch);
    }
  });
  if (E)
    return E;
  Into.Read.resize(Cpus.size());
  Into.Write.resize(Cpus.size());
  E = runOn(Cpus, [&](size_t Thread) {
    timeStretches(Thread, Cpus.size(), Into.Read[Thread], [&](size_t First) {
      uint64_t Sum = 0;
      for (size_t I = First; I != First + StretchLines; ++I)
        Sum += Memory.Lines[I].Value;
      use(Sum);
    });
  });
  if (E)
    return E;
  return runOn(Cpus, [&](size_t Thread) {
    timeStretches(Thread, Cpus.size(), Into.Write[Thread], [&](size_t First) {
      for (size_t I = First; I != First + StretchLines; ++I)
        Memory.Lines[I].Value = I;
      use(Memory.Lines[First].Value);
    });
  });
}

/// Of all threads together.
double bytesPerSecond(std::vector<std::vector<double>> &SecondsPerLine) {
  double Sum = 0;
  for (std::vector<double> &Thread : SecondsPerLine)
    Sum += LineBytes / bisect::median(std::move(Thread));
  return Sum;
}

std::vector<int> cpusOf(const Machine &Host, int Node) {
  cpu_set_t Allowed;
  CPU_ZERO(&Allowed);
  ::sched_getaffinity(0, sizeof Allowed, &Allowed);
  std::vector<int> Cpus;
  for (const Cpu &C : Host.Cpus)
    if (C.Node == Node && CPU_ISSET(C.Number, &Allowed) &&
        Cpus.size() < MostThreads)
      Cpus.push_back(C.Number);
  return Cpus;
}

} // namespace

Expected<std::vector<NodeSpeed>> measureNodes(const Machine &Host) {
  std::vector<NodeSpeed> Result;
  for (const Node &Memory : Host.Nodes) {
    if (!Memory.MemoryBytes)
      continue;
    Expected<Buffer> Storage =
        Buffer::make(Memory.Number, Host.Nodes.size() > 1);
    if (!Storage)
      return Storage.takeError();
    std::vector<std::pair<std::vector<int>, StretchTimes>> Turns;
    for (const Node &Source : Host.Nodes)
      if (std::vector<int> Cpus = cpusOf(Host, Source.Number); !Cpus.empty()) {
        Result.push_back(
            {Source.Number, Memory.Number, 0, 0, 0, unsigned(Cpus.size())});
        Turns.push_back({std::move(Cpus), {}});
      }
    for (unsigned Pass = 0; Pass != Passes; ++Pass)
      for (auto &[Cpus, Into] : Turns)
        if (Error E = measurePass(Cpus, *Storage, Pass, Into))
          return std::move(E);
    for (size_t I = 0; I != Turns.size(); ++I) {
      NodeSpeed &Is = Result[Result.size() - Turns.size() + I];
      StretchTimes &Found = Turns[I].second;
      Is.Latency = bisect::median(std::move(Found.Load)) * 1e9;
      Is.Reads = bytesPerSecond(Found.Read);
      Is.Writes = bytesPerSecond(Found.Write);
    }
  }
  return std::move(Result);
}

std::vector<Advice> diagnose(ArrayRef<NodeSpeed> Speeds) {
  std::vector<Advice> Result;
  for (const NodeSpeed &Remote : Speeds) {
    auto Local = find_if(Speeds, [&](const NodeSpeed &S) {
      return S.CpuNode == Remote.CpuNode && S.MemoryNode == Remote.CpuNode;
    });
    if (Local == Speeds.end() || Remote.MemoryNode == Remote.CpuNode ||
        Local->Latency <= 0 || Remote.Reads <= 0)
      continue;
    // With as many loads under way, bandwidth falls as latency grows: on
    // Haswell with home snoop by 1.8 where latency grows by 1.5, with early
    // snoop by more than 7.
    double Slower = Remote.Latency / Local->Latency;
    double Narrower = Local->Reads / Remote.Reads;
    if (Narrower > 2 * std::max(1.0, Slower))
      Result.push_back(
          {Advice::Warning,
           formatv("node {0} reads memory of node {1} with {2:f1} GB/s, its "
                   "own with {3:f1}: {4:f1} times less, where latency is only "
                   "{5:f1} times longer. The link between the sockets or the "
                   "snoop mode is in the way: try home snoop or cluster on die "
                   "in the firmware (early snoop is known for this).",
                   Remote.CpuNode, Remote.MemoryNode, Remote.Reads / 1e9,
                   Local->Reads / 1e9, Narrower, Slower)});
  }
  return Result;
}

} // namespace linesman::drive
