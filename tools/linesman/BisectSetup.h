// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `linesman bisect` works on: candidates that outlive a process, the
// metric, and the oracles that place pages and measure.
//
//     search ─▶ LoggedOracle ─┬─ a window of the log
//                             └─ RunOracle: a process for each window
//                                LiveOracle: one process, windows interleaved

#ifndef LINESMAN_TOOLS_BISECTSETUP_H
#define LINESMAN_TOOLS_BISECTSETUP_H

#include "StaticPages.h"
#include "linesman/Bisect/Bisect.h"
#include "linesman/Bisect/WindowLog.h"
#include "linesman/Control/ShimClient.h"
#include "linesman/Input/ReadBinary.h"
#include "linesman/Layout/Finding.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::tool {

/// A page (or an exploded symbol's pages), by what is the same in each run.
struct PageCandidate {
  std::string Module;
  layout::AddressRange Pages;
  /// The largest object first.
  std::vector<std::string> Symbols;
  /// Weight in the search; 1 when nothing is known.
  double Prior = 1;
};

/// The candidates and what was learnt with them.
struct SearchField {
  std::vector<PageCandidate> Candidates;
  std::string Program;
  std::optional<input::Binary> Binary;
  std::vector<layout::LineFinding> Findings;
};

enum class MetricSource : uint8_t {
  ExitCode, ///< 0 good, 125 skip, above 127 stop, else bad.
  Output,   ///< The last match of a regular expression.
  Time,     ///< Seconds from main to the end.
};

struct BisectConfig {
  std::vector<std::string> Command;
  std::string Program;
  std::string ShimPath;
  /// 0: start one.
  control::ProcessId Attach;
  MetricSource Metric = MetricSource::ExitCode;
  std::string Match;
  /// Of a live process: matches in a window; 0 for one process a window.
  unsigned LiveMatches = 0;
  /// Command for the shell that measures a live process; empty for none.
  std::string Probe;
  int LocalNode = 0, RemoteNode = 1;

  bool isLive() const { return LiveMatches || !Probe.empty() || Attach.Value; }
};

/// Measures what the search asks for. An error ends the search and is kept.
class PlacingOracle : public bisect::Oracle {
public:
  llvm::Error takeError() { return std::move(Problem); }
  ~PlacingOracle() override { llvm::consumeError(std::move(Problem)); }

protected:
  PlacingOracle() { llvm::consumeError(std::move(Problem)); }
  bisect::WindowOutcome stop(llvm::Error E);

private:
  llvm::Error Problem = llvm::Error::success();
};

/// The candidates of a selector in a process, with their symbols.
llvm::Expected<std::vector<PageCandidate>>
findCandidates(StaticPages &Pages, llvm::StringRef Selector);

/// Weights by the scores of the findings of \p Module: 1 without, up to 50 for
/// the page with the highest.
void weighByScores(llvm::MutableArrayRef<PageCandidate> Candidates,
                   llvm::StringRef Module, const layout::LineMap &Lines,
                   llvm::ArrayRef<layout::LineFinding> Findings);

/// The candidates with bytes in \p Written.
std::vector<bisect::CandidateRange>
findWritten(llvm::ArrayRef<PageCandidate> Candidates, StaticPages &Pages,
            llvm::ArrayRef<control::RunRange> Written);

/// 8 times the weight for what is written.
void weighByWrites(llvm::MutableArrayRef<PageCandidate> Candidates,
                   llvm::ArrayRef<bisect::CandidateRange> Written);

/// Places the candidates of a window. \p Last is what the process has, and is
/// changed; pages that are as they should be are not touched. Fails when a page
/// is not where it should be afterwards.
llvm::Error placeWindow(control::Actuator &With, const BisectConfig &Config,
                        llvm::ArrayRef<PageCandidate> Candidates,
                        const bisect::WindowRequest &Window,
                        std::optional<std::vector<bool>> &Last);

std::unique_ptr<PlacingOracle>
makeRunOracle(const BisectConfig &Config,
              llvm::ArrayRef<PageCandidate> Candidates);

/// A live process: ours, or one that runs already.
struct LiveProcess {
  std::unique_ptr<control::Launch> Started;
  std::unique_ptr<control::Actuator> With;
  control::Descriptor Output;
};
llvm::Expected<LiveProcess> startLive(const BisectConfig &Config);
std::unique_ptr<PlacingOracle>
makeLiveOracle(const BisectConfig &Config,
               llvm::ArrayRef<PageCandidate> Candidates, LiveProcess Process);

/// Turns an exit code into an outcome; nothing for codes that stop.
std::optional<bisect::WindowOutcome> verdictOf(int ExitCode);

} // namespace linesman::tool

#endif // LINESMAN_TOOLS_BISECTSETUP_H
