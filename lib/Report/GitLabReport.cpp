// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GitLab's code quality report: an array of
//
//     { "description": "`stats` is written 3 times an operation ...",
//       "check_name": "linesman-false-sharing",
//       "fingerprint": "6f1d...", "severity": "minor",
//       "location": { "path": "src/stats.c", "lines": { "begin": 30 } } }

#include "Fingerprint.h"
#include "linesman/Report/Formats.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

/// GitLab's words.
static StringRef severityOf(Rung Reached) {
  switch (Reached) {
  case Rung::Suspected:
    return "info";
  case Rung::Located:
    return "minor";
  case Rung::Observed:
    return "major";
  case Rung::Costed:
    return "critical";
  }
  llvm_unreachable("unknown rung");
}

size_t writeGitLab(const Document &Report, raw_ostream &OS) {
  json::OStream Json(OS, /*IndentSize=*/2);
  StringMap<unsigned> Fingerprints;
  size_t LeftOut = 0;
  Json.array([&] {
    for (const Finding &F : Report.Findings) {
      if (F.isRefuted())
        continue;
      SourcePlace Place = primaryPlace(F);
      if (!Place) {
        ++LeftOut;
        continue;
      }
      Json.object([&] {
        Json.attribute("description", json::fixUTF8(summarize(F)));
        Json.attribute("check_name", json::fixUTF8(ruleOf(F)));
        Json.attribute("fingerprint", fingerprint(F, Fingerprints));
        Json.attribute("severity", severityOf(F.Reached));
        Json.attributeObject("location", [&] {
          Json.attribute("path", json::fixUTF8(Place.File));
          Json.attributeObject("lines", [&] {
            Json.attribute("begin", Place.Line ? Place.Line : 1);
          });
        });
      });
    }
  });
  Json.flush();
  OS << '\n';
  return LeftOut;
}

} // namespace linesman::report
