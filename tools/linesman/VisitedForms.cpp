// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VisitedForms.h"
#include "linesman/Report/Formats.h"
#include "linesman/Report/Patch.h"

using namespace llvm;

namespace linesman::tool {

Error writeVisited(Format As, report::Document &Document,
                   const report::SourceRoot &Tree, raw_ostream &OS) {
  if (As == Format::Patch) {
    // It reads the sources, by their whole paths.
    uint64_t Begin = OS.tell();
    if (Error E = report::writePatch(Document, Tree, OS))
      return E;
    if (OS.tell() == Begin)
      errs() << "linesman: note: no check knows a change of the source for "
                "these findings\n";
    return Error::success();
  }
  Tree.apply(Document);
  if (As == Format::Sarif)
    report::writeSarif(Document, LINESMAN_VERSION, OS);
  else if (As == Format::Markdown)
    report::writeMarkdown(Document, OS);
  else if (size_t LeftOut = report::writeGitLab(Document, OS))
    errs() << "linesman: note: findings without a place in the source, which "
              "are not in this report: "
           << LeftOut << '\n';
  if (Document.Hidden && As != Format::Markdown)
    errs() << "linesman: note: more findings, which --top=N shows: "
           << Document.Hidden << '\n';
  return Error::success();
}

} // namespace linesman::tool
