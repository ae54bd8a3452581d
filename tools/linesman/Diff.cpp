// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman diff OLD NEW, linesman diff --lock=FILE BINARY, and linesman lock
// BINARY, which writes that file.

#include "linesman/Report/Diff.h"
#include "Commands.h"
#include "Deliver.h"
#include "Ranking.h"
#include "SharedOptions.h"
#include "linesman/Guard/Document.h"
#include "linesman/Input/ReadLock.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;
using namespace linesman::layout;

namespace linesman::tool {

namespace {

struct DiffOptions {
  cl::SubCommand Command{"diff", "Whose neighbours changed"};
  cl::list<std::string> Binaries{cl::Positional, cl::OneOrMore,
                                 cl::desc("OLD NEW"), cl::sub(Command)};
  cl::opt<std::string> Lock{
      "lock", cl::desc("Compare one binary with this accepted layout"),
      cl::value_desc("file"), cl::sub(Command)};
  NumberOption<double> Tolerance{
      "tolerance",
      cl::desc("With --lock: how much a finding's score may grow (10)"),
      cl::value_desc("percent"), cl::init(100 * DefaultTolerance),
      cl::sub(Command)};
  cl::opt<std::string> Measured{
      "measured",
      cl::desc("With markdown and html: the JSON of linesman ab on the two"),
      cl::value_desc("file"), cl::sub(Command)};
  NumberOption<unsigned> Top{
      "top", cl::desc("With markdown and html: draw at most this many (5)"),
      cl::value_desc("n"), cl::init(5), cl::sub(Command)};
  FormatOption As{Command};
  FactsOption Facts{Command};
  OutputOption Output{Command};
  SourceRootOption Root{Command};
  LineSizeOption Line{Command, "Bytes of a cache line (64, or the lock's)"};
};

struct LockOptions {
  cl::SubCommand Command{"lock", "Accept the layout of a binary"};
  cl::opt<std::string> Binary{cl::Positional, cl::Required, cl::desc("BINARY"),
                              cl::sub(Command)};
  FactsOption Facts{Command};
  OutputOption Output{Command};
  LineSizeOption Line{Command};
};

struct Side {
  input::Binary Binary;
  Lock Layout;
  std::vector<LineFinding> Findings;

