// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/WeighAccesses.h"
#include "linesman/Guard/Suggest.h"
#include "linesman/Input/Ranking.h"
#include "linesman/Input/ReadSamples.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::drive {

Error weighAccesses(const input::Binary &Binary, const Weights &Weighing,
                    layout::AccessTable &Accesses,
                    std::vector<std::string> &Notes) {
  std::vector<NodeIndex> Entries;
  for (const std::string &Name : Weighing.ThreadEntries) {
    NodeIndex Entry = Binary.Calls.find(Name);
    if (Entry == NoNode) {
      guard::Suggestion Meant(Name);
      for (const GraphNode &Node : Binary.Calls.Nodes)
        Meant.considerSymbol(Node.Name);
      return createStringError("--thread-entry=" + Name +
                               ": the binary has no facts about a function of "
                               "this name" +
                               Meant.text());
    }
    Entries.push_back(Entry);
  }
  if (input::assignRoles(Binary, Accesses, Entries) ==
          input::Threads::Unknown &&
      Binary.Calls.HasCalls)
    Notes.push_back("no place is known where a thread starts: all but start-up "
                    "code may run on any number of threads. --thread-entry "
                    "names functions that threads run.");
  if (Weighing.Samples.empty())
    return Error::success();
  Expected<input::Samples> Samples =
      input::readSamples(Weighing.Samples, Binary);
  if (!Samples)
    return Samples.takeError();
  Accesses.reweigh([&](LinkAddress Function) {
    return Samples->OfFunction.lookup(Function.Value);
  });
  if (Samples->Elsewhere > 0)
    Notes.push_back(formatv(
        "{0} in no function of this binary",
        Samples->Elsewhere == 1
            ? "1 sample is"
            : formatv("{0} samples are", uint64_t(Samples->Elsewhere)).str()));
  return Error::success();
}

} // namespace linesman::drive
