// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/PageWrites.h"
#include "linesman/Process/State.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace linesman::control;
using namespace linesman::process;

namespace linesman::drive {

void PageWrites::add(ArrayRef<RunRange> Regions) {
  ++Scans;
  for (RunRange R : Regions)
    for (RunAddress A = R.Begin; A < R.End; A.Value += pageSize())
      ++Pages[A];
}

void writeText(const PageWrites &Seen, StaticPages &Pages, raw_ostream &OS) {
  uint64_t Total = 0;
  for (const NamedModule &M : Pages.modules())
    for (RunRange R : M.Loaded.Ranges)
      Total += R.size() / pageSize();
  OS << formatv("{0} of {1} static pages written, {2} scan{3}\n",
                Seen.Pages.size(), Total, Seen.Scans,
                Seen.Scans == 1 ? "" : "s");
  const NamedModule *Last = nullptr;
  for (auto [Address, Count] : Seen.Pages) {
    NamedModule *M = Pages.moduleOf(Address);
    if (!M)
      continue;
    if (M != Last)
      OS << '\n' << sys::path::filename(M->Loaded.Path) << '\n';
    Last = M;
    OS << formatv(
        "  {0,-12} {1,-18} {2}\n",
        formatv("{0:x}", M->Loaded.Bias.toLink(Address).Value).str(),
        formatv("in {0} of {1}", Count, Seen.Scans).str(),
        shorten(Pages.symbolsIn(*M, {Address, {Address.Value + pageSize()}})));
  }
}

} // namespace linesman::drive
