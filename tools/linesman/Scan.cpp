// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman scan TARGET...: the layout of many programs as one table.

#include "linesman/Scan/Scan.h"
#include "Commands.h"
#include "Deliver.h"
#include "SharedOptions.h"
#include "linesman/Guard/Output.h"
#include "linesman/Guard/Text.h"
#include "linesman/Scan/ScanReport.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Threading.h"

using namespace llvm;
using namespace linesman::scan;

namespace linesman::tool {

namespace {

constexpr unsigned TextRows = 20, PageRows = 5000, MostPerFile = 1000;

struct ScanOptions {
  cl::SubCommand Command{"scan"};
  Rest Targets{Command, "[FILE|FOLDER|PACKAGE...]"};
  Text State{Command, "state", "file",
             "Write each result to this file at once, and skip what it already "
             "has; the report is about all results in it"};
  Number<unsigned> Jobs{Command, "jobs", "n",
                        "Number of files to read at a time (all processors)"};
  Number<unsigned> PerFile{Command, "per-file", "n",
                           "Keep at most this many findings of a file (10)",
                           10};
  Number<unsigned> Limit{Command, "limit", "seconds",
                         "Give up on a file after this many seconds (300)",
                         300};
  Number<unsigned> Memory{Command, "memory", "MB",
                          "Give up on a file that needs more memory (4096)",
                          4096};
  Number<unsigned> Top{Command, "top", "n",
                       "At most this many rows (text: 20, markdown: 5, html: "
                       "5000, sarif, gitlab: 1000, json: all)"};
  DeliveryOptions Delivery{Command, Format::Text,
                           FindingsFormatOption::Also::Page};

  size_t rows() const {
    if (Top.getNumOccurrences())
      return Top;
    if (Delivery.Form == Format::Text)
      return TextRows;
    return Delivery.Form == Format::Html
               ? PageRows
               : report::mostShown(Delivery.Form, SIZE_MAX);
  }
};

Error checkOptions(const ScanOptions &Opts) {
  if (Opts.Targets.empty() && Opts.State.empty())
    return createStringError("expected programs, folders or packages");
  if (Opts.Targets.empty() && !sys::fs::exists(Opts.State))
    return createFileError(
        Opts.State,
        createStringError("no such file, and nothing else to report of: name "
                          "programs, folders or packages as well"));
  if (Opts.Jobs.getNumOccurrences() && Opts.Jobs == 0)
    return createStringError("--jobs: expected a number above 0");
  if (Opts.PerFile == 0 || Opts.PerFile > MostPerFile)
    return createStringError("--per-file: expected 1 to " + Twine(MostPerFile));
  if (Opts.Top.getNumOccurrences() && Opts.Delivery.Form == Format::Json)
    return createStringError(
        "--top goes with other formats: JSON has all rows");
  if (Error E = Opts.Delivery.Fails.checkReach(layout::Rung::Located, "a scan"))
    return E;
  return joinErrors(Opts.Delivery.check(),
                    Opts.State.empty() ? Error::success()
                                       : guard::checkOutput(Opts.State));
}

Expected<int> writeReport(const DeliveryOptions &Delivery, size_t Rows,
                          const ScanReport &Report) {
  report::Findings Found;
  Found.Text = [&](const report::Comparison *Changes, raw_ostream &OS) {
    writeText(Report, Rows, textColumns(Delivery.Output), Changes, OS);
  };
  Found.Json = [&](const report::Comparison *Changes, raw_ostream &OS) {
    writeJson(Report, Rows, Changes, OS);
  };
  Found.Html = [&](StringRef, raw_ostream &OS) {
    writeHtml(Report, Rows, OS);
    return Error::success();
  };
  Found.Whole = [&](raw_ostream &OS) {
    writeJson(Report, SIZE_MAX, /*Changes=*/nullptr, OS);
  };
  if (!Report.Rows.empty())
    Found.Highest = layout::Rung::Located;
  Expected<int> Code = Delivery.deliver(Found);
  if (!Code || *Code != Success || !Delivery.Fails.isAsked())
    return Code;
  if (std::string Reason = Report.whyBlind(); !Reason.empty())
    return createStringError("--fail-on can not pass: " + Reason);
  return Code;
}

} // namespace

Expected<int> runScan(Arguments Args) {
  ScanOptions Opts;
  if (Error E = parseOptions(Args))
    return std::move(E);
  if (Error E = checkOptions(Opts))
    return std::move(E);
  Expected<scan::State> Known = scan::State::open(
      Opts.State, formatv("linesman " LINESMAN_VERSION ", {0} a file",
                          unsigned(Opts.PerFile))
                      .str());
  if (!Known)
    return Known.takeError();
  ScanRequest Request;
  Request.Targets.assign(Opts.Targets.begin(), Opts.Targets.end());
  Request.Reader = sys::fs::getMainExecutable(nullptr, nullptr);
  Request.Jobs = Opts.Jobs.getNumOccurrences()
                     ? unsigned(Opts.Jobs)
                     : hardware_concurrency().compute_thread_count();
  Request.Top = Opts.PerFile;
  Request.Seconds = Opts.Limit;
  Request.Megabytes = Opts.Memory;

  process::EndRequests Requests;
  Expected<ScanEnd> End =
      scan::runScan(Request, *Known, Requests, [](StringRef Said) {
        guard::PrintableStream(errs()) << "scan: " << Said << '\n';
      });
  if (!End)
    return End.takeError();
  ScanReport Report = rankScan(*Known);
  // A report of nothing would only say the same.
  if (!End->Missing.empty() && !End->IsStopped &&
      Report.Read + Report.NotRead == 0)
    return createStringError(join(End->Missing, "; "));
  append_range(Report.Notes, End->Missing);
  if (End->IsStopped)
    Report.Notes.push_back(
        Opts.State.empty()
            ? "stopped before all was read"
            : "stopped before all was read; the same command goes on");
  Expected<int> Code = writeReport(Opts.Delivery, Opts.rows(), Report);
  if (!Code)
    return Code.takeError();
  if (!End->Missing.empty())
    return createStringError(join(End->Missing, "; "));
  if (Report.Read == 0)
    return createStringError("no program and no shared object was read");
  return End->IsStopped ? Failure : *Code;
}

} // namespace linesman::tool
