// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One way from findings to a report and the verdict of a gate.

#include "linesman/Report/Deliver.h"
#include "linesman/Guard/Output.h"
#include "linesman/Guard/Text.h"
#include "linesman/Report/Baseline.h"
#include "linesman/Report/Formats.h"
#include "linesman/Report/Paint.h"
#include "linesman/Report/Patch.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/STLExtras.h"
#include <cassert>

using namespace llvm;

namespace linesman::report {

namespace {

/// More than anybody reads, and few enough for a page of some megabytes; and
/// what a comment of a pull request has room for.
constexpr uint64_t TextTop = 10, PageTop = 500, ToolTop = 1000, CommentTop = 5;
/// Failing findings that are named.
constexpr size_t MostNamed = 20, MostFilesNamed = 3;

std::string textOf(const std::function<void(raw_ostream &)> &Write) {
  std::string Text;
  raw_string_ostream OS(Text);
  Write(OS);
  return Text;
}

/// What is shown, without a comparison.
std::string jsonOf(const Findings &Found) {
  return textOf([&](raw_ostream &OS) { Found.Json(/*Changes=*/nullptr, OS); });
}

/// What a gate judges and a baseline accepts.
struct Judged {
  Document Whole;
  std::optional<Document> Accepted;

  const Comparison *against() const {
    return Whole.Changes ? &*Whole.Changes : nullptr;
  }
};

/// Whether a gate judges a part of the findings only.
bool isChosen(const Delivery &Asked, const Findings &Found) {
  return Found.IsJudged && Asked.FailsOn;
}

Expected<Judged> judge(const Delivery &Asked, const Findings &Found) {
  Judged Result;
  const bool NeedsWhole = Asked.wantsAll() || isChosen(Asked, Found);
  if (NeedsWhole) {
    if (Error E = parseReport(Found.Whole ? textOf(Found.Whole) : jsonOf(Found))
                      .moveInto(Result.Whole))
      return std::move(E);
    if (Found.IsJudged)
      erase_if(Result.Whole.Findings,
               [&](const Finding &F) { return !Found.IsJudged(F); });
  }
  if (Asked.Baseline.empty())
    return Result;
  Expected<Document> Accepted = readReportFile(Asked.Baseline);
  if (!Accepted)
    return Accepted.takeError();
  Result.Accepted = std::move(*Accepted);
  if (Error E = checkSameProgram(Result.Whole, *Result.Accepted))
    return createFileError(Asked.Baseline, std::move(E));
  compare(Result.Whole, *Result.Accepted);
  return Result;
}

/// A form that visits the document: all but text, JSON and the page.
Error writeVisited(const Delivery &Asked, Document &Shown,
                   const SourceRoot &Tree, raw_ostream &Notes,
                   raw_ostream &OS) {
  if (Asked.Form == Format::Patch) {
    // It reads the sources, by their whole paths.
    uint64_t Begin = OS.tell();
    if (Error E = writePatch(Shown, Tree, OS))
      return E;
    if (OS.tell() == Begin)
      Notes << "linesman: note: no check knows a change of the source for "
               "these findings\n";
    return Error::success();
  }
  Tree.apply(Shown);
  if (Asked.Form == Format::Sarif)
    writeSarif(Shown, Asked.Version, OS);
  else if (Asked.Form == Format::Markdown)
    writeMarkdown(Shown, OS);
  else if (size_t LeftOut = writeGitLab(Shown, OS))
    Notes << "linesman: note: findings without a place in the source, which "
             "are not in this report: "
          << LeftOut << '\n';
  if (Shown.Hidden && Asked.Form != Format::Markdown)
    Notes << "linesman: note: more findings, which --top=N shows: "
          << Shown.Hidden << '\n';
  return Error::success();
}

Error writeReport(const Delivery &Asked, const Findings &Found,
                  const Judged &Is, raw_ostream &Notes, raw_ostream &OS) {
  Expected<SourceRoot> Tree = findSourceRoot(Asked.Root);
  if (!Tree)
    return Tree.takeError();
  if (Asked.Form == Format::Text) {
    Found.Text(Is.against(), OS);
    return Error::success();
  }
  if (Asked.Form == Format::Markdown && Found.Markdown) {
    Found.Markdown(Is.against(), OS);
    return Error::success();
  }
  if (Asked.Form == Format::Html || Asked.Form == Format::Json) {
    std::string Compared = Tree->apply(
        textOf([&](raw_ostream &Text) { Found.Json(Is.against(), Text); }));
    if (Asked.Form == Format::Html)
      return Found.Html(Compared, OS);
    OS << Compared;
    return Error::success();
  }
  Expected<Document> Shown = parseReport(jsonOf(Found));
  if (!Shown)
    return Shown.takeError();
  if (Is.Accepted)
    compare(*Shown, *Is.Accepted);
  Shown->Changes = Is.Whole.Changes;
  return writeVisited(Asked, *Shown, *Tree, Notes, OS);
}

/// In colour. What it quotes a terminal does not obey.
Error writePainted(StringRef Report) {
  std::string Printable;
  raw_string_ostream OS(Printable);
  guard::PrintableStream(OS) << Report;
  return guard::writeSequences(paint(Printable));
}

void nameFailing(ArrayRef<const Finding *> Failing, raw_ostream &Notes) {
  for (const Finding *F : Failing.take_front(MostNamed)) {
    std::vector<std::string> Files;
    for (const FindingFile &File : F->Files)
      Files.push_back(File.Path);
    Notes << "linesman: new or worse than accepted: " << F->Id
          << (Files.empty() ? "" : " in ") << listed(Files, MostFilesNamed)
          << '\n';
  }
  if (Failing.size() > MostNamed)
    Notes << "linesman: and " << Failing.size() - MostNamed << " more\n";
}

} // namespace

uint64_t mostShown(Format Form, uint64_t All) {
  switch (Form) {
  case Format::Text:
    return TextTop;
  case Format::Html:
    return PageTop;
  case Format::Sarif:
  case Format::GitLab:
    return ToolTop;
  case Format::Markdown:
    return CommentTop;
  case Format::Json:
  case Format::Patch:
    return All;
  }
  llvm_unreachable("unknown format");
}

Findings mergedFindings(const MergedFindings &Merged, Format Form,
                        uint64_t Most, size_t Columns) {
  MergedFindings Shown =
      Merged.first(Form == Format::Json ? Merged.Findings.size() : Most);
  Findings Found;
  Found.Text = [&Merged, Most, Columns](const Comparison *Changes,
                                        raw_ostream &OS) {
    writeText(Merged, Most, Changes, Columns, OS);
  };
  Found.Json = [Shown = std::move(Shown)](const Comparison *Changes,
                                          raw_ostream &OS) {
    writeJson(Shown, Changes, OS);
  };
  Found.Whole = [&Merged](raw_ostream &OS) {
    writeJson(Merged, /*Changes=*/nullptr, OS);
  };
  Found.Highest = Merged.highest();
  return Found;
}

Error Delivery::check() const {
  // It is read again when it is needed: the work may take minutes.
  if (!Baseline.empty())
    if (Expected<Document> Read = readReportFile(Baseline); !Read)
      return Read.takeError();
  return joinErrors(guard::checkOutput(Output),
                    NewBaseline.empty() ? Error::success()
                                        : guard::checkOutput(NewBaseline));
}

Expected<Gate> deliver(const Delivery &Asked, const Findings &Found,
                       raw_ostream &Notes) {
  assert(Found.Text && Found.Json && "every command writes both");
  assert((Asked.Form != Format::Html || Found.Html) &&
         "only a command with a page offers it");
  Expected<Judged> Is = judge(Asked, Found);
  if (!Is)
    return Is.takeError();
  std::string Report;
  raw_string_ostream Stream(Report);
  if (Error E = writeReport(Asked, Found, *Is, Notes, Stream))
    return std::move(E);
  const bool IsStdout = Asked.Output.empty() || Asked.Output == "-";
  if (Asked.Form == Format::Text && IsStdout && Asked.IsPainted) {
    if (Error E = writePainted(Report))
      return std::move(E);
  } else if (Error E = guard::writeOutput(
                 Asked.Output, [&](raw_ostream &OS) { OS << Report; })) {
    return std::move(E);
  }
  if (!Asked.NewBaseline.empty())
    if (Error E = guard::writeOutput(Asked.NewBaseline, [&](raw_ostream &OS) {
          writeBaseline(Is->Whole, OS);
        }))
      return std::move(E);
  if (!Asked.FailsOn || !Found.Highest || *Found.Highest < *Asked.FailsOn)
    return Gate::Passes;
  if (!Is->Accepted && !isChosen(Asked, Found))
    return Gate::Fails;
  auto Failing = findFailing(Is->Whole, *Asked.FailsOn);
  if (Is->Accepted)
    nameFailing(Failing, Notes);
  return Failing.empty() ? Gate::Passes : Gate::Fails;
}

} // namespace linesman::report
