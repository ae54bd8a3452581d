// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// git tells what changed; which units see it, the names in #include lines do.

#include "linesman/Drive/Changes.h"
#include "linesman/Guard/Document.h"
#include "linesman/Process/Subprocess.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace linesman::process;

namespace linesman::drive {

static constexpr uint32_t LastLine = UINT32_MAX;

bool Changes::contains(StringRef File, uint32_t Line) const {
  auto It = Files.find(File.str());
  return It != Files.end() && any_of(It->second, [&](const LineRange &Range) {
           return Line == 0 || (Range.First <= Line && Line <= Range.Last);
         });
}

std::map<std::string, std::vector<LineRange>> parseDiff(StringRef Text) {
  std::map<std::string, std::vector<LineRange>> Files;
  std::vector<LineRange> *Current = nullptr;
  for (StringRef Rest = Text; !Rest.empty();) {
    StringRef Row;
    std::tie(Row, Rest) = Rest.split('\n');
    // A line that was added may look like this, but not behind "--- ".
    if (Row.starts_with("--- ") && Rest.starts_with("+++ ")) {
      std::tie(Row, Rest) = Rest.split('\n');
      Row = Row.drop_front(4).rtrim("\t");
      Row.consume_front("\"");
      Row.consume_back("\"");
      Current = Row.consume_front("b/") ? &Files[Row.str()] : nullptr;
      continue;
    }
    if (!Current || !Row.consume_front("@@ -"))
      continue;
    StringRef New = Row.split(" +").second.split(" @@").first;
    auto [First, Count] = New.split(',');
    uint32_t Begin = 0, Lines = 1;
    if (!to_integer(First, Begin) ||
        (!Count.empty() && !to_integer(Count, Lines)))
      continue;
    // Where lines went away, those around are what changed.
    if (Lines == 0)
      Current->push_back({Begin, Begin + 1});
    else
      Current->push_back({Begin, Begin + Lines - 1});
  }
  return Files;
}

static Expected<std::string> git(std::vector<std::string> Words) {
  Words.insert(Words.begin(), {"git", "-c", "core.quotePath=off"});
  Expected<Output> Said = runAndCapture(Words);
  if (!Said)
    return Said.takeError();
  if (Said->Code != 0)
    return createStringError("git: " + StringRef(Said->Stderr).trim());
  return std::move(Said->Stdout);
}

Expected<Changes> readChanges(StringRef Revision) {
  if (Revision.starts_with("-"))
    return createStringError("'" + Revision + "' is no revision");
  Expected<std::string> Root = git({"rev-parse", "--show-toplevel"});
  if (!Root)
    return Root.takeError();
  Changes Result;
  Result.Root = StringRef(*Root).trim().str();
  // What others did since is not this branch's.
  Expected<std::string> Base = git({"merge-base", Revision.str(), "HEAD"});
  if (!Base)
    return Base.takeError();
  Expected<std::string> Diff =
      git({"-C", Result.Root, "diff", "-U0", "--no-color", "--no-ext-diff",
           "--src-prefix=a/", "--dst-prefix=b/", StringRef(*Base).trim().str(),
           "--"});
  if (!Diff)
    return Diff.takeError();
  Result.Files = parseDiff(*Diff);
  Expected<std::string> New = git(
      {"-C", Result.Root, "ls-files", "--others", "--exclude-standard", "-z"});
  if (!New)
    return New.takeError();
  SmallVector<StringRef> Names;
  StringRef(*New).split(Names, '\0', -1, /*KeepEmpty=*/false);
  for (StringRef Name : Names)
    Result.Files[Name.str()] = {{1, LastLine}};
  return Result;
}

/// Names behind #include, without folders.
static std::vector<std::string> readIncludes(StringRef Path) {
  std::vector<std::string> Names;
  auto File = guard::readDocument(Path);
  if (!File) {
    consumeError(File.takeError());
    return Names;
  }
  StringRef Rest = (*File)->getBuffer();
  while (!Rest.empty()) {
    StringRef Row;
    std::tie(Row, Rest) = Rest.split('\n');
    Row = Row.ltrim();
    if (!Row.consume_front("#"))
      continue;
    Row = Row.ltrim();
    if (!Row.consume_front("include") && !Row.consume_front("import"))
      continue;
    size_t Begin = Row.find_first_of("\"<");
    if (Begin == StringRef::npos)
      continue;
    StringRef Name = Row.drop_front(Begin + 1);
    Name = Name.take_front(Name.find_first_of("\">"));
    Names.push_back(sys::path::filename(Name).str());
  }
  return Names;
}

Expected<std::vector<bool>> findAffected(const Changes &Changed,
                                         ArrayRef<std::string> Units) {
  Expected<std::string> Listed =
      git({"-C", Changed.Root, "ls-files", "--cached", "--others",
           "--exclude-standard", "-z"});
  if (!Listed)
    return Listed.takeError();
  SmallVector<StringRef> Files;
  StringRef(*Listed).split(Files, '\0', -1, /*KeepEmpty=*/false);
  // Whom a change of a name reaches: files by the names that they include.
  StringMap<std::vector<std::string>> IncludedBy;
  auto Read = [&](const std::string &Path) {
    for (const std::string &Name : readIncludes(Path))
      IncludedBy[Name].push_back(Path);
  };
  StringSet<> IsUnit;
  for (const std::string &Unit : Units) {
    IsUnit.insert(Unit);
    Read(Unit);
  }
  for (StringRef File : Files) {
    std::string Path = Changed.Root + "/" + File.str();
    if (!IsUnit.contains(Path))
      Read(Path);
  }
  StringSet<> Reached;
  std::vector<std::string> Work;
  for (const auto &[File, Ranges] : Changed.Files)
    Work.push_back(Changed.Root + "/" + File);
  while (!Work.empty()) {
    std::string Path = std::move(Work.back());
    Work.pop_back();
    if (!Reached.insert(Path).second)
      continue;
    append_range(Work, IncludedBy.lookup(sys::path::filename(Path)));
  }
  std::vector<bool> Result;
  for (const std::string &Unit : Units)
    Result.push_back(Reached.contains(Unit));
  return Result;
}

} // namespace linesman::drive
