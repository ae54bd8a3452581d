// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who runs what. A role is a thread's entry point, main after it has started
// the first thread, or the unknown caller of what nothing known calls. Weights
// propagate along calls, so that a leaf that a hot loop calls is hot:
//
//     main --starts--> worker (many) --64--> lookup --2--> lock
//     lock is run by worker with weight 128
//
// What only runs before the first thread starts is start-up code and meets
// nobody.

#ifndef LINESMAN_LAYOUT_ROLES_H
#define LINESMAN_LAYOUT_ROLES_H

#include "linesman/Layout/CallGraph.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace linesman::layout {

enum class RoleKind : uint8_t {
  /// Before other threads exist, or after.
  StartUp,
  /// On any number of threads: all that is known without facts about calls.
  Concurrent,
  /// From a thread's entry point.
  Thread,
  /// main after the first thread has started.
  Main,
  /// Somebody calls it that is not known.
  Unknown,
  /// Nothing in a program whose threads are known has its address or is seen to
  /// call it: a plug-in may, or it is a part of a library that nobody uses. Not
  /// of machine code, which does not tell who has an address.
  Outside,
};

enum class Instances : uint8_t { One, Many };

struct Role {
  RoleKind Kind = RoleKind::Concurrent;
  Instances Count = Instances::Many;
  /// The entry function's linker name; empty for those without.
  llvm::StringRef Name;
  /// Places that start it; 0 where the user named it.
  uint32_t EntrySites = 0;
  /// Of a library's unknown caller: that what fewer Ways lead to is done often
  /// is not to be expected.
  double EnoughWays = 0;
};

/// Position in a list of roles.
using RoleIndex = uint32_t;
/// The first two of every list.
inline constexpr RoleIndex StartUpRole = 0, ConcurrentRole = 1;

/// Whether accesses of the two roles can be on different threads at one time. A
/// role can meet itself if it has several instances.
inline bool mayRunTogether(llvm::ArrayRef<Role> Roles, RoleIndex A,
                           RoleIndex B) {
  if (Roles[A].Kind == RoleKind::StartUp || Roles[B].Kind == RoleKind::StartUp)
    return false;
  return A != B || Roles[A].Count == Instances::Many;
}

/// One role's part in a function.
struct RoleShare {
  RoleIndex Role = ConcurrentRole;
  /// Entries of the function per operation of the role.
  double Weight = 1;
  /// Only what can come after this stage of the function's calls: threads start
  /// there.
  std::optional<uint32_t> After;
  /// The role reaches it by calls through pointers only, which may mean other
  /// functions, or nobody is known to call it. Of machine code only.
  bool IsGuess = false;
  /// Of a library's unknown caller: how many of its functions lead here by
  /// calls that are not rare; an estimate. Of machine code only.
  double Ways = 0;

  friend bool operator==(const RoleShare &, const RoleShare &) = default;
};
using RoleShares = llvm::SmallVector<RoleShare, 1>;

/// Of what one role does \p Weight times an operation.
inline RoleShares shareOf(RoleIndex Role, double Weight = 1) {
  return {{Role, Weight, std::nullopt}};
}

struct RoleAssignment {
  std::vector<Role> Roles;
  /// For each node of the graph; empty for code that nothing runs.
  std::vector<RoleShares> OfNode;
  /// See CallGraph.
  bool StartsClosures = false;
  /// There are functions that others may call, and no main.
  bool IsLibrary = false;
};

/// What one call, and all calls on the way to a function, multiply weights by
/// at most: LLVM's guess for one loop, and two in each other. Guesses of loops
/// multiply, and what is behind four of them is rather the rare case: in
/// memcached, without bounds, the logger's closing of a broken connection ran
/// 718234 times per operation and came before all else.
inline constexpr double MaxPerCall = 32, MaxWeight = 1024;
/// How often what sets something up, takes long or makes what lives long
/// (GraphNode::IsSetUp, IsCostly, IsLifeCycle) is done at most, whatever loops
/// lead there.
inline constexpr double SetUpWeight = 1.0 / 32;

/// Nothing when \p Graph has no facts about calls or knows no thread: then
/// everything but start-up code may be concurrent. \p Entries are functions of
/// which the user says that threads start there.
std::optional<RoleAssignment> assignRoles(CallGraph Graph,
                                          llvm::ArrayRef<NodeIndex> Entries);

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_ROLES_H
