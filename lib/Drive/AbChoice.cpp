// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is compared, by the words of a command line.

#include "linesman/Control/Actuator.h"
#include "linesman/Drive/Ab.h"
#include "linesman/Guard/Suggest.h"
#include "linesman/Guard/Text.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace linesman::bisect;

namespace linesman::drive {

const std::string &counterNames() {
  static const std::string Names = join(
      map_range(countableEvents(), [](const Event &E) { return E.Name.str(); }),
      ", ");
  return Names;
}

static Error refuseMetric(StringRef Name) {
  guard::Suggestion Meant(Name);
  for (StringRef Known : {"time", "output", "exit"})
    Meant.consider(Known);
  for (const Event &E : countableEvents())
    Meant.consider(E.Name);
  return createStringError("--metric=" + Name +
                           ": expected time, output, exit, or one of " +
                           counterNames() + Meant.text());
}

Error chooseMetric(StringRef Name, StringRef Match, AbConfig &Config) {
  if (Name.empty())
    Name = Match.empty() ? "time" : "output";
  const Event *Counted = findEvent(Name);
  if (Name == "time")
    Config.Measured = Metric::Time;
  else if (Name == "output")
    Config.Measured = Metric::Output;
  else if (Name == "exit")
    Config.Measured = Metric::Exit;
  else if (Counted)
    Config.Measured = Metric::Events;
  else
    return refuseMetric(Name);
  if ((Config.Measured == Metric::Output) == Match.empty())
    return createStringError(Match.empty()
                                 ? "--metric=output needs --match=REGEX"
                                 : "--match goes with --metric=output only");
  Config.A.Counted = Config.B.Counted = Counted;
  Config.Match = Match.str();
  Config.Compare.Direction =
      Config.Measured == Metric::Output ? Better::Higher : Better::Lower;
  return Error::success();
}

Error comparePlacements(StringRef Linesman, StringRef Command,
                        ArrayRef<std::string> Places, AbConfig &Config) {
  Expected<std::vector<int>> Nodes = control::readNodes();
  if (!Nodes)
    return Nodes.takeError();
  if (Nodes->size() < 2)
    return createStringError("--place: this machine has one NUMA node, so all "
                             "placements are the same");
  std::string Run = guard::quoteForShell(Linesman) + " run";
  Config.A.Command = (Run + " -- " + Command).str();
  for (const std::string &Place : Places)
    Run += " --place " + guard::quoteForShell(Place);
  Config.B.Command = (Run + " -- " + Command).str();
  return Error::success();
}

} // namespace linesman::drive
