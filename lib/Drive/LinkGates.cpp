// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/LinkGates.h"
#include "linesman/Drive/DiffSides.h"
#include "linesman/Input/Ranking.h"
#include "linesman/Report/Diff.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::drive {

Error checkScore(StringRef Output, double Most) {
  Expected<input::Binary> Binary = input::readRanked(Output);
  if (!Binary)
    return Binary.takeError();
  // A gate that cannot see must not say that all is well.
  if (!input::hasFacts(*Binary))
    return createFileError(
        Output, createStringError("no facts in this binary, so max_score has "
                                  "nothing to judge"));
  double Total = 0;
  for (const LineFinding &Finding : input::rankLines(*Binary))
    Total += Finding.Points.total();
  if (Total <= Most)
    return Error::success();
  return createFileError(
      Output, createStringError(formatv(
                  "the findings score {0:f1} together, expected at most {1:f1}",
                  Total, Most)));
}

Error checkLockOf(StringRef Output, StringRef Lock) {
  Expected<LockCheck> Check = checkLockFile(Lock, Output);
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
