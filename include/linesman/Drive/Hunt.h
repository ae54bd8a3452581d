// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole ladder, climbed by running our own commands one after the other:
//
//     layout ─▶ located ┐
//     layout --types ───┼▶ leads ─ watch ─▶ observed ─ bisect ─▶ page, symbol
//                       │            plan, relink, ab ─▶ costed ─▶ story
//
// Each step is a command line and the file that it makes in the state folder.
// So a step that fails or is killed takes nothing else with it, a hunt goes on
// from the files that are there, and everything in the story can be run again
// by hand.

#ifndef LINESMAN_DRIVE_HUNT_H
#define LINESMAN_DRIVE_HUNT_H

#include "linesman/Drive/PredictedCost.h"
#include "linesman/Layout/Finding.h"
#include "linesman/Report/Finding.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace linesman::drive {

/// The file of the program to hunt in: \p Named, when \p Command is a script;
/// else what the command's first word is, or what launchers there start;
/// without a command, that of the process \p Pid.
llvm::Expected<std::string> findProgramFile(llvm::StringRef Named,
                                            llvm::ArrayRef<std::string> Command,
                                            int Pid);

/// Which program is hunted in, where that is not what a command's first word
/// is, or where it is and is hardly meant: a shell. Empty mostly.
std::string describeProgram(llvm::StringRef Program,
                            llvm::ArrayRef<std::string> Command);

/// The folder of compile_commands.json: \p Named, or "." or "build", or empty.
/// Folders above are not looked into, other than by tidy: nobody asked for the
/// checks, and a list of units says what clang loads.
llvm::Expected<std::string> findHuntBuild(llvm::StringRef Named);

struct HuntRequest {
  /// The program's file, and how it is started: words, empty with Process.
  std::string Program;
  std::vector<std::string> Command;
  std::optional<int> Process;
  /// What the program loads beside the system's libraries, by the loader's
  /// names: a hunt looks into one file.
  std::vector<std::string> Libraries;
  /// As the options of ab and bisect; empty where they were not given.
  std::string Metric, Match, Better, Probe;
  /// Metric is a counter, which ab has and bisect has not.
  bool IsCounter = false;
  /// Whoever reads the story is told that no cost in it is a real one.
  bool IsSimulated = false;
  /// How the program is linked: a file with the link command and its words, or
  /// the output of a captured link and the folder of such links.
  std::string LinkCommand;
  std::vector<std::string> LinkWords;
  std::string Captured, Links;
  /// The folder of compile_commands.json, of which the checks may propose a
  /// patch; or empty.
  std::string Build;
  /// For the shell: runs a build with a cure in the source.
  std::string Fixed;
  /// Expressions that lead to heap objects, as in watch --at.
  std::vector<std::string> Expressions;
  /// A folder that exists, by its whole path.
  std::string State;
  /// How many findings are watched and how many are relinked.
  unsigned MostWatched = 10, MostCosted = 3;
  /// Bounds in seconds: of watching a command, and of each comparison.
  double WatchSeconds = 20, CompareSeconds = 60;
  /// Whether this machine has two NUMA nodes, so that pages can be searched.
  bool HasNodes = false;

  bool hasLink() const { return !LinkWords.empty() || !Captured.empty(); }
};

/// One of our commands.
struct Step {
  /// "observe-1": also the name of its log.
  std::string Name;
  /// "watch who touches the lines": for a progress line.
  std::string Purpose;
  /// Without "linesman".
  std::vector<std::string> Arguments;
  /// The file that it makes, by its whole path.
  std::string Result;
};

enum class StepEnd : uint8_t {
  Done,
  Known,   ///< Its result was there already.
  Stopped, ///< The hunt was asked to end.
  Failed,
};

struct StepRecord {
  Step Action;
  StepEnd End = StepEnd::Done;
  /// Of Failed: the command's own error.
  std::string Problem;
};

/// What watch said of a line.
enum class Sight : uint8_t {
  NotWatched,
  NotSeen,
  CannotTell,
  Refuted,
  Confirmed
};

