// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the options of every report say.

#include "linesman/Guard/Output.h"
#include "Color.h"
#include "Commands.h"
#include "SharedOptions.h"
#include "linesman/Guard/Document.h"
#include "linesman/Guard/Text.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace linesman::tool {

Expected<report::SourceRoot> findSourceRoot(StringRef Given) {
  SmallString<256> Current;
  if (std::error_code EC = sys::fs::current_path(Current))
    return createFileError(".", EC);
  return report::SourceRoot(Given, Current);
}

Error BaselineOption::check(const FailOn &Fails) const {
  if (getValue().empty() || Fails.isAsked())
    return Error::success();
  return createStringError("--baseline goes with --fail-on: it says which "
                           "findings do not fail");
}

Expected<report::Document> BaselineOption::read() const {
  auto File = guard::readDocument(getValue());
  if (!File)
    return File.takeError();
  Expected<report::Document> Report = report::parseReport((*File)->getBuffer());
  if (!Report)
    return createFileError(getValue(), Report.takeError());
  return Report;
}

Error writePainted(StringRef Report) {
  std::string Printable;
  raw_string_ostream OS(Printable);
  guard::PrintableStream(OS) << Report;
  outs() << paint(Printable);
  return guard::flushStdout();
}

} // namespace linesman::tool
