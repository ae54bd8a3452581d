// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/LinkGates.h"
#include "linesman/Drive/DiffSides.h"
#include "linesman/Drive/LayoutGate.h"
#include "linesman/Input/Ranking.h"
#include "linesman/Input/ReadLock.h"
#include "linesman/Report/Diff.h"
#include "linesman/Report/TextLines.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::drive {

Error checkScore(StringRef Output, const input::Binary &Linked, double Most) {
  // A gate that cannot see must not say that all is well.
  std::string Reason =
      input::hasFacts(Linked) ? whyUnread(Linked) : "no facts in this binary";
  if (Reason.empty())
    Reason = whyFactsSayLittle(Linked);
  if (!Reason.empty())
    return createFileError(
        Output, createStringError(Reason + ", so max_score has nothing to "
                                           "judge"));
  double Total = 0;
  for (const LineFinding &Finding : input::rankLines(Linked))
    Total += Finding.Points.total();
  if (Total <= Most)
    return Error::success();
  return createFileError(
      Output, createStringError(formatv(
                  "the findings score {0} together, expected at most {1}",
                  report::scoreText(Total), report::scoreText(Most))));
}

Error checkLockOf(StringRef Output, input::Binary Linked, StringRef Lock) {
  Expected<layout::Lock> Accepted = input::readLock(Lock);
  if (!Accepted)
    return Accepted.takeError();
  Expected<Side> Now =
      makeSide(Output, std::move(Linked), Accepted->Mates.Line);
  if (!Now)
    return Now.takeError();
  Expected<LockCheck> Check = checkSide(*Accepted, Lock, *Now);
  if (!Check)
    return Check.takeError();
  if (!Check->isBroken())
    return Error::success();
  std::string Text;
  raw_string_ostream OS(Text);
  report::writeText(*Check, OS);
  return createFileError(Output, createStringError(Lock + " is broken:\n" +
                                                   StringRef(Text).rtrim()));
}

} // namespace linesman::drive
