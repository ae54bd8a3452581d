// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman findings: what checks, the facts of units and binaries, and reports
// say, as one list.

#include "Commands.h"
#include "Deliver.h"
#include "linesman/Drive/FindingSources.h"
#include "linesman/Guard/Text.h"
#include "linesman/Report/Merge.h"
#include "options/OptionTable.h"
#include "llvm/Support/CrashRecoveryContext.h"

using namespace llvm;
using namespace linesman::drive;

namespace linesman::tool {

namespace {

struct FindingsOptions {
  cl::SubCommand Command{"findings"};
  Texts FromTidy{Command, "from-tidy", "file",
                 "What clang-tidy exported (--export-fixes) or printed; - is "
                 "stdin; may be repeated"};
  Texts Objects{Command, "objects", "path",
                "Facts before the link: an object, an archive, or a folder of "
                "objects; may be repeated"};
  Text Binary{Command, "binary", "file",
              "Say of each finding where it is in this binary"};
  Texts Reports{Command, "report", "file",
                "JSON of layout, watch, bisect or findings; may be repeated"};
  Flag All{Command, "all",
           "Keep what facts contradict, at the end of the list"};
  Number<unsigned> Top{Command, "top", "n",
                       "At most this many findings (text: 10, markdown: 5, "
                       "sarif, gitlab: 1000, json: all)"};
  DeliveryOptions Delivery{Command, Format::Json,
                           FindingsFormatOption::Also::Patch};
};

/// What can find nothing on a rung has nothing to judge there.
Error checkReach(const FindingsOptions &Opts, layout::Rung Highest) {
  return Opts.Delivery.Fails.checkReach(
      Highest, !Opts.Reports.empty() ? "these sources"
               : Opts.Binary.empty() ? "checks and objects before the link"
                                     : "a binary alone");
}

void noteGaps(const FindingSources &Read) {
  guard::PrintableStream Notes(errs());
  for (const BlindSource &Blind : Read.Blind)
    Notes << "linesman: note: '" << Blind.Path << "': " << Blind.Reason << '\n';
  if (Read.Hidden)
    Notes << "linesman: note: '" << Read.HidingReport
          << "': findings that --top left out: " << Read.Hidden << '\n';
}

/// JSON is a report for the next gate, which must not see less than this one.
void keepGaps(const FindingSources &Read, report::MergedFindings &Kept) {
  for (const BlindSource &Blind : Read.Blind)
    Kept.Blind = Blind.Path + ": " + Blind.Reason + Blind.Cure;
  Kept.Hidden += Read.Hidden;
  Kept.Reach = Read.Highest;
}

} // namespace

Expected<int> runFindings(Arguments Args) {
  FindingsOptions Opts;
  if (Error E = parseOptions(Args))
    return std::move(E);
  if (Opts.FromTidy.empty() && Opts.Objects.empty() && Opts.Binary.empty() &&
      Opts.Reports.empty())
    return createStringError("no findings to read: expected --from-tidy, "
                             "--objects, --binary or --report; see 'linesman "
                             "findings --help'");
  if (Error E = Opts.Delivery.check())
    return std::move(E);
  // Damaged debug information costs names, not the report.
  CrashRecoveryContext::Enable();
  Expected<FindingSources> Read =
      readSources({{Opts.FromTidy.begin(), Opts.FromTidy.end()},
                   {Opts.Objects.begin(), Opts.Objects.end()},
                   Opts.Binary,
                   {Opts.Reports.begin(), Opts.Reports.end()}});
  if (!Read)
    return Read.takeError();
  if (Error E = checkReach(Opts, Read->Highest))
    return joinErrors(std::move(Read->Incomplete), std::move(E));
  if (Read->OtherChecks)
    errs() << "linesman: note: " << Read->OtherChecks
           << " diagnostics of other checks passed over\n";
  const bool IsGate = Opts.Delivery.Fails.isAsked();
  if (IsGate)
    if (Error E = checkSeen(*Read))
      return joinErrors(std::move(Read->Incomplete), std::move(E));
  noteGaps(*Read);
  report::MergedFindings Merged =
      report::mergeFindings(std::move(Read->Lists), Read->Merge);
  if (Opts.Delivery.Form == Format::Json)
    keepGaps(*Read, Merged);
  if (Opts.All)
    append_range(Merged.Findings, Merged.Dropped);
  if (Opts.All)
    Merged.Dropped.clear();
  Expected<int> Code = deliverMerged(Opts.Delivery, Merged, Opts.Top);
  if (!Code)
    return joinErrors(std::move(Read->Incomplete), Code.takeError());
  if (IsGate && *Code == Success)
    Read->Incomplete =
        joinErrors(std::move(Read->Incomplete), checkWhole(*Read));
  if (Read->Incomplete)
    return std::move(Read->Incomplete);
  return Code;
}

} // namespace linesman::tool
