// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/PlannedEdits.h"
#include "linesman/Guard/Document.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::plan;

namespace linesman::drive {

Expected<plan::Plan> readPlanFile(StringRef Path) {
  auto File = guard::readDocument(Path);
  if (!File)
    return File.takeError();
  Expected<plan::Plan> Plan = plan::readPlan((*File)->getBuffer());
  if (!Plan)
    return createFileError(Path, Plan.takeError());
  return Plan;
}

static std::vector<SymbolRef> splitNames(StringRef Names) {
  // A comma may be part of a demangled name: only those outside of brackets
  // separate.
  std::vector<SymbolRef> Result;
  size_t Begin = 0, Depth = 0;
  for (size_t I = 0; I <= Names.size(); ++I) {
    if (I < Names.size() && StringRef("<([").contains(Names[I]))
      ++Depth;
    else if (I < Names.size() && StringRef(">)]").contains(Names[I]) && Depth)
      --Depth;
    else if (I == Names.size() || (Names[I] == ',' && !Depth)) {
      if (I > Begin)
        Result.push_back({Names.slice(Begin, I).str(), "", {}});
      Begin = I + 1;
    }
  }
  return Result;
}

static Error addRoom(EditKind Kind, StringRef Option,
                     ArrayRef<std::string> Values, std::vector<Edit> &Planned) {
  for (StringRef Value : Values) {
    auto [Subject, Bytes] = Value.rsplit('=');
    Edit One{Kind, {}, 0, ""};
    if (Subject.empty() || Bytes.getAsInteger(0, One.Bytes) || !One.Bytes ||
        One.Bytes > uint64_t(1) << 30)
      return createStringError(
          formatv("--{0}={1}: expected a {2} and a number "
                  "of bytes, as in x=64",
                  Option, Value, Kind == EditKind::Pad ? "symbol" : "section"));
    if (Kind == EditKind::Pad)
      One.Symbols = {{Subject.str(), "", {}}};
    else
      One.Section = Subject;
    Planned.push_back(std::move(One));
  }
  return Error::success();
}

Expected<std::vector<Edit>> parseEdits(const EditWords &Words) {
  std::vector<Edit> Edits;
  for (const std::string &Symbol : Words.Isolate)
    Edits.push_back({EditKind::Isolate, {{Symbol, "", {}}}, Words.Line, ""});
  for (const std::string &Names : Words.Group)
    Edits.push_back({EditKind::Group, splitNames(Names), Words.Line, ""});
  for (const std::string &Names : Words.Explode)
    Edits.push_back({EditKind::Explode, splitNames(Names), Words.Page, ""});
  if (Error E =
          joinErrors(addRoom(EditKind::Pad, "pad", Words.Pad, Edits),
                     addRoom(EditKind::Shift, "shift", Words.Shift, Edits)))
    return std::move(E);
  return Edits;
}

} // namespace linesman::drive
