// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What checks say as findings: all that the first rung knows.

#include "linesman/Report/Report.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

/// Messages end with what to do: "..., which is only read; keep it apart".
static StringRef advice(StringRef Message) {
  return Message.substr(Message.find_last_of(";:") + 1).ltrim();
}

static Finding describe(const SuspectedFinding &Suspected) {
  Finding Result;
  Result.Id = Suspected.Id;
  Result.Reached = Rung::Suspected;
  Result.Kind = word(Suspected.Kind);
  Result.Score = 0;
  Result.About = SourceSubject();
  FindingSuspicion &Suspicion = Result.Suspicion.emplace();
  if (Suspected.Subject != SubjectKind::Unknown)
    Suspicion.Subject = word(Suspected.Subject);
  Suspicion.Field = Suspected.Field;
  Suspicion.Neighbour = Suspected.Neighbour;
  Suspicion.Check = Suspected.Check;
  Suspicion.Message = Suspected.Message;
  FindingOccupant &Occupant = Result.Occupants.emplace_back();
  Occupant.Name = Suspected.Id;
  FindingSite &Site = Occupant.Sites.emplace_back();
  Site.Function = Suspected.Function;
  Site.Place = parsePlace(Suspected.Source);
  Site.Access = word(facts::AccessKind::Write);
  Result.Remedy = {
      word(Suspected.Cure).str(), advice(Suspected.Message).str(), {}};
  for (const SuspectedFinding::Note &Note : Suspected.Notes)
    Result.Notes.push_back({Note.Message, parsePlace(Note.Source)});
  for (const SourceEdit &Edit : Suspected.Fix)
    Result.Fix.push_back({parsePlace(Edit.Source), Edit.Before, Edit.After});
  return Result;
}

std::vector<Finding> describeFindings(ArrayRef<SuspectedFinding> Suspected) {
  std::vector<Finding> Result;
  for (const SuspectedFinding &Finding : Suspected)
    Result.push_back(describe(Finding));
  return Result;
}

} // namespace linesman::report
