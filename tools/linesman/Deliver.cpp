// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One way from findings to a report and an exit code.

#include "Deliver.h"
#include "VisitedForms.h"
#include "linesman/Guard/Output.h"
#include "linesman/Report/Baseline.h"
#include "linesman/Report/Merge.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linesman::tool {

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

void nameFailing(ArrayRef<const report::Finding *> Failing) {
  for (const report::Finding *F : Failing.take_front(MostNamed)) {
    std::vector<std::string> Files;
    for (const report::FindingFile &File : F->Files)
      Files.push_back(File.Path);
    errs() << "linesman: new or worse than accepted: " << F->Id
           << (Files.empty() ? "" : " in ")
           << report::listed(Files, MostFilesNamed) << '\n';
  }
  if (Failing.size() > MostNamed)
    errs() << "linesman: and " << Failing.size() - MostNamed << " more\n";
}

} // namespace

uint64_t mostShown(Format As, uint64_t All) {
  switch (As) {
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

DeliveryOptions::DeliveryOptions(cl::SubCommand &Command, Format Default,
                                 FindingsFormatOption::Also Extra)
    : As(Command, Default, Extra), Output(Command), Color(Command),
      Root(Command), Fails(Command), Baseline(Command),
      NewBaseline("write-baseline",
                  cl::desc("Accept all findings: write them to this file, for "
                           "--baseline"),
                  cl::value_desc("file"), cl::sub(Command)) {}

Error DeliveryOptions::check() const {
  if (Error E = Baseline.check(Fails))
    return E;
  // It is read again when it is needed: the work may take minutes.
  if (!Baseline.empty())
    if (Expected<report::Document> Read = Baseline.read(); !Read)
      return Read.takeError();
  if (!NewBaseline.empty())
    return guard::checkOutput(NewBaseline);
  return Error::success();
}

Expected<int> DeliveryOptions::deliver(const Findings &Found) const {
  const bool IsCompared = !Baseline.empty();
  const bool IsVisited =
      As != Format::Text && As != Format::Json && As != Format::Html;
  std::string Shown =
      textOf([&](raw_ostream &OS) { Found.Json(/*Against=*/nullptr, OS); });
  // What is judged, and what is accepted.
  report::Document Whole;
  const bool IsChosen = Found.IsJudged && Fails.isAsked();
  if (wantsAll() || IsVisited || IsChosen) {
    Expected<report::Document> Read = report::parseReport(
        Found.Whole && (wantsAll() || IsChosen) ? textOf(Found.Whole) : Shown);
    if (!Read)
      return Read.takeError();
    Whole = std::move(*Read);
    if (Found.IsJudged)
      erase_if(Whole.Findings,
               [&](const report::Finding &F) { return !Found.IsJudged(F); });
  }
  std::optional<report::Document> Accepted;
  if (IsCompared) {
    Expected<report::Document> Read = Baseline.read();
    if (!Read)
      return Read.takeError();
    Accepted = std::move(*Read);
    if (Error E = report::checkSameProgram(Whole, *Accepted))
      return createFileError(Baseline.getValue(), std::move(E));
    report::compare(Whole, *Accepted);
  }
  const report::Comparison *Against = Whole.Against ? &*Whole.Against : nullptr;

  Expected<report::SourceRoot> Tree = findSourceRoot(Root.getValue());
  if (!Tree)
    return Tree.takeError();
  std::string Text;
  raw_string_ostream Stream(Text);
  if (As == Format::Text) {
    Found.Text(Against, Stream);
  } else if (As == Format::Markdown && Found.Markdown) {
    Found.Markdown(Against, Stream);
  } else if (As == Format::Html || As == Format::Json) {
    std::string Json =
        Tree->apply(textOf([&](raw_ostream &OS) { Found.Json(Against, OS); }));
    if (As == Format::Json)
      Stream << Json;
    else if (Error E = Found.Html(Json, Stream))
      return std::move(E);
  } else {
    Expected<report::Document> Document = report::parseReport(Shown);
    if (!Document)
      return Document.takeError();
    if (Accepted)
      report::compare(*Document, *Accepted);
    Document->Against = Whole.Against;
    if (Error E = writeVisited(As, *Document, *Tree, Stream))
      return std::move(E);
  }
  const bool IsPainted =
      As == Format::Text && Output.empty() && Color.isWanted();
  if (Error E = IsPainted ? writePainted(Text)
                          : guard::writeOutput(
                                Output, [&](raw_ostream &OS) { OS << Text; }))
    return std::move(E);
  if (!NewBaseline.empty())
    if (Error E = guard::writeOutput(NewBaseline, [&](raw_ostream &OS) {
          report::writeBaseline(Whole, OS);
        }))
      return std::move(E);
  if (!Found.Highest || !Fails.covers(*Found.Highest))
    return Success;
  if (!IsCompared && !IsChosen)
    return tool::Found;
  auto Failing = report::findFailing(Whole, Fails.getValue());
  if (IsCompared)
    nameFailing(Failing);
  return Failing.empty() ? Success : tool::Found;
}

Expected<int>
deliverMerged(const DeliveryOptions &Delivery,
              const report::MergedFindings &Merged, std::optional<uint64_t> Top,
              std::function<bool(const report::Finding &)> IsJudged) {
  uint64_t Most = Top.value_or(mostShown(Delivery.As, Merged.Findings.size()));
  // JSON is for the next command, which wants all.
  report::MergedFindings Shown =
      Merged.first(Delivery.As == Format::Json ? Merged.Findings.size() : Most);
  Findings Found;
  Found.Text = [&](const report::Comparison *Against, raw_ostream &OS) {
    report::writeText(Merged, Most, Against, textColumns(Delivery.Output), OS);
  };
  Found.Json = [&](const report::Comparison *Against, raw_ostream &OS) {
    report::writeJson(Shown, Against, OS);
  };
  Found.Whole = [&](raw_ostream &OS) {
    report::writeJson(Merged, /*Against=*/nullptr, OS);
  };
  Found.Highest = Merged.highest();
  Found.IsJudged = std::move(IsJudged);
  return Delivery.deliver(Found);
}

} // namespace linesman::tool
