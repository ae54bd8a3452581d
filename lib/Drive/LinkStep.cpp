// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which entry is an output's, and what it says.

#include "linesman/Drive/LinkStep.h"
#include "linesman/Guard/Document.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace linesman::drive {

/// A gate must not turn itself off because somebody mistyped its name.
static bool expectKnown(const json::Value &Source,
                        std::initializer_list<StringRef> Known,
                        json::Path Position) {
  if (const json::Object *Object = Source.getAsObject())
    for (const auto &[Key, Value] : *Object)
      if (!is_contained(Known, StringRef(Key))) {
        Position.field(Key).report("unknown key");
        return false;
      }
  return true;
}

static bool fromJSON(const json::Value &Source, LinkStep &Step,
                     json::Path Position) {
  json::ObjectMapper Map(Source, Position);
  bool Report = false;
  if (!Map || !Map.mapOptional("plan", Step.Plan) ||
      !Map.mapOptional("lock", Step.Lock) ||
      !Map.map("max_score", Step.MaxScore) ||
      !Map.mapOptional("report", Report) ||
      !Map.mapOptional("report_file", Step.ReportFile) ||
      !Map.mapOptional("fail_on", Step.FailOn) ||
      !Map.mapOptional("baseline", Step.Baseline) ||
      !Map.mapOptional("first_lock", Step.MakesFirstLock) ||
      !expectKnown(Source,
                   {"plan", "lock", "max_score", "report", "report_file",
                    "fail_on", "baseline", "first_lock"},
                   Position))
    return false;
  if (Report)
    Step.Report = LinkStep::Reports::Printed;
  return true;
}

/// The whole path of a file that may not be there yet, through links to its
/// folder.
static SmallString<128> realPath(StringRef Path) {
  SmallString<128> Whole = Path, Folder;
  sys::fs::make_absolute(Whole);
  sys::path::remove_dots(Whole, /*remove_dot_dot=*/true);
  if (!sys::fs::real_path(sys::path::parent_path(Whole), Folder)) {
    sys::path::append(Folder, sys::path::filename(Whole));
    return Folder;
  }
  return Whole;
}

/// The key of \p Outputs that means \p Output: its path, from \p Folder, or
/// else its bare name. Empty where it has none. Fails when a key of this name
/// has a path where nothing can be made: it means this output, too.
static Expected<StringRef> keyOf(const json::Object &Outputs, StringRef Output,
                                 StringRef Folder) {
  StringRef Name = sys::path::filename(Output), Bare, Lost;
  SmallString<128> Made = realPath(Output);
  for (const auto &Entry : Outputs) {
    StringRef Key = Entry.first;
    if (sys::path::filename(Key) != Name)
      continue;
    if (Key == Name) {
      Bare = Key;
      continue;
    }
    SmallString<128> Path = Folder;
    sys::path::append(Path, Key);
    SmallString<128> Whole =
        realPath(sys::path::is_absolute(Key) ? Key : StringRef(Path));
    if (Whole == Made)
      return Key;
    if (!sys::fs::is_directory(sys::path::parent_path(Whole)))
      Lost = Key;
  }
  if (Bare.empty() && !Lost.empty())
    return createStringError("'" + Lost + "' is in no folder, and the link " +
                             "makes " + Made.str() +
                             ": paths are relative to the file");
  return Bare;
}

Expected<std::optional<LinkStep>> readLinkStep(StringRef Path,
                                               StringRef Output) {
  Expected<json::Value> Parsed = guard::readJson(Path);
  if (!Parsed)
    return Parsed.takeError();
  const json::Object *Top = Parsed->getAsObject();
  const json::Object *Outputs = Top ? Top->getObject("outputs") : nullptr;
  if (!Outputs)
    return createFileError(
        Path, createStringError("expected an object with 'outputs'"));
  Expected<StringRef> Key =
      keyOf(*Outputs, Output, sys::path::parent_path(Path));
  if (!Key)
    return createFileError(Path, Key.takeError());
  const json::Value *Entry = Outputs->get(*Key);
  if (!Entry)
    return std::nullopt;
  LinkStep Step;
  json::Path::Root Root("linesman.json");
  json::Path Position(Root);
  if (!expectKnown(*Parsed, {"outputs"}, Position) ||
      !fromJSON(*Entry, Step, Position.field("outputs").field(*Key)))
    return createFileError(Path, Root.getError());
  for (std::string *Named :
       {&Step.Plan, &Step.Lock, &Step.Baseline, &Step.ReportFile})
    if (!Named->empty() && !sys::path::is_absolute(*Named)) {
      SmallString<128> Whole = sys::path::parent_path(Path);
      sys::path::append(Whole, *Named);
      *Named = Whole.str();
    }
  return Step;
}

std::vector<std::string> layoutWords(const LinkStep &Step, StringRef Output) {
  std::vector<std::string> Words = {"layout", Output.str()};
  if (!Step.ReportFile.empty()) {
    StringRef Ending =
        sys::path::extension(Step.ReportFile)
            .drop_front(sys::path::has_extension(Step.ReportFile));
    Words.insert(Words.end(), {"-o", Step.ReportFile});
    if (Ending == "html" || Ending == "json")
      Words.push_back(("--format=" + Ending).str());
  }
  if (!Step.FailOn.empty())
    Words.push_back("--fail-on=" + Step.FailOn);
  if (!Step.Baseline.empty())
    Words.push_back("--baseline=" + Step.Baseline);
  return Words;
}

std::string takeSettings(std::vector<std::string> &Command, StringRef Output) {
  std::string Settings;
  erase_if(Command, [&](StringRef Word) {
    bool IsOurs = Word.consume_front("--linesman=");
    if (IsOurs)
      Settings = Word;
    return IsOurs;
  });
  if (!Settings.empty())
    return Settings;
  SmallString<128> Path = sys::path::parent_path(Output);
  sys::path::append(Path, "linesman.json");
  return sys::fs::exists(Path) ? Path.str().str() : "";
}

} // namespace linesman::drive
