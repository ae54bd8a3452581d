// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trees of machines that are not there, written from published listings of
// lscpu and numactl --hardware.

#include "linesman/Drive/Machine.h"
#include "linesman/Drive/Examine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman::drive;

namespace {

/// A folder that is removed at the end, with files in it.
class FakeRoot {
public:
  FakeRoot() {
    EXPECT_FALSE(sys::fs::createUniqueDirectory("linesman-machine", Path));
  }
  ~FakeRoot() { sys::fs::remove_directories(Path); }

  void write(const Twine &Inside, StringRef Text) {
    SmallString<128> File(Path);
    sys::path::append(File, Inside);
    EXPECT_FALSE(sys::fs::create_directories(sys::path::parent_path(File)));
    std::error_code EC;
    raw_fd_ostream(File, EC) << Text << '\n';
    EXPECT_FALSE(EC);
  }

  /// \p Packages of \p Cpus each, with one last-level cache each.
  void writeCpus(int Packages, int Cpus, int LineSize = 64) {
    write("sys/devices/system/cpu/online",
          "0-" + std::to_string(Packages * Cpus - 1));
    for (int C = 0; C != Packages * Cpus; ++C) {
      std::string Cpu = "sys/devices/system/cpu/cpu" + std::to_string(C);
      int Package = C / Cpus, First = Package * Cpus;
      write(Cpu + "/topology/physical_package_id", std::to_string(Package));
      write(Cpu + "/cache/index0/level", "1");
      write(Cpu + "/cache/index0/shared_cpu_list", std::to_string(C));
      write(Cpu + "/cache/index3/level", "3");
      write(Cpu + "/cache/index3/shared_cpu_list",
            std::to_string(First) + "-" + std::to_string(First + Cpus - 1));
      write(Cpu + "/cache/index3/coherency_line_size",
            std::to_string(LineSize));
    }
  }

  void writeNode(int Number, StringRef Cpus, StringRef Distances,
                 StringRef Kilobytes = "1000") {
    std::string Node = "sys/devices/system/node/node" + std::to_string(Number);
    write(Node + "/cpulist", Cpus);
    write(Node + "/distance", Distances);
    write(Node + "/meminfo", ("Node " + Twine(Number) + " MemTotal:  " +
                              Kilobytes + " kB\nNode 0 MemFree: 1 kB")
                                 .str());
  }

  Machine read() {
    Expected<Machine> Result = readMachine(Path);
    EXPECT_TRUE(bool(Result));
    return Result ? std::move(*Result) : Machine();
  }

  SmallString<128> Path;
};

bool says(ArrayRef<Advice> List, Advice::Level Is, StringRef Words) {
  return any_of(List, [&](const Advice &A) {
    return A.Is == Is && StringRef(A.Text).contains(Words);
  });
}

} // namespace

TEST(Machine, WithoutSysOnlyProcessorsAreKnown) {
  FakeRoot Root;
  Root.write("proc/cpuinfo",
             "processor\t: 0\nmodel name\t: x\n\nprocessor\t: 3");
  Machine Is = Root.read();
  ASSERT_EQ(Is.Cpus.size(), 2u);
  EXPECT_EQ(Is.Cpus[1].Number, 3);
  EXPECT_FALSE(Is.IsTopologyKnown);
  std::vector<Advice> Said = diagnose(Is);
  EXPECT_TRUE(says(Said, Advice::Warning, "/sys is not mounted"));
  EXPECT_FALSE(says(Said, Advice::Warning, "NUMA is hidden"));
  EXPECT_FALSE(says(Said, Advice::Fact, "one memory node"));
}

TEST(Machine, ParsesLists) {
  EXPECT_EQ(*parseList("0-2,8\n"), (SmallVector<int>{0, 1, 2, 8}));
  EXPECT_TRUE(parseList("")->empty());
  for (StringRef Bad : {"a", "3-1", "1-", "-2", "0-99999999"})
    EXPECT_FALSE(parseList(Bad)) << Bad.str();
}

