// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What goes with what.

#include "BisectOptions.h"
#include "linesman/Bisect/Starts.h"
#include "linesman/Drive/Explode.h"
#include "linesman/Drive/Placements.h"
#include "linesman/Relink/CaptureLink.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::drive;
using namespace linesman::bisect;
using namespace linesman::control;

namespace linesman::tool {

/// Starts are compared while they run, and nothing is moved in them.
static Error checkStarts(const BisectOptions &Opts,
                         const BisectConfig &Config) {
  if (Opts.Starts < LeastStarts)
    return createStringError(formatv("--starts={0}: {1} are the fewest that "
                                     "can be compared",
                                     unsigned(Opts.Starts), LeastStarts));
  if (Config.Attach.Value || !Config.isLive())
    return createStringError("--starts needs a command that is started, and "
                             "measured while it runs: --live or --probe");
  if (Opts.Resume || Opts.WatchFirst.getNumOccurrences() ||
      !Opts.LinkCommand.empty() || !Opts.Captured.empty() ||
      Opts.Delivery.Fails.getNumOccurrences())
    return createStringError("--starts searches nothing, so --resume, --dirty, "
                             "--link-command, --captured and --fail-on do not "
                             "go with it");
  return Error::success();
}

Expected<BisectConfig> readConfig(const BisectOptions &Opts) {
  BisectConfig Config;
  Config.Command.assign(Opts.Run.begin(), Opts.Run.end());
  Config.Program = Opts.Program;
  Config.ShimPath = findShim(Opts.Shim);
  Config.Attach = {Opts.Pid};
  Config.Metric =
      Opts.Match.empty() ? MetricSource(Opts.Metric) : MetricSource::Output;
  Config.Match = Opts.Match;
  Config.Direction = Opts.Direction.getNumOccurrences() ? Better(Opts.Direction)
                     : Config.Metric == MetricSource::Output ? Better::Higher
                                                             : Better::Lower;
  Config.LiveMatches = Opts.Live;
  Config.Probe = Opts.Probe;
  if (Error E = checkRegex("match", Opts.Match))
    return std::move(E);
  if (Config.Metric == MetricSource::Output && Opts.Match.empty())
    return createStringError("--metric=output needs --match=REGEX");
  if (Opts.Pid.getNumOccurrences() && (Opts.Pid <= 0 || Opts.Probe.empty()))
    return createStringError("--pid needs the number of a process, and "
                             "--probe=COMMAND, which measures that process");
  if (Opts.Run.empty() != bool(Opts.Pid.getNumOccurrences()))
    return createStringError("expected one thing to search: -- COMMAND, or "
                             "--pid with --probe");
  if (Config.LiveMatches && !Config.Probe.empty())
    return createStringError("--live and --probe are two ways to measure; "
                             "choose one");
  if (Config.LiveMatches && Opts.Match.empty())
    return createStringError("--live needs --match=REGEX");
  if (Error E = Opts.WatchFirst.check())
    return std::move(E);
  if (Opts.Live.getNumOccurrences() && !Opts.Live)
    return createStringError("--live=0: a window needs a match");
  if (Opts.WatchFirst.getNumOccurrences() && !Config.isLive())
    return createStringError("--dirty needs one process for all windows: "
                             "--live or --probe");
  if (Opts.Starts.getNumOccurrences())
    if (Error E = checkStarts(Opts, Config))
      return std::move(E);
  if (Opts.Resume && !sys::fs::exists(Opts.Log))
    return createStringError("--resume: there is no log " + Opts.Log);
  if (!Opts.LinkCommand.empty() && !Opts.Captured.empty())
    return createStringError("--link-command and --captured both name the "
                             "link; choose one");
  if (!(Opts.LinkCommand.empty() && Opts.Captured.empty()) &&
      Config.Attach.Value)
    return createStringError(
        (Opts.Captured.empty() ? "--link-command" : "--captured") +
        Twine(" does not go with --pid: the exploded program is another "
              "program"));
  return Config;
}

Expected<std::optional<relink::Link>> readLink(const BisectOptions &Opts) {
  if (Opts.LinkCommand.empty() && Opts.Captured.empty())
    return std::nullopt;
  Expected<relink::Link> Result =
      Opts.Captured.empty()
          ? readLinkCommand(Opts.LinkCommand)
          : relink::findCapturedLink(Opts.Links, Opts.Captured);
  if (!Result)
    return Result.takeError();
  return std::move(*Result);
}

Expected<bool> chooseNodes(const BisectOptions &Opts, BisectConfig &Config) {
  Expected<std::vector<int>> Nodes = readNodes();
  if (!Nodes)
    return Nodes.takeError();
  if (Nodes->size() < 2)
    return false;
  Config.LocalNode =
      Opts.Local.getNumOccurrences() ? Opts.Local : Nodes->front();
  Config.RemoteNode =
      Opts.Remote.getNumOccurrences() ? Opts.Remote : Nodes->back();
  for (int Node : {Config.LocalNode, Config.RemoteNode})
    if (!is_contained(*Nodes, Node))
      return createStringError(formatv("there is no node {0}", Node));
  if (Config.LocalNode == Config.RemoteNode)
    return createStringError("--local and --remote are the same node");
  return true;
}

SearchSettings searchSettings(const BisectOptions &Opts) {
  SearchSettings Settings;
  Settings.Log = Opts.Log;
  Settings.Resume = Opts.Resume;
  if (Opts.WatchFirst.getNumOccurrences())
    Settings.WatchSeconds = Opts.WatchFirst;
  Settings.AsksForWhole = true;
  return Settings;
}

} // namespace linesman::tool
