// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DescribeSeen.h"
#include <set>

using namespace llvm;
using namespace linesman::watch;

namespace linesman::drive {

namespace {

StringRef partName(const ThreadEvidence &Thread) {
  switch (Thread.Part) {
  case ThreadEvidence::Part::Watched:
    return "watched";
  case ThreadEvidence::Part::Slept:
    return "slept";
  case ThreadEvidence::Part::HardlyRan:
    return "hardly-ran";
  }
  llvm_unreachable("all parts are named");
}

double milliseconds(uint64_t Nanoseconds) { return double(Nanoseconds) * 1e-6; }

report::ObservedAbsence describeAbsence(const Observation &Seen) {
  const Certainty &Certain = *Seen.Absent;
  report::ObservedAbsence Result;
  Result.Absent = Certain.Claimed == Absence::Stores ? "store" : "access";
  Result.EveryMs = milliseconds(Evidence::StatedGap);
  Result.Missed = Certain.Missed;
  Result.Significance = Evidence::Significance;
  Result.UnmetMs = milliseconds(Certain.Unmet);
  for (const ThreadEvidence &Thread : Certain.Threads) {
    auto Name = Seen.ThreadNames.find(Thread.Thread);
    Result.Threads.push_back(
        {Thread.Thread.Value,
         Name == Seen.ThreadNames.end() ? "" : Name->second,
         partName(Thread).str(), milliseconds(Thread.Ran),
         milliseconds(Thread.Armed), Thread.Windows, Thread.Missed});
  }
  if (Certain.RarestGap)
    Result.RarestEveryMs = milliseconds(Certain.RarestGap);
  if (Certain.Weakest)
    Result.WeakestThread = Certain.Weakest->Value;
  return Result;
}

report::ObservedAccess describeAccess(const NamedAccess &Access) {
  report::ObservedAccess Result;
  Result.Thread = Access.Thread.Value;
  Result.ThreadName = Access.ThreadName;
  Result.Reads = Access.Reads;
  Result.Writes = Access.Writes;
  Result.IsCeiling = Access.Ceiling;
  std::set<std::string> Known;
  for (const NamedSite &Site : Access.Sites)
    if (std::string Name = Site.Name.brief(); Known.insert(Name).second)
      Result.Sites.push_back(report::parsePlace(Name));
  return Result;
}

} // namespace

report::FindingObservation describeSeen(const Observation &Seen) {
  report::FindingObservation Result;
  Result.Verdict = verdictName(Seen.Says);
  Result.Outcome = outcomeName(Seen.Means);
  for (const NamedField &Field : Seen.Fields) {
    report::ObservedWord &Word = Result.Words.emplace_back();
    Word.Offset = Field.Bytes.Offset;
    Word.Size = Field.Bytes.Size;
    Word.IsExact = Field.IsExact;
    Word.Label = Field.Label;
    for (const NamedAccess &Access : Field.Accesses)
      Word.Accesses.push_back(describeAccess(Access));
  }
  if (Seen.Absent)
    Result.Absence = describeAbsence(Seen);
  Result.Advice = Seen.Advice;
  return Result;
}

report::Finding describeLine(const Observation &Seen) {
  report::Finding Result;
  Result.Id = Seen.Subject;
  report::VariableSubject Subject;
  Subject.Line.emplace().Address = Seen.Address;
  Result.About = std::move(Subject);
  Result.Seen = describeSeen(Seen);
  return Result;
}

} // namespace linesman::drive
