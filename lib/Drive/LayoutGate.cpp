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

std::string whyUnread(const input::Binary &Binary) {
  const input::CodeCounts &Code = Binary.Counts.Code;
  if ((Code.Unreached || Binary.Counts.UnreachedFunctions) && !Code.Functions &&
      !Code.Skipped && Binary.Accesses.empty())
    return "none of this binary's functions was read, because nothing leads to "
           "them";
  if (Binary.HasFacts || !Code.IsRead)
    return "";
  if (!Code.Functions)
    return "no function can be found in this binary, which has neither symbols "
           "nor .eh_frame_hdr";
  if (Code.NobodysBytes > Code.CodeBytes / 2)
    return "most of the code is in no function that a symbol or unwinding "
           "information names, and was not read";
  if (Code.IsGo && Binary.Symbols != input::SymbolSource::Symtab)
    return "the Go code of this binary can not be read without symbols";
  return "";
}

/// Functions that a compiler's facts leave out.
static std::string describeUnspoken(uint64_t Unspoken) {
  const bool IsOne = Unspoken == 1;
  return formatv(
      "{0} no facts of a compiler, so --fail-on would pass what {1}; compile "
      "all units with -fpass-plugin=linesman-facts.so, or leave out "
      "--facts=compiler, so that machine code is read",
      IsOne ? "1 function that uses variables has"
            : formatv("{0} functions that use variables have", Unspoken).str(),
      IsOne ? "it does" : "they do");
}

std::string whyBlind(const input::Binary &Binary, Judged Subject) {
  auto Blind = [](const Twine &Reason, StringRef Cure = "") {
    return (Reason + NothingToJudge + Cure).str();
  };
  if (!input::hasFacts(Binary))
    return Blind("no facts in this binary",
                 "; compile with -fpass-plugin=linesman-facts.so");
  if (std::string Reason = whyUnread(Binary); !Reason.empty())
    return Blind(Reason);
  if (std::string Reason = whyFactsSayLittle(Binary); !Reason.empty())
    return Blind(Reason, "; compile with -O2");
  if (Binary.Counts.Unspoken)
    return describeUnspoken(Binary.Counts.Unspoken);
  if (Subject == Judged::Types && Binary.Types.Types.empty())
    return Blind("no facts about types in this binary",
                 "; compile with -fpass-plugin=linesman-facts.so, optimised or "
                 "with -g");
  return "";
}

Rung highestRung(const input::Binary &Binary, Judged Subject) {
  return Subject == Judged::Types || Binary.Unlinked ? Rung::Suspected
                                                     : Rung::Located;
}

Error checkGate(StringRef Path, const input::Binary &Binary, Judged Subject,
                Rung Least) {
  if (std::string Reason = whyBlind(Binary, Subject); !Reason.empty())
    return createFileError(Path, createStringError(Reason));
  Rung Highest = highestRung(Binary, Subject);
  if (Least <= Highest)
    return Error::success();
  return createFileError(Path, createStringError(formatv(
                                   "no finding of {0} is above {1}{2}",
                                   Subject == Judged::Types ? "a type"
                                   : Binary.Unlinked ? "objects before the link"
                                                     : "a binary alone",
                                   report::word(Highest), NothingToJudge)));
}

} // namespace linesman::drive
