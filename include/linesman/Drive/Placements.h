// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SELECTOR=NODE: what `run --place` and `place` share.

#ifndef LINESMAN_DRIVE_PLACEMENTS_H
#define LINESMAN_DRIVE_PLACEMENTS_H

#include "linesman/Control/ShimClient.h"
#include "linesman/Drive/StaticPages.h"
#include "llvm/Support/raw_ostream.h"

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

/// Places, and writes a line for each request and each reason why pages did
/// not move.
llvm::Error placePages(control::Actuator &Mover, StaticPages &Pages,
                       llvm::ArrayRef<PlaceRequest> Requests,
                       control::Preparation Preparing, llvm::raw_ostream &OS);

/// liblinesman-shim.so beside this program, or what --shim says.
std::string findShim(llvm::StringRef Option);

/// Whether the kernel's NUMA balancing may move what nobody has placed.
enum class Unplaced : uint8_t { Movable, Held };

/// All that is done to a program's static pages before main: what is asked for
/// is placed, and the rest is held or prepared.
llvm::Error settlePages(control::ShimClient &Shim, StaticPages &Pages,
                        llvm::ArrayRef<PlaceRequest> Requests,
                        control::Preparation Preparing, Unplaced Others,
                        llvm::raw_ostream &OS);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_PLACEMENTS_H
