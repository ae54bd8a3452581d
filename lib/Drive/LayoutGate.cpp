// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/LayoutGate.h"
#include "linesman/Input/Ranking.h"
#include "linesman/Report/Report.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::drive {

std::string whyFactsSayLittle(const input::Binary &Binary) {
  const facts::DecodeCounts &Facts = Binary.Counts.Facts;
  if (Facts.LittleOptimised <= Facts.Contributions / 2)
    return "";
  return formatv(
      "{0} facts in this binary are of units compiled with -O0, -O1 or -Og, "
      "which say little",
      Facts.LittleOptimised == Facts.Contributions ? "all" : "most");
}

Error checkGate(StringRef Path, const input::Binary &Binary, Judged Subject,
                Rung Least) {
  auto Blind = [&](const Twine &Why, StringRef Cure = "") {
    return createFileError(
        Path,
        createStringError(Why + ", so --fail-on has nothing to judge" + Cure));
  };
  if (!input::hasFacts(Binary))
    return Blind("no facts in this binary",
                 "; compile with -fpass-plugin=linesman-facts.so");
  if (const input::CodeCounts &Code = Binary.Counts.Code;
      !Binary.HasFacts && Code.IsRead) {
    if (!Code.Functions)
      return Blind("no function can be found in this binary, which has neither "
                   "symbols nor .eh_frame_hdr");
    if (Code.NobodysBytes > Code.CodeBytes / 2)
      return Blind("most of the code is in no function that a symbol or "
                   "unwinding information names, and was not read");
    if (Code.IsGo && Binary.Symbols != input::SymbolSource::Symtab)
      return Blind(
          "the Go code of this binary can not be read without symbols");
  }
  if (std::string Why = whyFactsSayLittle(Binary); !Why.empty())
    return Blind(Why, "; compile with -O2");
  if (uint64_t Unspoken = Binary.Counts.Unspoken)
    return createFileError(
        Path,
        createStringError(formatv(
            "{0} no facts of a compiler, so --fail-on would pass what {1}; "
            "compile all units with -fpass-plugin=linesman-facts.so, or leave "
            "out --facts=compiler, so that machine code is read",
            Unspoken == 1
                ? "1 function that uses variables has"
                : formatv("{0} functions that use variables have", Unspoken)
                      .str(),
            Unspoken == 1 ? "it does" : "they do")));
  if (Subject == Judged::Types && Binary.Types.Types.empty())
    return Blind("no facts about types in this binary",
                 "; compile with -fpass-plugin=linesman-facts.so, optimised or "
                 "with -g");
  Rung Highest = Subject == Judged::Types || Binary.Unlinked ? Rung::Suspected
                                                             : Rung::Located;
  if (Least > Highest)
    return Blind(formatv("no finding of {0} is above {1}",
                         Subject == Judged::Types ? "a type"
                         : Binary.Unlinked        ? "objects before the link"
                                                  : "a binary alone",
                         report::word(Highest)));
  return Error::success();
}

} // namespace linesman::drive
