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
#include "options/OptionTable.h"

namespace linesman::tool {

struct BisectOptions {
  llvm::cl::SubCommand Command{"bisect", "Which static page makes it slow"};
  llvm::cl::list<std::string> Run{llvm::cl::Positional,
                                  llvm::cl::desc("[-- COMMAND]"),
                                  llvm::cl::sub(Command)};
  llvm::cl::opt<drive::MetricSource> Metric{
      "metric", llvm::cl::desc("What a window measures"),
      llvm::cl::values(
          clEnumValN(drive::MetricSource::ExitCode, "exit",
                     "exit code: 0 good, 125 skip, above 127 stop, "
                     "others bad (default)"),
          clEnumValN(drive::MetricSource::Output, "output",
                     "the last match of --match in the output"),
          clEnumValN(drive::MetricSource::Time, "time",
                     "seconds from main to the end")),
      llvm::cl::init(drive::MetricSource::ExitCode), llvm::cl::sub(Command)};
  llvm::cl::opt<std::string> Match{
      "match",
      llvm::cl::desc("The number in the output: the first group, or the whole; "
                     "means --metric=output"),
      llvm::cl::value_desc("regex"), llvm::cl::sub(Command)};
  NumberOption<unsigned> Live{
      "live",
      llvm::cl::desc("One process for all windows; a window is so many "
                     "matches of --match"),
      llvm::cl::value_desc("n"), llvm::cl::sub(Command)};
  llvm::cl::opt<std::string> Probe{
      "probe",
      llvm::cl::desc(
          "One process for all windows; this shell command measures it "
          "(LINESMAN_PID is its number)"),
      llvm::cl::value_desc("command"), llvm::cl::sub(Command)};
  NumberOption<int> Pid{"pid",
                        llvm::cl::desc("Search in this running process; needs "
                                       "--probe"),
                        llvm::cl::value_desc("pid"), llvm::cl::sub(Command)};
  llvm::cl::opt<std::string> Program{
      "program",
      llvm::cl::desc("The program, when COMMAND is a script that starts it"),
      llvm::cl::value_desc("file"), llvm::cl::sub(Command)};
  llvm::cl::opt<std::string> Candidates{
      "candidates",
      llvm::cl::desc("Where to search (all: of every module; without it, the "
                     "executable's pages)"),
      llvm::cl::value_desc("selector"), llvm::cl::sub(Command)};
  NumberOption<unsigned> Starts{
      "starts",
      llvm::cl::desc(
          "Search nothing: compare so many starts as they come, and say "
          "which pages were where in good and in bad ones; needs --live "
          "or --probe"),
      llvm::cl::value_desc("n"), llvm::cl::sub(Command)};
  llvm::cl::opt<bisect::Better> Which{
      "better",
      llvm::cl::desc(
          "Which metric is better (output: higher; all others: lower)"),
      llvm::cl::values(clEnumValN(bisect::Better::Lower, "lower", ""),
                       clEnumValN(bisect::Better::Higher, "higher", "")),
      llvm::cl::sub(Command)};
  NumberOption<int> Local{"local", llvm::cl::desc("The good node (the first)"),
                          llvm::cl::value_desc("node"), llvm::cl::sub(Command)};
  NumberOption<int> Remote{"remote", llvm::cl::desc("The bad node (the last)"),
                           llvm::cl::value_desc("node"),
                           llvm::cl::sub(Command)};
  SecondsOption WatchFirst{"dirty",
                           "Watch for so long which pages are written, and "
                           "look there first; with --live or --probe",
                           Command};
  llvm::cl::opt<std::string> Log{
      "log", llvm::cl::desc("Log of the windows (linesman-bisect.log)"),
      llvm::cl::value_desc("file"), llvm::cl::init("linesman-bisect.log"),
      llvm::cl::sub(Command)};
  llvm::cl::opt<bool> Resume{"resume", llvm::cl::desc("Go on from the log"),
                             llvm::cl::sub(Command)};
  llvm::cl::opt<std::string> LinkCommand{
      "link-command",
      llvm::cl::desc(
          "File with the program's link command: go on to the symbol, by "
          "one relink with every symbol of the page on its own page"),
      llvm::cl::value_desc("file"), llvm::cl::sub(Command)};
  llvm::cl::opt<std::string> Captured{
      "captured",
      llvm::cl::desc(
          "The same with the link that 'linesman capture' recorded for "
          "this output"),
      llvm::cl::value_desc("output"), llvm::cl::sub(Command)};
  llvm::cl::opt<std::string> Links{
      "links", llvm::cl::desc("Folder of the captured links (linesman-links)"),
      llvm::cl::value_desc("folder"), llvm::cl::init("linesman-links"),
      llvm::cl::sub(Command)};
  llvm::cl::opt<bool> Simulated{
      "simulated",
      llvm::cl::desc("The metric is simulated: say so in the result"),
      llvm::cl::sub(Command)};
  llvm::cl::opt<bool> Progress{
      "progress",
      llvm::cl::desc("A line for each window on stderr (in a "
                     "terminal there is one that changes)"),
      llvm::cl::sub(Command)};
  DeliveryOptions To{Command, Format::Text, FindingsFormatOption::Page::None};
  llvm::cl::opt<std::string> Shim{
      "shim", llvm::cl::desc("The shim (beside this program, in lib)"),
      llvm::cl::value_desc("file"), llvm::cl::sub(Command)};
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
