// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SELECTOR=NODE: what `run --place` and `place` share.

#ifndef LINESMAN_DRIVE_PLACEMENTS_H
#define LINESMAN_DRIVE_PLACEMENTS_H

#include "linesman/Control/ShimClient.h"
#include "linesman/Drive/StaticPages.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

namespace linesman::drive {

struct PlaceRequest {
  std::string Selector;
  control::Placement Target;
};

/// "all=1", ".bss=interleave", "nil_root=default". Fails at the first that is
/// something else.
llvm::Expected<std::vector<PlaceRequest>>
parsePlaceRequests(llvm::ArrayRef<std::string> Texts);

/// Fails for nodes that do not exist. On a machine with one node there is
/// nowhere else to go, and that is a sentence, not a failure: those requests
/// are taken out of \p Requests, and the sentence is returned.
llvm::Expected<std::string> checkNodes(std::vector<PlaceRequest> &Requests);

/// What came of a request, in pages.
struct PlaceResult {
  std::string Selector;
  control::Placement Target;
  uint64_t There = 0;
  /// They go there when the program first writes to them: before main by a
  /// policy of their own, else by the kernel's choice.
  uint64_t Absent = 0;
  enum class Policy : uint8_t { Own, Kernels } Later = Policy::Own;
  /// By the reason.
  std::map<std::string, uint64_t> Stayed;
};

/// Where one fails, \p Results has those before it, whose pages have moved.
llvm::Error placePages(control::Actuator &Mover, StaticPages &Pages,
                       llvm::ArrayRef<PlaceRequest> Requests,
                       control::Preparation Preparing,
                       std::vector<PlaceResult> &Results);

/// A line for each request, and those of writeStayed.
void writeText(llvm::ArrayRef<PlaceResult> Results, llvm::raw_ostream &OS);
/// A line for each reason why pages of \p Result did not move, behind
/// \p Prefix.
void writeStayed(const PlaceResult &Result, llvm::StringRef Prefix,
                 llvm::raw_ostream &OS);

/// liblinesman-shim.so beside this program, or what --shim says.
std::string findShim(llvm::StringRef Option);

/// Whether the kernel's NUMA balancing may move what nobody has placed.
enum class Unplaced : uint8_t { Movable, Held };

/// All that is done to a program's static pages before main: what is asked for
/// is placed, and the rest is held or prepared.
struct Settlement {
  std::vector<PlaceRequest> Requests;
  control::Preparation Preparing = control::Preparation::AsTheyAre;
  Unplaced Others = Unplaced::Movable;
};

/// Runs a program, or a script that starts it again and again: each start is
/// settled before main, and can be watched by `linesman dirty` while this runs.
/// Pages that did not move are told to \p Notes. Returns the exit code.
llvm::Expected<int> runSettled(const control::LaunchConfig &Program,
                               const Settlement &Wanted,
                               llvm::raw_ostream &Notes);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_PLACEMENTS_H
