// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `linesman bisect` works on: candidates that outlive a process, the
// metric, and the oracles that place pages and measure.
//
//     search ─▶ LoggedOracle ─┬─ a window of the log
//                             └─ RunOracle: a process for each window
//                                LiveOracle: one process and what it forks,
//                                windows interleaved

#ifndef LINESMAN_DRIVE_BISECTSETUP_H
#define LINESMAN_DRIVE_BISECTSETUP_H

#include "linesman/Bisect/Bisect.h"
#include "linesman/Bisect/Compare.h"
#include "linesman/Bisect/WindowLog.h"
#include "linesman/Control/ShimClient.h"
#include "linesman/Drive/StaticPages.h"
#include "linesman/Input/ReadBinary.h"
#include "linesman/Layout/Finding.h"
#include "linesman/Process/Address.h"
#include "linesman/Process/Descriptor.h"
#include "linesman/Process/Ids.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

namespace linesman::drive {

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
  /// All that are loaded, the program first.
  std::vector<control::StaticModule> Modules;
  /// Static pages of each module that is not searched, or not whole.
  std::map<std::string, size_t> NotSearched;
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
  /// A library that goes in the place of another, and that one; or neither.
  std::string Library, Replaced;
  /// 0: start one.
  process::ProcessId Attach;
  MetricSource Metric = MetricSource::ExitCode;
  std::string Match;
  /// Of a live process: matches in a window; 0 for one process a window.
  unsigned LiveMatches = 0;
  /// Command for the shell that measures a live process; empty for none.
  std::string Probe;
  int LocalNode = 0, RemoteNode = 1;
  /// Which values are good.
  bisect::Better Direction = bisect::Better::Lower;
  /// Readable when somebody wants an end.
  int Interrupt = -1;

  bool isLive() const { return LiveMatches || !Probe.empty() || Attach.Value; }
};

/// Measures what the search asks for. An error ends the search and is kept; an
/// interruption ends it, and is none.
class PlacingOracle : public bisect::Oracle {
public:
  llvm::Error takeError() { return std::move(Problem); }
  ~PlacingOracle() override { llvm::consumeError(std::move(Problem)); }
  /// Ends what was started, and puts back what was moved. What there is to say
  /// about that and about pages that could not be searched.
  virtual std::vector<std::string> finish() = 0;
  /// Why "no effect" would say too much; empty where it would not.
  virtual std::string cannotTell() const { return ""; }

protected:
  explicit PlacingOracle(const BisectConfig &Config) : Config(Config) {
    llvm::consumeError(std::move(Problem));
  }
  bisect::WindowOutcome stop(llvm::Error E);
  bool isInterrupted() const;
  const BisectConfig &Config;

private:
  llvm::Error Problem = llvm::Error::success();
};

/// The candidates of a selector in a process, with their symbols.
llvm::Expected<std::vector<PageCandidate>>
findCandidates(StaticPages &Pages, llvm::StringRef Selector);

/// What is searched in a process. \p Selectors as in --candidates; empty for
/// the program and the libraries that it was linked with and that are not the
/// system's.
llvm::Expected<SearchField> readField(control::Actuator &Mover,
                                      llvm::StringRef Selectors);

/// The same of the process that \p Config names, or of one that is started up
/// to main and ended there.
llvm::Expected<SearchField> inspectField(const BisectConfig &Config,
                                         llvm::StringRef Selectors);

/// \p Module as \c linesman \c layout ranks it.
llvm::Expected<input::Binary> readModule(const control::StaticModule &Module);

/// Weights by the scores of the findings of \p Module: 1 without, up to 50 for
/// the page with the highest.
void weighByScores(llvm::MutableArrayRef<PageCandidate> Candidates,
                   llvm::StringRef Module, const layout::LineMap &Lines,
                   llvm::ArrayRef<layout::LineFinding> Findings);

/// The candidates with bytes in \p Written.
std::vector<bisect::CandidateRange>
findWritten(llvm::ArrayRef<PageCandidate> Candidates, StaticPages &Pages,
            llvm::ArrayRef<process::RunRange> Written);

/// 8 times the weight for what is written.
void weighByWrites(llvm::MutableArrayRef<PageCandidate> Candidates,
                   llvm::ArrayRef<bisect::CandidateRange> Written);

/// Which candidates a window has remote.
std::vector<bool> remoteIn(const bisect::WindowRequest &Window, size_t Count);

/// Fails when the library that another one replaces is loaded all the same.
llvm::Error checkReplaced(const BisectConfig &Config,
                          llvm::ArrayRef<control::StaticModule> Modules);

/// Where the candidates are in a process. Fails when a module is not there.
llvm::Expected<std::vector<process::RunRange>>
locate(llvm::ArrayRef<PageCandidate> Candidates,
       llvm::ArrayRef<control::StaticModule> Modules);

/// Places candidates that are at \p Ranges. \p Last is what the process has,
/// and is changed; pages that are as they should be are not touched. Returns
/// the pages that are elsewhere afterwards.
llvm::Expected<std::vector<control::PagePlace>>
placeCandidates(control::Actuator &Mover, const BisectConfig &Config,
                llvm::ArrayRef<process::RunRange> Ranges,
                const std::vector<bool> &Remote,
                std::optional<std::vector<bool>> &Last);

std::unique_ptr<PlacingOracle>
makeRunOracle(const BisectConfig &Config,
              llvm::ArrayRef<PageCandidate> Candidates);

/// A live process: ours, or one that runs already.
struct LiveProcess {
  std::unique_ptr<control::Launch> Started;
  process::ProcessId Process;
  /// Moves its pages when it is past main.
  std::unique_ptr<control::Actuator> Outside;
  process::Descriptor Output;
  /// Its userfaultfd; none, or why there is none.
  llvm::Expected<process::Descriptor> Watcher;
};

/// What is done while a program that was started stands before main.
using BeforeMain = llvm::function_ref<llvm::Error(control::ShimClient &)>;
llvm::Expected<LiveProcess> startLive(const BisectConfig &Config,
                                      BeforeMain Prepare);
/// Makes candidates private and present, and holds them against balancing.
llvm::Error holdCandidates(control::ShimClient &Shim,
                           llvm::ArrayRef<PageCandidate> Candidates);
llvm::Expected<std::unique_ptr<PlacingOracle>>
makeLiveOracle(const BisectConfig &Config,
               llvm::ArrayRef<PageCandidate> Candidates, LiveProcess Process);

/// A shell command, whose output is returned; fails when it is interrupted.
struct CommandResult {
  int ExitCode = 0;
  std::string Output;
  double Seconds = 0;
};
llvm::Expected<CommandResult> runShell(const BisectConfig &Config,
                                       llvm::StringRef Command);

/// What a window says: of a command that ended so, and measured.
llvm::Expected<bisect::WindowOutcome> judge(const BisectConfig &Config,
                                            llvm::StringRef Owner, int ExitCode,
                                            llvm::StringRef Output,
                                            double Seconds);

/// Turns an exit code into an outcome; nothing for codes that stop.
std::optional<bisect::WindowOutcome> verdictOf(int ExitCode);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_BISECTSETUP_H
