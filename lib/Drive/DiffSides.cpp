// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read, rank, draw.

#include "linesman/Drive/DiffSides.h"
#include "linesman/Drive/LayoutGate.h"
#include "linesman/Guard/Document.h"
#include "linesman/Layout/MatchLines.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::drive {

Expected<Side> makeSide(StringRef Path, input::Binary Binary, LineSize Line) {
  if (!input::hasFacts(Binary))
    return createFileError(
        Path,
        createStringError("no facts in this binary: which objects matter "
                          "is not known; compile with linesman-facts.so"));
  auto IsAnonymous = [&](uint32_t Symbol) {
    return Binary.Image.symbols()[Symbol].Origin == SymbolOrigin::Anonymous;
  };
  ArrayRef<AccessedObject> Touched = Binary.Accesses.objects();
  if (!Touched.empty() && all_of(Touched, [&](const AccessedObject &O) {
        return IsAnonymous(O.Symbol);
      }))
    return createFileError(
        Path, createStringError("no object that the code accesses has a "
                                "symbol, and addresses change with each link; "
                                "use the binary before it was stripped, or put "
                                "its debug file (.gnu_debuglink) beside it"));
  std::vector<LineFinding> Findings = input::rankLines(Binary, Line);
  erase_if(Findings, [&](const LineFinding &F) { return IsAnonymous(F.Head); });
  Lock Layout = makeLock(Binary.Image, LineMap(Binary.Image, Line),
                         Binary.Accesses, Findings);
  Layout.UnitsWithFacts = Binary.Counts.Facts.Contributions;
  return Side{Path.str(), std::move(Binary), std::move(Layout),
              std::move(Findings)};
}

std::vector<FindingChange> compareFindings(const Side &Old, const Side &New) {
  const Identities Before(Old.Binary.Image), After(New.Binary.Image);
  return layout::compareFindings(
      Old.Findings,
      [&](uint32_t Symbol) {
        return keyOf(After.translate(Before.of(Symbol)));
      },
      New.Findings, [&](uint32_t Symbol) { return keyOf(After.of(Symbol)); });
}

/// The line of a finding on one side, or that of its head where this side has
/// no such finding: then it may have one of another name there. Nothing where
/// it has no such object.
static std::optional<LineFinding> findLine(const Side &Compared, StringRef Id,
                                           const Side &Other) {
  auto HasId = [&](const LineFinding &F) { return F.Id == Id; };
  if (auto It = find_if(Compared.Findings, HasId);
      It != Compared.Findings.end())
    return *It;
  auto It = find_if(Other.Findings, HasId);
  if (It == Other.Findings.end())
    return std::nullopt;
  const Image &Image = Compared.Binary.Image;
  std::optional<uint32_t> Head =
      Identities(Image).find(Identities(Other.Binary.Image).of(It->Head));
  if (!Head)
    return std::nullopt;
  LineMap Lines(Image, Compared.Layout.Mates.Line);
  LineFinding F;
  F.Head = *Head;
  F.Id = Id;
  F.Line = Lines.indexOf(Image.symbols()[*Head].Address);
  for (const LineFinding &Known : Compared.Findings)
    if (Known.Line == F.Line)
      return Known;
  F.Occupants = lineOccupants(Image, Lines, Compared.Binary.Accesses, F.Line);
  return F;
}

std::vector<report::DiffPicture> drawChanges(ArrayRef<FindingChange> Changes,
                                             const Side &Old, const Side &New,
                                             size_t Most,
                                             ReportDetails::Warning Warn) {
  std::vector<FindingChange> Sorted(Changes);
  stable_sort(Sorted, [](const FindingChange &A, const FindingChange &B) {
    return std::abs(A.NewScore - A.OldScore) >
           std::abs(B.NewScore - B.OldScore);
  });
  if (Sorted.size() > Most)
    Sorted.resize(Most);
  std::vector<report::DiffPicture> Pictures(Sorted.size());
  auto Draw = [&](const Side &Compared, const Side &Other,
                  std::optional<report::Finding> report::DiffPicture::*Part) {
    std::vector<LineFinding> Lines;
    std::vector<size_t> Indices;
    for (auto [I, Change] : enumerate(Sorted))
      if (auto Line =
              findLine(Compared,
                       &Compared == &Old && !Change.OldId.empty() ? Change.OldId
                                                                  : Change.Id,
                       Other)) {
        Lines.push_back(std::move(*Line));
        Indices.push_back(I);
      }
    std::vector<report::Finding> Drawn = documentLines(
        {Compared.Path, Compared.Binary, Compared.Layout.Mates.Line, Lines},
        Warn);
    for (auto [I, Finding] : zip(Indices, Drawn))
      Pictures[I].*Part = std::move(Finding);
  };
  for (auto [Picture, Change] : zip(Pictures, Sorted))
    Picture.Change = Change;
  Draw(Old, New, &report::DiffPicture::Old);
  Draw(New, Old, &report::DiffPicture::New);
  return Pictures;
}

Expected<report::DiffPage> drawPage(const report::DiffReport &Report,
                                    const Side &Old, const Side &New,
                                    const PageChoice &Choice,
                                    ReportDetails::Warning Warn) {
  report::DiffPage Page{Report,
                        Choice.Tree.relative(Old.Path),
                        Choice.Tree.relative(New.Path),
                        Old.total(),
                        New.total(),
                        {},
                        std::nullopt};
  if (!Choice.Measured.empty()) {
    Expected<json::Value> Parsed = guard::readJson(Choice.Measured);
    if (!Parsed)
      return Parsed.takeError();
    Expected<report::DiffNumbers> Numbers = report::readNumbers(*Parsed);
    if (!Numbers)
      return createFileError(Choice.Measured, Numbers.takeError());
    Page.Numbers = std::move(*Numbers);
  }
  Page.Pictures = drawChanges(Report.Findings, Old, New, Choice.Most, Warn);
  for (report::DiffPicture &Picture : Page.Pictures)
    for (std::optional<report::Finding> *Is : {&Picture.Old, &Picture.New})
      if (*Is)
        Choice.Tree.apply(**Is);
  return Page;
}

Error checkRead(const Side &Compared) {
  std::string Reason = whyUnread(Compared.Binary);
  if (Reason.empty())
    return Error::success();
  return createFileError(
      Compared.Path,
      createStringError(Reason + ": which objects matter is not known"));
}

Error checkLockable(const Side &Compared) {
  std::string Reason = whyFactsSayLittle(Compared.Binary);
  if (Reason.empty())
    return Error::success();
  return createFileError(
      Compared.Path,
      createStringError(Reason + ", so a lock has little to hold; compile with "
                                 "-O2"));
}

Expected<LockCheck> checkSide(const Lock &Accepted, StringRef Path,
                              const Side &Now, double Tolerance) {
  if (Error E = checkLockable(Now))
    return std::move(E);
  Expected<LockCheck> Check = checkLock(Accepted, Now.Layout, Now.Binary.Image,
                                        Now.Findings, Tolerance);
  if (!Check)
    return createFileError(Path, Check.takeError());
  // Last, because a lock knows better what is missing.
  if (Error E = checkRead(Now))
    return std::move(E);
  return Check;
}

} // namespace linesman::drive
