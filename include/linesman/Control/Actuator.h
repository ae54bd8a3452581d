// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What moves pages of a process and says where they are. There are two: before
// main the shim inside it, which can also set a policy and make pages private;
// afterwards move_pages from outside, which needs no code in it.
//
//     tool ──▶ Actuator ──┬─ ShimClient ──socket──▶ shim, before main
//                         └─ OutsideActuator ─────▶ move_pages(pid)

#ifndef LINESMAN_CONTROL_ACTUATOR_H
#define LINESMAN_CONTROL_ACTUATOR_H

#include "linesman/Control/StaticModule.h"
#include "linesman/Process/Address.h"
#include "linesman/Process/Ids.h"
#include <memory>
#include <optional>

namespace linesman::control {

enum class PageState : uint8_t {
  Private,   ///< Present and only this process's.
  File,      ///< The page cache's page; not written here yet.
  Untouched, ///< Nothing there yet.
  Zero,      ///< Only read so far: the zero page.
  Shared,    ///< With a forked process.
  Swapped,
  Unknown,
};

/// One page, as the kernel answered.
struct PagePlace {
  process::RunAddress Address;
  PageState State = PageState::Unknown;
  /// Nothing where the page is nowhere yet.
  std::optional<int> Node;
  /// After a placement: the errno why it is not where it should be, or 0.
  int Reason = 0;
};

/// Where pages shall go.
struct Placement {
  enum class Kind : uint8_t {
    Node,
    Interleave, ///< Page by page over all nodes.
    Default,    ///< The kernel's own choice from here on.
    Held,       ///< Where they are or will be first written, without balancing.
  };
  Kind Target = Kind::Node;
  int Node = 0;
};

/// Whether pages are made private and present before they are placed.
enum class Preparation : uint8_t { AsTheyAre, Prepare };

class Actuator {
public:
  virtual ~Actuator();

  virtual process::ProcessId process() const = 0;
  /// The modules as they are now: dlopen adds, dlclose removes.
  virtual llvm::Expected<std::vector<StaticModule>> modules() = 0;
  /// Every page of a range that lies inside one range of a module.
  virtual llvm::Expected<std::vector<PagePlace>>
  query(process::RunRange Range) = 0;
  /// Moves, and asks the kernel again: the result is where the pages are.
  virtual llvm::Expected<std::vector<PagePlace>>
  place(process::RunRange Range, Placement Target, Preparation Preparing) = 0;
  /// Makes the pages private and present without changing a byte.
  virtual llvm::Error prepare(process::RunRange Range) = 0;
  /// Whether there are policies and Preparation::Prepare.
  virtual bool isInside() const = 0;
};

/// "on node 1", "untouched: no page yet", ...: words for a page.
std::string describe(const PagePlace &Page);
/// Why a page did not move, in words.
std::string describeReason(const PagePlace &Page);

/// A failed system call with the errno and what to do about it, which depends
/// on the call: which flag of a container allows it, which kernel has it.
llvm::Error callError(llvm::StringRef Call, int Errno);
/// A system call that was not made, because a seccomp filter kills for it.
llvm::Error deadlyCallError(llvm::StringRef Call);

/// Nodes that have memory and that this process may use, ascending.
llvm::Expected<std::vector<int>> readNodes();

/// kernel.numa_balancing.
enum class Balancing : uint8_t { Off, On, Unknown };
Balancing readBalancing();

/// What to do with pages that other processes share by fork.
enum class SharedPages : uint8_t {
  Stay,
  Move, ///< With those processes; needs CAP_SYS_NICE, else they stay.
};

/// move_pages from outside. The pages must be written anyway; there is no
/// policy, so the kernel's NUMA balancing can move them back, unless they were
/// held before main. Does not open again what \p Known, an earlier map of the
/// process, has open.
llvm::Expected<std::unique_ptr<Actuator>>
attachFromOutside(process::ProcessId Process,
                  SharedPages Shared = SharedPages::Stay,
                  process::ModuleMap Known = {});

} // namespace linesman::control

#endif // LINESMAN_CONTROL_ACTUATOR_H
