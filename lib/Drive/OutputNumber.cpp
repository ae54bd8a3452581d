// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last match of a regular expression, as a number.

#include "linesman/Drive/OutputNumber.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Regex.h"
#include <algorithm>

using namespace llvm;

namespace linesman::drive {

std::optional<StringRef> findLastMatch(StringRef Output, StringRef Match) {
  Regex Pattern(Match, Regex::Newline);
  SmallVector<StringRef> Groups;
  std::optional<StringRef> Last;
  while (!Output.empty() && Pattern.match(Output, &Groups)) {
    if (!Groups[0].empty())
      Last = Groups.size() > 1 ? Groups[1] : Groups[0];
    size_t Next = Groups[0].end() - Output.begin() + Groups[0].empty();
    // What is cut off in a line would make its middle a beginning.
    if (Match.starts_with("^"))
      Next = std::max(Next, Output.find('\n', Next));
    Output = Output.drop_front(std::min(Next, Output.size()));
  }
  return Last;
}

Expected<double> readNumber(StringRef Output, StringRef Match) {
  std::optional<StringRef> Last = findLastMatch(Output, Match);
  if (!Last)
    return createStringError("the output has no match of --match=" + Match);
  double Value;
  if (Last->getAsDouble(Value))
    return createStringError("--match=" + Match + " matched '" + *Last +
                             "', which is not a number");
  return Value;
}

} // namespace linesman::drive
