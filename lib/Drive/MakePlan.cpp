// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/MakePlan.h"
#include "linesman/Guard/Suggest.h"
#include "linesman/Input/Ranking.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::drive {

Expected<std::vector<LineFinding>>
selectFindings(std::vector<LineFinding> Findings, const PlanChoice &Choice,
               StringRef Path) {
  if (Choice.Top && *Choice.Top < Findings.size())
    Findings.erase(Findings.begin() + *Choice.Top, Findings.end());
  if (Choice.Select.empty())
    return Findings;
  for (const std::string &Id : Choice.Select)
    if (none_of(Findings, [&](const LineFinding &F) { return F.Id == Id; })) {
      guard::Suggestion Meant(Id);
      for (const LineFinding &F : Findings)
        Meant.consider(F.Id);
      return createStringError(
          formatv("--select={0}: none of the {1} findings of {2} has this "
                  "id{3}",
                  Id, Findings.size(), Path, Meant.text()));
    }
  erase_if(Findings, [&](const LineFinding &F) {
    return !is_contained(Choice.Select, F.Id);
  });
  return Findings;
}

static Expected<plan::Plan> explode(StringRef Path, const Image &Image,
                                    const PlanChoice &Choice) {
  PageMap Pages(Image, Choice.Page);
  Expected<plan::PlannedEdit> Edit =
      plan::explodePage(Image, Pages, Pages.indexOf(*Choice.Explode));
  if (!Edit)
    return Edit.takeError();
  plan::Plan Result{Path.str(), Choice.Line, Choice.Page, {}, {}};
  Result.Edits.push_back(std::move(*Edit));
  return Result;
}

Expected<plan::Plan> makePlanOf(StringRef Path, const input::Binary &Binary,
                                const PlanChoice &Choice) {
  if (Choice.Explode)
    return explode(Path, Binary.Image, Choice);
  if (!input::hasFacts(Binary))
    return createFileError(
        Path, createStringError("no facts in this binary, so there is nothing "
                                "to plan; compile with linesman-facts.so"));
  // Who names a finding has seen it in a list.
  Expected<std::vector<LineFinding>> Findings =
      selectFindings(input::rankLines(Binary, Choice.Line,
                                      Choice.Select.empty() ? Guesses::LeftOut
                                                            : Guesses::Listed),
                     Choice, Path);
  if (!Findings)
    return Findings.takeError();
  plan::PlanRequest Request{*Findings, Choice.Line, Choice.Page, {}};
  if (Choice.Budget)
    Request.Budget = *Choice.Budget;
  plan::Plan Result = plan::makePlan(Binary.Image, Request);
  Result.Binary = Path.str();
  return Result;
}

} // namespace linesman::drive