TEST(Machine, TwoSocketsTwoNodes) {
  FakeRoot Root;
  Root.writeCpus(2, 80);
  Root.writeNode(0, "0-79", "10 20", "263000000");
  Root.writeNode(1, "80-159", "20 10", "263000000");
  Root.write("proc/sys/kernel/numa_balancing", "1");
  Root.write("proc/sys/vm/zone_reclaim_mode", "1");
  Root.write("sys/kernel/mm/transparent_hugepage/enabled",
             "[always] madvise never");
  Machine M = Root.read();
  EXPECT_EQ(M.Cpus.size(), 160u);
  EXPECT_EQ(M.packages(), 2u);
  EXPECT_EQ(M.Cpus[100].Node, 1);
  EXPECT_EQ(M.Nodes[1].MemoryBytes, 263000000ull * 1024);
  std::vector<Advice> Is = diagnose(M);
  EXPECT_TRUE(says(Is, Advice::Fact, "2 memory nodes"));
  EXPECT_TRUE(says(Is, Advice::Fact, "2.0 times"));
  EXPECT_TRUE(says(Is, Advice::Warning, "numa_balancing is on"));
  EXPECT_TRUE(says(Is, Advice::Warning, "zone_reclaim_mode is 1"));
  EXPECT_TRUE(says(Is, Advice::Fact, "huge pages: always"));
}

TEST(Machine, NumaHiddenInFirmware) {
  FakeRoot Root;
  Root.writeCpus(2, 16);
  Root.writeNode(0, "0-31", "10");
  Root.write("proc/sys/kernel/numa_balancing", "1");
  std::vector<Advice> Is = diagnose(Root.read());
  EXPECT_TRUE(says(Is, Advice::Warning,
                   "2 processor packages, but one memory "
                   "node: NUMA is hidden"));
  // It has nothing to balance.
  EXPECT_FALSE(says(Is, Advice::Warning, "numa_balancing"));
}

TEST(Machine, CachesOfOnePackage) {
  FakeRoot Root;
  Root.writeCpus(4, 4);
  for (int C = 0; C != 16; ++C)
    Root.write("sys/devices/system/cpu/cpu" + Twine(C) +
                   "/topology/physical_package_id",
               "0");
  Root.writeNode(0, "0-15", "10");
  std::vector<Advice> Is = diagnose(Root.read());
  EXPECT_TRUE(says(Is, Advice::Fact, "4 last-level caches in one package"));
  EXPECT_TRUE(none_of(Is, [](const Advice &A) {
    return A.Is == Advice::Warning;
  })) << "nothing is wrong there";
}

TEST(Machine, SixteenNodesAndOneWithoutMemory) {
  FakeRoot Root;
  Root.writeCpus(2, 32, /*LineSize=*/128);
  std::string Row;
  for (int N = 0; N != 16; ++N)
    Row += N ? " 32" : "10";
  for (int N = 0; N != 16; ++N)
    Root.writeNode(N, std::to_string(4 * N) + "-" + std::to_string(4 * N + 3),
                   Row, N == 5 ? "0" : "1000");
  std::vector<Advice> Is = diagnose(Root.read());
  EXPECT_TRUE(says(Is, Advice::Fact, "16 memory nodes"));
  EXPECT_TRUE(says(Is, Advice::Warning, "node 5 has no memory"));
  EXPECT_TRUE(says(Is, Advice::Warning, "--line-size=128"));
}

TEST(Machine, InterruptsOfAnotherNode) {
  FakeRoot Root;
  Root.writeCpus(2, 4);
  Root.writeNode(0, "0-3", "10 21");
  Root.writeNode(1, "4-7", "21 10");
  Root.write("sys/class/net/eth0/device/numa_node", "1");
  for (int Interrupt : {40, 41, 42})
    Root.write("sys/class/net/eth0/device/msi_irqs/" + Twine(Interrupt), "msi");
  Root.write("proc/irq/40/effective_affinity_list", "5");
  Root.write("proc/irq/41/effective_affinity_list", "2");
  Root.write("proc/irq/42/smp_affinity_list", "0-3");
  Root.write("sys/class/net/lo/device/numa_node", "-1");
  std::vector<Advice> Is = diagnose(Root.read());
  EXPECT_TRUE(says(Is, Advice::Warning,
                   "eth0 is on node 1, but 2 of its interrupts go to "
                   "processors of other nodes (the first: 41)"));
}

