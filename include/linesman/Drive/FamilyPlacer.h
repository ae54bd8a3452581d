// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places the windows of a live search in a process and in all that it has
// forked, and puts everything back at the end.

#ifndef LINESMAN_DRIVE_FAMILYPLACER_H
#define LINESMAN_DRIVE_FAMILYPLACER_H

#include "linesman/Drive/BisectSetup.h"
#include "linesman/Process/Address.h"
#include "linesman/Process/Family.h"
#include "linesman/Process/Ids.h"

namespace linesman::drive {

/// What became of a placement, and of its window.
enum class Placed : uint8_t {
  Done,
  Elsewhere, ///< A page that could be moved before is not where it should be.
};

class FamilyPlacer {
public:
  FamilyPlacer(const BisectConfig &Config, process::Family Started,
               std::vector<process::RunRange> Ranges)
      : Config(Config), Started(std::move(Started)), Ranges(std::move(Ranges)) {
  }
  ~FamilyPlacer() { llvm::consumeError(restore().takeError()); }

  size_t size() const { return Ranges.size(); }

  /// Learns where all pages are, and which of them can not be moved: those are
  /// left out of all placements from here on.
  llvm::Error begin();
  llvm::Expected<Placed> place(const std::vector<bool> &Remote);
  /// Whether pages are where they were put: balancing, the program, and
  /// children that came meanwhile can change that.
  llvm::Expected<Placed> check(const std::vector<bool> &Remote);

  struct Restoration {
    size_t Pages = 0, Back = 0;
  };
  /// Moves everything back to where it was, and asks again. Twice is once.
  llvm::Expected<Restoration> restore();

  /// Candidates that can not be moved, by reason.
  const std::map<std::string, std::vector<size_t>> &stayed() const {
    return Stayed;
  }
  /// The largest number of processes that were placed at one time.
  size_t processes() const { return Most; }
  /// Whether children came and went that were not placed.
  bool hasFleetingChildren() const { return Fleeting; }
  /// Why the last placement or check was not Done.
  const std::string &reason() const { return Reason; }

private:
  struct Member {
    std::unique_ptr<control::Actuator> Mover;
    std::optional<std::vector<bool>> Last;
    uint64_t EndedChildren = 0;
  };
  const BisectConfig &Config;
  process::Family Started;
  std::vector<process::RunRange> Ranges;
  std::map<process::ProcessId, Member> Members;
  /// Where each page was, by process and address.
  std::map<process::ProcessId, std::map<process::RunAddress, int>> Home;
  /// Where the first process had them, for children that came later.
  std::map<process::RunAddress, int> FirstHome;
  std::vector<bool> IsStaying;
  std::map<std::string, std::vector<size_t>> Stayed;
  size_t Most = 0;
  bool Fleeting = false;
  std::string Reason;

  llvm::Error refresh();
  size_t candidateAt(process::RunAddress Address) const;
  llvm::Expected<bool> isGone(process::ProcessId Process, llvm::Error Problem);
};

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_FAMILYPLACER_H
