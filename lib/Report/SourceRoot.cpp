// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Paths in reports. A report leaves the machine: what is in the source tree is
// named from its root, and of a system's header the name is enough.

#include "linesman/Report/Document.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace linesman::report {

/// Without "." and "..", and without a separator at the end.
static std::string plainPath(StringRef Path) {
  SmallString<256> Result(Path);
  sys::path::remove_dots(Result, /*remove_dot_dot=*/true);
  return Result.str().str();
}

SourceRoot::SourceRoot(StringRef Given, StringRef Current) {
  if (!Given.empty()) {
    SmallString<256> Whole(Given);
    sys::path::make_absolute(Current, Whole);
    Root = plainPath(Whole);
    KeepsAll = Root == "/";
    return;
  }
  for (StringRef Folder = Current; !Folder.empty();
       Folder = sys::path::parent_path(Folder))
    if (sys::fs::exists(Folder + "/.git")) {
      Root = Folder.str();
      return;
    }
  Root = Current.str();
}

Expected<SourceRoot> findSourceRoot(StringRef Given) {
  SmallString<256> Current;
  if (std::error_code EC = sys::fs::current_path(Current))
    return createFileError(".", EC);
  return SourceRoot(Given, Current);
}

std::string SourceRoot::relative(StringRef Path) const {
  if (KeepsAll || Path.empty())
    return Path.str();
  std::string Plain = plainPath(Path);
  StringRef Rest = Plain;
  if (sys::path::is_absolute(Rest)) {
    if (Rest.consume_front(Root) && Rest.consume_front("/") && !Rest.empty())
      return Rest.str();
    return sys::path::filename(Plain).str();
  }
  // As a build in a folder of the tree has it: "../src/a.cpp".
  while (Rest.consume_front("../"))
    ;
  return Rest.str();
}

std::string SourceRoot::whole(StringRef Path) const {
  SmallString<256> Result(Path);
  sys::path::make_absolute(Root, Result);
  return Result.str().str();
}

std::string SourceRoot::relativePlace(StringRef Text) const {
  SourcePlace Place = parsePlace(Text);
  if (!Place)
    return Text.str();
  std::string File = relative(Place.File);
  return Place.Line ? File + ":" + std::to_string(Place.Line) : File;
}

/// "fields of /build/a.o"
std::string SourceRoot::relativeEnd(StringRef Text) const {
  size_t Space = Text.find(" /");
  if (Space == StringRef::npos)
    return Text.str();
  return Text.substr(0, Space + 1).str() + relative(Text.substr(Space + 1));
}

void SourceRoot::apply(Document &Changed) const {
  Changed.Binary = relative(Changed.Binary);
  for (Finding &F : Changed.Findings)
    apply(F);
}

void eachPlace(Finding &Found, function_ref<void(SourcePlace &)> Change) {
  for (FindingOccupant &Occupant : Found.Occupants) {
    Change(Occupant.Defined);
    for (FindingSite &Site : Occupant.Sites) {
      Change(Site.Place);
      Change(Site.HandedOn);
      for (FindingSite::Frame &Frame : Site.InlinedInto)
        Change(Frame.Place);
    }
  }
  if (auto *Field = std::get_if<FieldSubject>(&Found.About))
    Change(Field->Defined);
  for (FindingEvidence &Evidence : Found.Evidence)
    Change(Evidence.Place);
  for (Finding::Note &Note : Found.Notes)
    Change(Note.Place);
  for (FindingEdit &Edit : Found.Fix)
    Change(Edit.Place);
  if (Found.Seen)
    for (ObservedWord &Word : Found.Seen->Words)
      for (ObservedAccess &Access : Word.Accesses)
        for (SourcePlace &Site : Access.Sites)
          Change(Site);
}

void SourceRoot::apply(Finding &F) const {
  if (KeepsAll)
    return;
  eachPlace(F, [&](SourcePlace &Place) {
    if (Place)
      Place.File = relative(Place.File);
  });
  if (parsePlace(F.Id).Line)
    F.Id = relativePlace(F.Id);
  for (FindingOccupant &Occupant : F.Occupants)
    if (parsePlace(Occupant.Name).Line)
      Occupant.Name = relativePlace(Occupant.Name);
  for (FindingEvidence &Evidence : F.Evidence)
    Evidence.Source = relativeEnd(Evidence.Source);
}

std::string SourceRoot::relativeValue(StringRef Key, StringRef Text) const {
  if (Key == "binary")
    return relative(Text);
  if (Key == "from")
    return relativeEnd(Text);
  // Of what is no source only places are paths: "[src/a.cpp:12]" is a name.
  bool IsName = Key == "id" || Key == "name";
  if (!IsName && Key != "source" && Key != "through_source")
    return Text.str();
  return IsName && !parsePlace(Text).Line ? Text.str() : relativePlace(Text);
}

std::string SourceRoot::apply(StringRef Json) const {
  if (KeepsAll)
    return Json.str();
  std::string Result;
  while (!Json.empty()) {
    auto [Line, Rest] = Json.split('\n');
    const bool IsLast = Line.size() == Json.size();
    Json = Rest;
    StringRef Row = Line.ltrim();
    auto [Key, Value] = Row.split("\": \"");
    const bool HasComma = Value.consume_back(",");
    // A path has a separator.
    if (Key.consume_front("\"") && Value.contains('/')) {
      if (Expected<json::Value> Text = json::parse(("\"" + Value).str()))
        if (std::optional<StringRef> Is = Text->getAsString()) {
          Result += Line.drop_back(Row.size());
          Result += "\"" + Key.str() + "\": ";
          raw_string_ostream(Result)
              << json::Value(json::fixUTF8(relativeValue(Key, *Is)));
          Result += HasComma ? "," : "";
          Result += IsLast ? "" : "\n";
          continue;
        }
    }
    Result += Line;
    Result += IsLast ? "" : "\n";
  }
  return Result;
}

} // namespace linesman::report
