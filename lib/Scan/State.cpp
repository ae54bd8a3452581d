// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     { "scan": "file", "reader": "linesman 1.0 ...", "package": "squid", ... }
//     { "scan": "package", "reader": ..., "package": "squid", "files": 12 }

#include "linesman/Scan/State.h"
#include "linesman/Guard/Document.h"
#include "linesman/Process/Descriptor.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

using namespace llvm;

namespace linesman::scan {

namespace {

std::string text(const json::Object &Source, StringRef Key) {
  return Source.getString(Key).value_or("").str();
}

uint64_t count(const json::Object &Source, StringRef Key) {
  return std::max<int64_t>(Source.getInteger(Key).value_or(0), 0);
}

ScannedFile readFile(const json::Object &Source) {
  ScannedFile Is{{text(Source, "package"), text(Source, "version")},
                 text(Source, "path"),
                 text(Source, "hash"),
                 count(Source, "size"),
                 Source.getNumber("seconds").value_or(0),
                 count(Source, "peak_kib"),
                 Source.getNumber("total_score").value_or(0),
                 count(Source, "hidden_findings"),
                 {},
                 text(Source, "problem"),
                 text(Source, "blind")};
  if (const json::Array *Findings = Source.getArray("findings"))
    for (const json::Value &Entry : *Findings)
      if (Entry.kind() == json::Value::Object)
        raw_string_ostream(Is.Findings.emplace_back()) << Entry;
  return Is;
}

json::Object write(const ScannedFile &Is) {
  json::Array Findings;
  for (const std::string &Text : Is.Findings)
    Findings.push_back(cantFail(json::parse(Text), "this wrote it"));
  return json::Object{{"scan", "file"},
                      {"package", json::fixUTF8(Is.Source.Package)},
                      {"version", json::fixUTF8(Is.Source.Version)},
                      {"path", json::fixUTF8(Is.Path)},
                      {"hash", Is.Hash},
                      {"size", int64_t(Is.Size)},
                      {"seconds", Is.Seconds},
                      {"peak_kib", int64_t(Is.PeakKiB)},
                      {"total_score", Is.TotalScore},
                      {"hidden_findings", int64_t(Is.Hidden)},
                      {"findings", std::move(Findings)},
                      {"problem", json::fixUTF8(Is.Problem)},
                      {"blind", json::fixUTF8(Is.Blind)}};
}

/// Several scans may add to one file; each line goes in as a whole.
Error appendLine(StringRef Path, StringRef Line) {
  process::Descriptor File(::open(
      Path.str().c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  auto Fail = [&] { return createFileError(Path, errnoAsErrorCode()); };
  if (File.get() < 0 || ::flock(File.get(), LOCK_EX) != 0)
    return Fail();
  off_t End = ::lseek(File.get(), 0, SEEK_END);
  std::string Text = Line.str() + "\n";
  // Of a scan that was killed while it wrote.
  char Last = '\n';
  if (End > 0 && ::pread(File.get(), &Last, 1, End - 1) == 1 && Last != '\n')
    Text.insert(Text.begin(), '\n');
  for (StringRef Left = Text; !Left.empty();) {
    ssize_t Written = ::write(File.get(), Left.data(), Left.size());
    if (Written < 0) {
      Error Problem = Fail();
      // Nothing is left that the next scan could not read.
      (void)!::ftruncate(File.get(), End);
      return Problem;
    }
    Left = Left.drop_front(Written);
  }
  return Error::success();
}

} // namespace

void State::keep(ScannedFile File) {
  std::pair<std::string, std::string> Key(File.Source.Package, File.Path);
  if (File.Problem.empty())
    ByHash[File.Hash] = Key;
  Files.insert_or_assign(std::move(Key), std::move(File));
}

Error State::readLine(StringRef Line) {
  if (Line.empty())
    return Error::success();
  Expected<json::Value> Value = guard::parseJson(Line);
  // A scan that was killed leaves a line without its end.
  if (!Value && Line.starts_with("{")) {
    consumeError(Value.takeError());
    return Error::success();
  }
  if (!Value)
    return Value.takeError();
  const json::Object *Is = Value->getAsObject();
  StringRef Kind = Is ? Is->getString("scan").value_or("") : "";
  if (Kind != "file" && Kind != "package")
    return createStringError("neither a file nor a package of a scan");
  if (Is->getString("reader") != Reader)
    return Error::success();
  if (Kind == "file")
    keep(readFile(*Is));
  else
    Packages.insert_or_assign(
        text(*Is, "package"),
        ScannedPackage{{text(*Is, "package"), text(*Is, "version")},
                       count(*Is, "files")});
  return Error::success();
}

Expected<State> State::open(StringRef Path, StringRef Reader) {
  State Result;
  Result.Path = Path.str();
  Result.Reader = Reader.str();
  if (Path.empty() || !sys::fs::exists(Path))
    return Result;
  Expected<std::unique_ptr<MemoryBuffer>> File =
      guard::readDocument(Path, guard::Source::File, uint64_t(8) << 30);
  if (!File)
    return File.takeError();
  StringRef Left = (*File)->getBuffer();
  for (unsigned Number = 1; !Left.empty(); ++Number) {
    auto [Line, Behind] = Left.split('\n');
    Left = Behind;
    if (Error Problem = Result.readLine(Line.trim()))
      return createFileError(Path,
                             createStringError("line " + Twine(Number) + ": " +
                                               toString(std::move(Problem))));
  }
  return Result;
}

const ScannedFile *State::find(StringRef Hash) const {
  auto It = ByHash.find(Hash);
  if (It == ByHash.end())
    return nullptr;
  const ScannedFile &Is = Files.at(It->second);
  return Is.Hash == Hash && Is.Problem.empty() ? &Is : nullptr;
}

bool State::hasPackage(StringRef Name) const {
  return Packages.count(Name.str());
}

Error State::append(json::Object Line) const {
  if (Path.empty())
    return Error::success();
  Line["reader"] = Reader;
  std::string Text;
  raw_string_ostream(Text) << json::Value(std::move(Line));
  return appendLine(Path, Text);
}

Error State::add(ScannedFile File) {
  json::Object Line = write(File);
  // A package's file is asked for again, and what is known is not said twice.
  auto It = Files.find({File.Source.Package, File.Path});
  if (It != Files.end() && write(It->second) == Line)
    return Error::success();
  keep(std::move(File));
  return append(std::move(Line));
}

Error State::add(ScannedPackage Package) {
  json::Object Line{{"scan", "package"},
                    {"package", json::fixUTF8(Package.Is.Package)},
                    {"version", json::fixUTF8(Package.Is.Version)},
                    {"files", int64_t(Package.Files)}};
  std::string Name = Package.Is.Package;
  auto It = Packages.find(Name);
  if (It != Packages.end() && It->second.Files == Package.Files &&
      It->second.Is.Version == Package.Is.Version)
    return Error::success();
  Packages.insert_or_assign(std::move(Name), std::move(Package));
  return append(std::move(Line));
}

} // namespace linesman::scan
