// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman diff OLD NEW, and linesman diff --lock=FILE BINARY.

#include "linesman/Report/Diff.h"
#include "Commands.h"
#include "Deliver.h"
#include "SharedOptions.h"
#include "linesman/Drive/DiffSides.h"
#include "linesman/Guard/Output.h"
#include "linesman/Input/ReadLock.h"
#include <cmath>

using namespace llvm;
using namespace linesman::drive;
using namespace linesman::layout;

namespace linesman::tool {

namespace {

struct DiffOptions {
  cl::SubCommand Command{"diff"};
  Rest Binaries{Command, "OLD NEW", cl::OneOrMore};
  Text Lock{Command, "lock", "file",
            "Compare one binary with this accepted layout"};
  Number<double> Tolerance{
      Command, "tolerance", "percent",
      "With --lock: how much a finding's score may grow (10)",
      100 * DefaultTolerance};
  Text Measured{Command, "measured", "file",
                "With markdown and html: the JSON of linesman ab on the two"};
  Number<unsigned> Top{Command, "top", "n",
                       "With markdown and html: draw at most this many (5)", 5};
  FormatOption Form{Command};
  FactsOption Facts{Command};
  OutputOption Output{Command};
  SourceRootOption Root{Command};
  LineSizeOption Line{Command, "Bytes of a cache line (64, or the lock's)"};
};

/// Whether lines are drawn.
bool isPage(const DiffOptions &Opts) {
  return Opts.Form == Format::Markdown || Opts.Form == Format::Html;
}

Error checkOptions(const DiffOptions &Opts) {
  const bool HasLock = !Opts.Lock.empty(), IsPage = isPage(Opts);
  if (Opts.Binaries.size() != (HasLock ? 1 : 2))
    return createStringError(HasLock ? "expected one binary beside --lock"
                                     : "expected two binaries, OLD and NEW");
  if (HasLock && Opts.Line.getNumOccurrences())
    return createStringError("--line-size does not go with --lock: the lock "
                             "says which lines it is about");
  if (HasLock && IsPage)
    return createStringError("markdown and html go with two binaries: a lock "
                             "has no lines to draw");
  if (!HasLock && Opts.Tolerance.getNumOccurrences())
    return createStringError("--tolerance goes with --lock");
  if (!(Opts.Tolerance >= 0 && Opts.Tolerance <= 1000))
    return createStringError("--tolerance: expected 0 to 1000 percent");
  if (!IsPage && (!Opts.Measured.empty() || Opts.Top.getNumOccurrences()))
    return createStringError(Opts.Measured.empty()
                                 ? "--top goes with markdown and html"
                                 : "--measured goes with markdown and html");
  return Opts.Line.check();
}

template <typename Report>
Error writeReport(const DiffOptions &Opts, const Report &Is) {
  return guard::writeOutput(Opts.Output, [&](raw_ostream &OS) {
    if (Opts.Form == Format::Json)
      report::writeJson(Is, OS);
    else
      report::writeText(Is, OS);
  });
}

Expected<Side> readSide(const DiffOptions &Opts, size_t Index, LineSize Line) {
  Expected<input::Binary> Binary =
      readWaiting(Opts.Binaries[Index], Opts.Facts);
  if (!Binary)
    return Binary.takeError();
  return makeSide(Opts.Binaries[Index], std::move(*Binary), Line);
}

Expected<int> compareWithLock(const DiffOptions &Opts) {
  Expected<Lock> Accepted = input::readLock(Opts.Lock);
  if (!Accepted)
    return Accepted.takeError();
  Expected<Side> Now = readSide(Opts, 0, Accepted->Mates.Line);
  if (!Now)
    return Now.takeError();
  Expected<LockCheck> Check =
      checkSide(*Accepted, Opts.Lock, *Now, Opts.Tolerance / 100);
  if (!Check)
    return Check.takeError();
  if (Error E = writeReport(Opts, *Check))
    return std::move(E);
  return Check->isBroken() ? Found : Success;
}

Expected<int> compareBinaries(const DiffOptions &Opts) {
  Expected<Side> Old = readSide(Opts, 0, {Opts.Line});
  if (!Old)
    return Old.takeError();
  Expected<Side> New = readSide(Opts, 1, {Opts.Line});
  if (!New)
    return New.takeError();
  for (const Side *Compared : {&*Old, &*New})
    if (Error E = checkRead(*Compared))
      return std::move(E);
  std::vector<MateChange> Mates = compareLineMates(
      translate(std::move(Old->Layout.Mates), Identities(New->Binary.Image)),
      New->Layout.Mates);
  std::vector<FindingChange> Findings = drive::compareFindings(*Old, *New);
  report::DiffReport Report{Mates, Findings};
  if (isPage(Opts)) {
    Expected<report::SourceRoot> Tree = report::findSourceRoot(Opts.Root);
    if (!Tree)
      return Tree.takeError();
    Expected<report::DiffPage> Page =
        drawPage(Report, *Old, *New, {Opts.Measured, Opts.Top, *Tree}, warn);
    if (!Page)
      return Page.takeError();
    if (Error E = guard::writeOutput(Opts.Output, [&](raw_ostream &OS) {
          Opts.Form == Format::Html ? report::writeHtml(*Page, OS)
                                    : report::writeMarkdown(*Page, OS);
        }))
      return std::move(E);
  } else if (Error E = writeReport(Opts, Report)) {
    return std::move(E);
  }
  return Mates.empty() && Findings.empty() ? Success : Found;
}

} // namespace

Expected<int> runDiff(Arguments Args) {
  DiffOptions Opts;
  Opts.Form.getParser().addLiteralOption("markdown", Format::Markdown,
                                         "a comment for a pull request");
  Opts.Form.getParser().addLiteralOption("html", Format::Html,
                                         "one page for a browser");
  if (Error E = parseOptions(Args))
    return std::move(E);
  if (Error E = checkOptions(Opts))
    return std::move(E);
  return Opts.Lock.empty() ? compareBinaries(Opts) : compareWithLock(Opts);
}

} // namespace linesman::tool