TEST(Machine, MemoryOfAProcess) {
  FakeRoot Root;
  Root.writeCpus(2, 4);
  Root.writeNode(0, "0-3", "10 21");
  Root.writeNode(1, "4-7", "21 10");
  Root.write("proc/7/numa_maps",
             "00400000 default file=/bin/db mapped=9 N0=9 "
             "kernelpagesize_kB=4\n"
             "00600000 default file=/bin/db anon=3 dirty=3 N1=3 "
             "kernelpagesize_kB=4\n"
             "00700000 default heap anon=512 dirty=512 N0=1 "
             "kernelpagesize_kB=2048\n"
             "7ffc0000 default stack anon=2 dirty=2 N0=2 kernelpagesize_kB=4");
  for (int Thread : {7, 8})
    Root.write("proc/7/task/" + Twine(Thread) + "/stat",
               "7 (d b) x) S 1 7 7 0 -1 0 0 0 0 0 0 0 0 0 20 0 2 0 0 0 0 0 0 0 "
               "0 0 0 0 0 0 0 0 0 0 17 2 0 0");
  Machine M = Root.read();
  Expected<ProcessMemory> Memory = readMemory(M, 7, Root.Path);
  ASSERT_TRUE(bool(Memory));
  EXPECT_EQ(Memory->Bytes[ProcessMemory::Static][1], 3u * 4096);
  EXPECT_EQ(Memory->Bytes[ProcessMemory::Heap][0], 2048u * 1024);
  EXPECT_EQ(Memory->Bytes[ProcessMemory::Stack][0], 2u * 4096);
  EXPECT_EQ(Memory->Threads, (std::vector<unsigned>{2, 0}));
  std::vector<Advice> Is = diagnose(M, *Memory);
  EXPECT_TRUE(says(Is, Advice::Warning,
                   "static data on node 1, all threads on node 0"));
  EXPECT_EQ(Is.size(), 1u) << "the rest is where it should be";

  Expected<ProcessMemory> None = readMemory(M, 8, Root.Path);
  ASSERT_FALSE(bool(None));
  EXPECT_EQ(toString(None.takeError()), "there is no process 8");
}

TEST(Machine, WithoutProcessorsItIsNone) {
  FakeRoot Root;
  Expected<Machine> None = readMachine(Root.Path);
  ASSERT_FALSE(bool(None));
  EXPECT_TRUE(StringRef(toString(None.takeError()))
                  .contains("expected a list of processors"));
}

/// An examination of the machine below \p Root.
static Examination examinationOf(const FakeRoot &Root) {
  Examination Asked;
  Asked.Root = Root.Path.str().str();
  return Asked;
}

TEST(Examine, TellsOfTheMachineAndOfWhatThisOneAllows) {
  FakeRoot Root;
  Root.writeCpus(2, 80);
  Root.writeNode(0, "0-79", "10 20");
  Root.writeNode(1, "80-159", "20 10");
  Root.write("proc/sys/kernel/numa_balancing", "1");
  Expected<Diagnosis> Is = examine(examinationOf(Root));
  ASSERT_TRUE(bool(Is)) << toString(Is.takeError());
  EXPECT_EQ(Is->Host.Nodes.size(), 2U);
  EXPECT_FALSE(Is->Probes.empty());
  EXPECT_TRUE(says(Is->Advices, Advice::Warning, "numa_balancing"));
  EXPECT_FALSE(Is->Memory || Is->Contended);
}

TEST(Examine, FailsWithoutAMachineAProcessOrAReport) {
  FakeRoot None, Root;
  auto Problem = [](const Examination &Asked) {
    Expected<Diagnosis> Is = examine(Asked);
    return Is ? std::string() : toString(Is.takeError());
  };
  EXPECT_NE(Problem(examinationOf(None)), "");
  Root.writeCpus(1, 2);
  Examination Asked = examinationOf(Root);
  EXPECT_EQ(Problem(Asked), "");
  Asked.Process = 4711;
  EXPECT_NE(Problem(Asked).find("4711"), std::string::npos);
  Asked.Process.reset();
  Asked.Report = "/no/such/report.json";
  EXPECT_NE(Problem(Asked).find("/no/such/report.json"), std::string::npos);
}