/// What ab said of the program as it is (A) and another (B).
struct CostEvidence {
  std::string Metric, Better;
  /// ab's word: "faster" and so on.
  std::string Verdict;
  double Before = 0, After = 0;
  /// B's metric to A's, with a 95 % interval; nothing where the metric is an
  /// exit code.
  struct Interval {
    double Median = 1, Low = 1, High = 1;
  };
  std::optional<Interval> Ratio;
  double P = 1;
  uint64_t Rounds = 0, Disturbed = 0, RoundsNeeded = 0;
  /// That the rounds needed would take; 0 where it is not known.
  double SecondsNeeded = 0;
  /// Where the verdict rests on how many starts fall into the lower of two
  /// levels, and not on the ratio.
  struct LevelShares {
    double Level = 0;
    uint64_t Before = 0, After = 0;
  };
  std::optional<LevelShares> Shares;
  /// The disturbed rounds are among Rounds: waiting hides a part of the
  /// difference.
  bool CountsDisturbed = false;
  /// Metrics of starts that fall into one of two levels, as it is.
  std::vector<double> Levels;
};

/// A finding on its way up.
struct Lead {
  /// What was learnt is added to it.
  report::Finding Finding;
  /// Of a type: its objects have no address in the file.
  bool IsField = false;
  Sight Seen = Sight::NotWatched;
  /// With its objects on lines of their own, and why it could not be had.
  std::optional<CostEvidence> Isolated;
  std::string WhyNotIsolated;

  const std::string &id() const { return Finding.Id; }
  /// What watch expects it to cost, where it was seen and that can be told.
  std::optional<PredictedCost> predicted() const;
  bool isOpen() const { return Seen != Sight::Refuted; }
  /// Each thread was seen with objects of its own, and the one that was watched
  /// is a single thread's: nothing is proven of others, and nothing speaks for
  /// it.
  bool isApart() const {
    return Seen == Sight::CannotTell && Finding.Seen &&
           Finding.Seen->ThreadsApart > 1;
  }
};

/// A page or symbol that bisect confirmed.
struct Culprit {
  std::string Id;
  /// "page 0x8000 of store"; empty for a symbol's.
  std::string Page;
  double Explains = 0, P = 1;
  bool IsSimulated = false;
};

/// What \p Request does not say and this machine knows: the whole path of the
/// command, as the shell and the watch look in other places for a bare name,
/// the words of its link, and whether there are several nodes. Fails where
/// there is no such link.
llvm::Error completeRequest(HuntRequest &Request);

enum class HuntOutcome : uint8_t {
  Costed,       ///< Something costs, by a measured amount.
  Observed,     ///< Threads meet on a line; what it costs is not known.
  Open,         ///< There are findings that nothing was seen of.
  NothingFound, ///< All that was found was ruled out, or nothing was.
  Stopped,
};

struct HuntResult {
  /// The best first.
  std::vector<Lead> Leads;
  std::vector<Culprit> Culprits;
  /// bisect's word, where pages were searched.
  std::string PageOutcome;
  /// Of HuntRequest::Fixed.
  std::optional<CostEvidence> Fixed;
  /// What checks would change for the lead that the story is about, and the
  /// file that has it; or empty.
  std::string Patch, PatchFile;
  std::vector<StepRecord> Steps;
  /// What the steps noted: what could not be read or seen.
  std::vector<std::string> Notes;
  uint64_t LineSize = layout::LineSize().Bytes;
  /// Types that facts tell of; 0 where nothing is known of objects on the heap.
  uint64_t Types = 0;
  bool IsStopped = false;

  HuntOutcome outcome() const;
  /// Whether a comparison or a search of pages came to a verdict.
  bool isCostDecided() const;
  /// The highest that a finding is on.
  layout::Rung rung() const;
  /// The lead that the story is about: one that costs, or else the first that
  /// is not ruled out; null when there is none.
  const Lead *best() const;
  /// Findings that were not ruled out, and confirmed pages and symbols; what
  /// the story is about stands on rung().
  std::vector<report::Finding> judged() const;
  /// Something is not ruled out for certain: no gate can pass.
  bool isOpen() const;
  /// Why a gate of --fail-on=\p Least can not pass: it saw nothing of what it
  /// would judge. Empty where it can.
  std::string whyBlind(layout::Rung Least) const;
};

/// Runs a step to its end; fails with the step's own error.
using StepRunner = llvm::function_ref<llvm::Expected<StepEnd>(const Step &)>;

/// Climbs as far as it can. Fails only when nothing can be said: the program's
/// file cannot be read.
llvm::Expected<HuntResult> runHunt(const HuntRequest &Request,
                                   StepRunner RunStep);

/// Runs \p Action as a child process, its output in NAME.log beside the result.
/// When \p IsUnwanted, it is asked to end, which ends all that it started, and
/// a result that is not complete is kept as NAME.partial.
llvm::Expected<StepEnd> runOwnCommand(const Step &Action,
                                      llvm::StringRef Executable,
                                      llvm::function_ref<bool()> IsUnwanted);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_HUNT_H
