// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/AppliedEdits.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::plan;

namespace linesman::drive {

void writeApplied(ArrayRef<relink::AppliedEdit> Applied, raw_ostream &OS) {
  for (const relink::AppliedEdit &Edit : Applied)
    for (const relink::Placed &P : Edit.Symbols) {
      OS << P.Symbol << ": ";
      switch (Edit.Change.Kind) {
      case EditKind::Isolate:
        OS << "alone on its line" << (P.Size > Edit.Change.Bytes ? "s" : "");
        break;
      case EditKind::Group:
        OS << formatv("in a group of {0}", Edit.Symbols.size());
        break;
      case EditKind::Pad:
        OS << formatv("{0} free bytes before it", Edit.Change.Bytes);
        break;
      case EditKind::Shift:
        OS << formatv("first of {0}, {1} free bytes before it",
                      Edit.Change.Section, Edit.Change.Bytes);
        break;
      case EditKind::Explode:
        OS << "alone on its page" << (P.Size > Edit.Change.Bytes ? "s" : "");
        break;
      }
      OS << formatv(", at {0:x}", P.Address.Value);
      if (!P.Unit.empty()) {
        OS << ", with its unit:";
        for (const std::string &Name : P.Unit)
          OS << ' ' << Name;
      }
      OS << '\n';
    }
}

} // namespace linesman::drive
