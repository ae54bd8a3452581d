// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selectors, pages, weights.

#include "linesman/Control/ShimClient.h"
#include "linesman/Drive/BisectSetup.h"
#include "linesman/Input/Ranking.h"
#include "linesman/Process/State.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <unistd.h>

using namespace llvm;
using namespace linesman::control;
using namespace linesman::process;

namespace linesman::drive {

/// What is searched when nothing is said: the program, and the libraries that
/// it was linked with and that are not the system's.
static std::vector<std::string> defaultSelectors(StaticPages &Pages,
                                                 StringRef Given) {
  if (!Given.empty())
    return {Given.str()};
  std::vector<std::string> Result;
  for (const NamedModule &M : Pages.modules()) {
    StringRef Path = M.Loaded.Path;
    bool IsSystem = Path.starts_with("/lib") || Path.starts_with("/usr/lib");
    if (&M == &Pages.modules().front() || !IsSystem)
      Result.push_back(sys::path::filename(Path).str() + "!all");
  }
  return Result;
}

Expected<input::Binary> readModule(const StaticModule &Module) {
  Expected<std::unique_ptr<MemoryBuffer>> File = Module.open();
  if (!File)
    return File.takeError();
  return input::readRanked(std::move(*File));
}

Expected<SearchField> readField(Actuator &Mover, StringRef Selectors) {
  Expected<StaticPages> Pages = StaticPages::read(Mover);
  if (!Pages)
    return Pages.takeError();
  SearchField Result;
  Result.Program = Pages->modules().front().Loaded.Path;
  for (StringRef Selector : defaultSelectors(*Pages, Selectors)) {
    Expected<std::vector<PageCandidate>> Found =
        findCandidates(*Pages, Selector);
    if (!Found)
      return Found.takeError();
    append_range(Result.Candidates, std::move(*Found));
  }
  for (const NamedModule &M : Pages->modules())
    Result.Modules.push_back(M.Loaded);
  for (const NamedModule &M : Pages->modules())
    for (RunRange Range : M.Loaded.Ranges)
      Result.NotSearched[M.Loaded.Path] += Range.size() / pageSize();
  for (const PageCandidate &C : Result.Candidates)
    if (!--Result.NotSearched[C.Module])
      Result.NotSearched.erase(C.Module);
  // Without its file the search still works, by pages without names.
  if (Expected<input::Binary> Binary = readModule(Result.Modules.front())) {
    Result.Findings = input::rankLines(*Binary, {}, layout::Guesses::Listed);
    weighByScores(Result.Candidates, Result.Program,
                  layout::LineMap(Binary->Image, {}), Result.Findings);
    Result.Binary.emplace(std::move(*Binary));
  } else {
    consumeError(Binary.takeError());
  }
  return std::move(Result);
}

/// Starts the program up to main, to see what it has, and ends it there.
static Expected<SearchField> inspectProgram(const BisectConfig &Config,
                                            StringRef Selectors) {
  LaunchConfig Launching;
  Launching.Command = Config.Command;
  Launching.Program = Config.Program;
  Launching.ShimPath = Config.ShimPath;
  Launching.Output = STDERR_FILENO;
  Launching.Interrupt = Config.Interrupt;
  Expected<std::unique_ptr<Launch>> Process = Launch::start(Launching);
  if (!Process)
    return Process.takeError();
  Expected<std::unique_ptr<ShimClient>> Shim = (*Process)->greet();
  if (!Shim)
    return Shim.takeError();
  return readField(**Shim, Selectors);
}

Expected<SearchField> inspectField(const BisectConfig &Config,
                                   StringRef Selectors) {
  if (!Config.Attach.Value)
    return inspectProgram(Config, Selectors);
  Expected<std::unique_ptr<Actuator>> Mover = attachFromOutside(Config.Attach);
  if (!Mover)
    return Mover.takeError();
  return readField(**Mover, Selectors);
}

} // namespace linesman::drive
