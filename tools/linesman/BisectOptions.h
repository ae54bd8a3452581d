// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of linesman bisect, and the search that they ask for.

#ifndef LINESMAN_TOOLS_BISECTOPTIONS_H
#define LINESMAN_TOOLS_BISECTOPTIONS_H

#include "Commands.h"
#include "Deliver.h"
#include "SharedOptions.h"
#include "linesman/Drive/BisectSearch.h"
#include "linesman/Relink/Link.h"

namespace linesman::tool {

struct BisectOptions {
  llvm::cl::SubCommand Command{"bisect"};
  Rest Run{Command, "[-- COMMAND]"};
  Choice<drive::MetricSource> Metric{
      Command,
      "metric",
      "What a window measures",
      {{"exit", drive::MetricSource::ExitCode,
        "exit code: 0 good, 125 skip, above 127 stop, others bad (default)"},
       {"output", drive::MetricSource::Output,
        "the last match of --match in the output"},
       {"time", drive::MetricSource::Time, "seconds from main to the end"}},
      drive::MetricSource::ExitCode};
  Text Match{Command, "match", "regex",
             "The number in the output: the first group, or the whole; means "
             "--metric=output"};
  Number<unsigned> Live{Command, "live", "n",
                        "One process for all windows; a window ends after this "
                        "many matches of --match"};
  Text Probe{Command, "probe", "command",
             "One process for all windows; this shell command measures it "
             "(LINESMAN_PID is its number)"};
  Number<int> Pid{Command, "pid", "pid",
                  "Search in this running process; needs --probe"};
  Text Program{Command, "program", "file",
               "The program, when COMMAND is a script that starts it"};
  Text Candidates{Command, "candidates", "selector",
                  "Where to search (all: of every module; without it, the "
                  "executable's pages)"};
  Number<unsigned> Starts{
      Command, "starts", "n",
      "Do not search: compare this many starts as they come, and say which "
      "pages were where in good and in bad ones; needs --live or --probe"};
  Choice<bisect::Better> Direction{
      Command,
      "better",
      "Which metric is better (output: higher; all others: lower)",
      {{"lower", bisect::Better::Lower, ""},
       {"higher", bisect::Better::Higher, ""}}};
  Number<int> Local{Command, "local", "node", "The good node (the first)"};
  Number<int> Remote{Command, "remote", "node", "The bad node (the last)"};
  Seconds WatchFirst{
      Command, "dirty",
      "Watch for this long which pages are written, and search those "
      "first; with --live or --probe"};
  Text Log{Command, "log", "file", "Log of the windows (linesman-bisect.log)",
           "linesman-bisect.log"};
  Flag Resume{Command, "resume", "Continue from the log"};
  Text LinkCommand{
      Command, "link-command", "file",
      "File with the program's link command: go on to the symbol, by one "
      "relink with every symbol of the page on its own page"};
  Text Captured{Command, "captured", "output",
                "Like --link-command, with the link that 'linesman capture' "
                "recorded for this output"};
  Text Links{Command, "links", "folder",
             "Folder of the captured links (linesman-links)", "linesman-links"};
  Flag Simulated{Command, "simulated",
                 "The metric is simulated: say so in the result"};
  Flag Progress{Command, "progress",
                "A line for each window on stderr (in a terminal one line, "
                "which changes)"};
  DeliveryOptions Delivery{Command, Format::Text,
                           FindingsFormatOption::Also::Nothing};
  Text Shim{Command, "shim", "file", "The shim (beside this program, in lib)"};
};

/// Everything but the nodes.
llvm::Expected<drive::BisectConfig> readConfig(const BisectOptions &Opts);

/// The program's link; nothing when the search ends at pages. Read before the
/// search, which takes long.
llvm::Expected<std::optional<relink::Link>> readLink(const BisectOptions &Opts);

/// Sets the nodes. False on a machine with one: then there is nothing to do.
llvm::Expected<bool> chooseNodes(const BisectOptions &Opts,
                                 drive::BisectConfig &Config);

drive::SearchSettings searchSettings(const BisectOptions &Opts);

} // namespace linesman::tool

#endif // LINESMAN_TOOLS_BISECTOPTIONS_H