  double total() const {
    double Sum = 0;
    for (const LineFinding &F : Findings)
      Sum += F.Points.total();
    return Sum;
  }
};

Expected<Side> readSide(StringRef Path, LineSize Line, input::FactsFrom Facts) {
  Expected<input::Binary> Binary = readRanked(Path, Facts);
  if (!Binary)
    return Binary.takeError();
  if (!hasFacts(*Binary))
    return createFileError(
        Path,
        createStringError("no facts in this binary: which objects matter "
                          "is not known; compile with linesman-facts.so"));
  auto IsAnonymous = [&](uint32_t Symbol) {
    return Binary->Image.symbols()[Symbol].Origin == SymbolOrigin::Anonymous;
  };
  ArrayRef<AccessedObject> Touched = Binary->Accesses.objects();
  if (!Touched.empty() && all_of(Touched, [&](const AccessedObject &O) {
        return IsAnonymous(O.Symbol);
      }))
    return createFileError(
        Path, createStringError("what it touches has no symbols, and places "
                                "are those of one link; use the binary before "
                                "it was stripped, or put its debug file "
                                "(.gnu_debuglink) beside it"));
  std::vector<LineFinding> Findings = rankLines(*Binary, Line);
  erase_if(Findings, [&](const LineFinding &F) { return IsAnonymous(F.Head); });
  Lock Layout = makeLock(Binary->Image, LineMap(Binary->Image, Line),
                         Binary->Accesses, Findings);
  return Side{std::move(*Binary), std::move(Layout), std::move(Findings)};
}

/// The line of a finding on one side, or that of its head where this side has
/// no such finding. Nothing where it has no such object.
std::optional<LineFinding> findLine(const Side &In, LineSize Line, StringRef Id,
                                    const Side &Other) {
  auto HasId = [&](const LineFinding &F) { return F.Id == Id; };
  if (auto It = find_if(In.Findings, HasId); It != In.Findings.end())
    return *It;
  auto It = find_if(Other.Findings, HasId);
  if (It == Other.Findings.end())
    return std::nullopt;
  const Image &Image = In.Binary.Image;
  std::optional<uint32_t> Head =
      Identities(Image).find(Identities(Other.Binary.Image).of(It->Head));
  if (!Head)
    return std::nullopt;
  LineMap Lines(Image, Line);
  LineFinding F;
  F.Head = *Head;
  F.Id = Id;
  F.Line = Lines.indexOf(Image.symbols()[*Head].Address);
  F.Occupants = lineOccupants(Image, Lines, In.Binary.Accesses, F.Line);
  return F;
}

/// The changes that matter most, with their lines on both sides.
Expected<std::vector<report::DiffPicture>>
drawChanges(const DiffOptions &Opts, ArrayRef<FindingChange> Changes,
            const Side &Old, const Side &New) {
  std::vector<FindingChange> Sorted(Changes);
  stable_sort(Sorted, [](const FindingChange &A, const FindingChange &B) {
    return std::abs(A.NewScore - A.OldScore) >
           std::abs(B.NewScore - B.OldScore);
  });
  if (Sorted.size() > Opts.Top)
    Sorted.resize(Opts.Top);
  std::vector<report::DiffPicture> Pictures(Sorted.size());
  auto Draw =
      [&](StringRef Path, const Side &In, const Side &Other,
          std::optional<report::Finding> report::DiffPicture::*Into) -> Error {
    std::vector<LineFinding> Lines;
    std::vector<size_t> At;
    for (auto [I, Change] : enumerate(Sorted))
      if (auto Line = findLine(In, {Opts.Line}, Change.Id, Other)) {
        Lines.push_back(std::move(*Line));
        At.push_back(I);
      }
    Expected<std::vector<report::Finding>> Drawn =
        documentLines(Path, In.Binary, {Opts.Line}, Lines);
    if (!Drawn)
      return Drawn.takeError();
    for (auto [I, Finding] : zip(At, *Drawn))
      Pictures[I].*Into = std::move(Finding);
    return Error::success();
  };
  for (auto [Picture, Change] : zip(Pictures, Sorted))
    Picture.Change = Change;
  if (Error E = Draw(Opts.Binaries[0], Old, New, &report::DiffPicture::Old))
    return std::move(E);
  if (Error E = Draw(Opts.Binaries[1], New, Old, &report::DiffPicture::New))
    return std::move(E);
  return Pictures;
}

Expected<std::string> drawPage(const DiffOptions &Opts,
                               const report::DiffReport &Report,
                               const Side &Old, const Side &New) {
  report::DiffPage Page{Report,      Opts.Binaries[0], Opts.Binaries[1],
                        Old.total(), New.total(),      {},
                        std::nullopt};
  if (!Opts.Measured.empty()) {
    Expected<json::Value> Parsed = guard::readJson(Opts.Measured);
    if (!Parsed)
      return Parsed.takeError();
    Expected<report::DiffNumbers> Numbers = report::readNumbers(*Parsed);
    if (!Numbers)
      return createFileError(Opts.Measured, Numbers.takeError());
    Page.Numbers = std::move(*Numbers);
  }
  Expected<std::vector<report::DiffPicture>> Pictures =
      drawChanges(Opts, Report.Findings, Old, New);
  if (!Pictures)
    return Pictures.takeError();
  Page.Pictures = std::move(*Pictures);
  Expected<report::SourceRoot> Tree = findSourceRoot(Opts.Root);
  if (!Tree)
    return Tree.takeError();
  for (report::DiffPicture &Picture : Page.Pictures)
    for (std::optional<report::Finding> *Is : {&Picture.Old, &Picture.New})
      if (*Is)
        Tree->apply(**Is);
  Page.OldPath = Tree->relative(Page.OldPath);
  Page.NewPath = Tree->relative(Page.NewPath);
  std::string Text;
  raw_string_ostream OS(Text);
  if (Opts.As == Format::Html)
    report::writeHtml(Page, OS);
  else
    report::writeMarkdown(Page, OS);
  return Text;
}

/// Whether lines are drawn.
bool isPage(const DiffOptions &Opts) {
  return Opts.As == Format::Markdown || Opts.As == Format::Html;
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
  return writeOutput(Opts.Output, [&](raw_ostream &OS) {
    if (Opts.As == Format::Json)
      report::writeJson(Is, OS);
    else
      report::writeText(Is, OS);
  });
}

Expected<int> compareWithLock(const DiffOptions &Opts) {
  Expected<LockCheck> Check = checkLockFile(Opts.Lock, Opts.Binaries[0],
                                            Opts.Facts, Opts.Tolerance / 100);
  if (!Check)
    return Check.takeError();
  if (Error E = writeReport(Opts, *Check))
    return std::move(E);
  return Check->isBroken() ? Found : Success;
}

Expected<int> compareBinaries(const DiffOptions &Opts) {
  Expected<Side> Old = readSide(Opts.Binaries[0], {Opts.Line}, Opts.Facts);
  if (!Old)
    return Old.takeError();
  Expected<Side> New = readSide(Opts.Binaries[1], {Opts.Line}, Opts.Facts);
  if (!New)
    return New.takeError();
  std::vector<MateChange> Mates =
      compareLineMates(Old->Layout.Mates, New->Layout.Mates);
  std::vector<FindingChange> Findings =
      compareFindings(Old->Findings, New->Findings);
  report::DiffReport Report{Mates, Findings};
  if (isPage(Opts)) {
    Expected<std::string> Page = drawPage(Opts, Report, *Old, *New);
    if (!Page)
      return Page.takeError();
    if (Error E =
            writeOutput(Opts.Output, [&](raw_ostream &OS) { OS << *Page; }))
      return std::move(E);
  } else if (Error E = writeReport(Opts, Report)) {
    return std::move(E);
  }
  return Mates.empty() && Findings.empty() ? Success : Found;
}

} // namespace

Expected<LockCheck> checkLockFile(StringRef Path, StringRef Binary,
                                  input::FactsFrom Facts, double Tolerance) {
  Expected<Lock> Accepted = input::readLock(Path);
  if (!Accepted)
    return Accepted.takeError();
  Expected<Side> Now = readSide(Binary, Accepted->Mates.Line, Facts);
  if (!Now)
    return Now.takeError();
  Expected<LockCheck> Check = checkLock(
      *Accepted, Now->Layout, Now->Binary.Image, Now->Findings, Tolerance);
  if (!Check)
    return createFileError(Path, Check.takeError());
  return Check;
}

int runDiff(Arguments Args) {
  DiffOptions Opts;
  Opts.As.getParser().addLiteralOption("markdown", Format::Markdown,
                                       "a comment for a pull request");
  Opts.As.getParser().addLiteralOption("html", Format::Html,
                                       "one page for a browser");
  if (!parseOptions(Args, "linesman diff: whose neighbours changed\n"))
    return Failure;
  if (Error E = checkOptions(Opts))
    return fail(std::move(E));
  Expected<int> Result =
      Opts.Lock.empty() ? compareBinaries(Opts) : compareWithLock(Opts);
  return Result ? *Result : fail(Result.takeError());
}

int runLock(Arguments Args) {
  LockOptions Opts;
  if (!parseOptions(Args, "linesman lock: accept the layout of a binary\n"))
    return Failure;
  if (Error E = Opts.Line.check())
    return fail(std::move(E));
  Expected<Side> Now = readSide(Opts.Binary, {Opts.Line}, Opts.Facts);
  if (!Now)
    return fail(Now.takeError());
  if (Now->Layout.Mates.Objects.empty())
    return fail(createFileError(
        Opts.Binary,
        createStringError("no variable of this binary is known to be touched "
                          "while threads run, so a lock would hold nothing")));
  if (Error E = writeOutput(Opts.Output, [&](raw_ostream &OS) {
        report::writeLock(Now->Layout, OS);
      }))
    return fail(std::move(E));
  return Success;
}

} // namespace linesman::tool
