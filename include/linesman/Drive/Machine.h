// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the kernel says of the machine: nodes, processors, caches, settings.
//
//     /sys, /proc ── readMachine ─▶ Machine ── diagnose ─▶ Advice
//     /proc/PID  ── readMemory ──▶ ProcessMemory ──┘
//
// All paths begin at a root, which is "/" but for tests: those have recorded
// trees of machines that are not there.

#ifndef LINESMAN_DRIVE_MACHINE_H
#define LINESMAN_DRIVE_MACHINE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace linesman::drive {

struct Cpu {
  int Number = 0;
  int Node = 0;
  int Package = 0;
  /// The lowest CPU that shares its last-level cache.
  int LastLevelCache = 0;
};

struct Node {
  int Number = 0;
  uint64_t MemoryBytes = 0;
  /// To each node in the order of Machine::Nodes, as the firmware has it: 10 is
  /// local.
  std::vector<int> Distances;
};

/// A network device whose interrupts go to processors of another node.
struct RemoteInterrupts {
  std::string Device;
  int Node = 0;
  /// Those of its interrupts that go elsewhere.
  std::vector<int> Interrupts;
};

struct Machine {
  std::vector<Cpu> Cpus;
  /// Not where /sys is not mounted, as in some containers: then only the
  /// numbers of the processors are known.
  bool IsTopologyKnown = true;
  std::vector<Node> Nodes;
  /// Bytes of a line of the last-level cache; 0 when it is not said.
  unsigned LineSize = 0;
  /// kernel.numa_balancing, vm.zone_reclaim_mode; nothing when the kernel has
  /// none.
  std::optional<int> Balancing, ZoneReclaim;
  /// "always", "madvise" or "never"; empty when the kernel has none.
  std::string HugePages;
  std::vector<RemoteInterrupts> Remote;

  /// Numbers of different packages, and of last-level caches.
  unsigned packages() const;
  unsigned lastLevelCaches() const;
};

/// Fails when there is no processor below \p Root, which is another one than
/// the machine's own; what else is missing is left as it is.
llvm::Expected<Machine> readMachine(llvm::StringRef Root = "/");

/// Pages of a process by kind of memory and node.
struct ProcessMemory {
  enum Kind : uint8_t { Static, Heap, Stack, Other };
  static constexpr unsigned Kinds = 4;
  /// Bytes, by kind, then by node in the order of Machine::Nodes.
  std::vector<uint64_t> Bytes[Kinds];
  /// Threads by the node of the processor that they ran on last.
  std::vector<unsigned> Threads;
};

/// Fails when there is no such process, and when its memory may not be read:
/// the message has the way out.
llvm::Expected<ProcessMemory> readMemory(const Machine &Host, int Process,
                                         llvm::StringRef Root = "/");

/// One thing to know, and what to do about it.
struct Advice {
  enum Level : uint8_t {
    Fact,    ///< How it is.
    Warning, ///< It costs, or spoils what is measured.
  };
  Level Is = Fact;
  /// One or two sentences.
  std::string Text;
};

std::vector<Advice> diagnose(const Machine &Host);
/// Of a process; nothing where there is one node.
std::vector<Advice> diagnose(const Machine &Host, const ProcessMemory &Memory);

/// "0-3,8": the numbers of a list as the kernel writes it; nothing when it is
/// none.
std::optional<llvm::SmallVector<int>> parseList(llvm::StringRef Text);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_MACHINE_H
