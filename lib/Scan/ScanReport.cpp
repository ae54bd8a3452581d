// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is one row, and the report as text and JSON.

#include "linesman/Scan/ScanReport.h"
#include "linesman/Guard/Document.h"
#include "linesman/Guard/Head.h"
#include "linesman/Report/Document.h"
#include "linesman/Report/TextLines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace llvm;
using namespace linesman::report;

namespace linesman::scan {

/// The object of a finding: a line of a long one is called by its distance.
static StringRef objectOf(const json::Object &Finding) {
  return Finding.getString("id").value_or("").split("+0x").first;
}

/// What is no object has nothing in it: a state comes from strangers.
static json::Object parseFinding(StringRef Text) {
  Expected<json::Value> Parsed = guard::parseJson(Text);
  if (!Parsed) {
    consumeError(Parsed.takeError());
    return {};
  }
  json::Object *Is = Parsed->getAsObject();
  return Is ? std::move(*Is) : json::Object();
}

json::Object Row::finding() const {
  return parseFinding(*Places.front().Finding);
}

static void forEach(const json::Object &Keys, StringRef Key,
                    function_ref<void(const json::Object &)> Call) {
  if (const json::Array *List = Keys.getArray(Key))
    for (const json::Value &Entry : *List)
      if (const json::Object *Is = Entry.getAsObject())
        Call(*Is);
}

/// Objects without a symbol are called by their place in a section.
static bool isNamed(StringRef Id) { return !Id.starts_with("."); }

/// Functions without a symbol are called by their address.
static bool isNamedFunction(StringRef Name) {
  return !Name.empty() && !Name.contains(" at 0x");
}

/// An object of one file, with its lines.
struct FileObject {
  int64_t Size = 0;
  /// Functions with a name.
  std::set<std::string> Writers;
  std::vector<Row::Place> Lines;

  void add(StringRef Name, const json::Object &Finding);
};

void FileObject::add(StringRef Name, const json::Object &Finding) {
  forEach(Finding, "occupants", [&](const json::Object &Occupant) {
    if (Occupant.getString("name") != Name)
      return;
    Size = Occupant.getInteger("size").value_or(0);
    forEach(Occupant, "sites", [&](const json::Object &Site) {
      StringRef Function = Site.getString("function").value_or("");
      if (Site.getString("access") != "read" && isNamedFunction(Function))
        Writers.insert(Function.str());
    });
  });
}

/// By name; a line of what has none is an object.
static std::map<std::string, FileObject> findObjects(const ScannedFile &File) {
  std::map<std::string, FileObject> Objects;
  for (const std::string &Text : File.Findings) {
    json::Object Finding = parseFinding(Text);
    StringRef Id = Finding.getString("id").value_or("");
    StringRef Name = isNamed(Id) ? objectOf(Finding) : Id;
    FileObject &Object = Objects[Name.str()];
    Object.add(Name, Finding);
    Object.Lines.push_back(
        {&File, &Text, Finding.getNumber("score").value_or(0)});
  }
  return Objects;
}

/// What makes objects of two files one row.
static std::string keyOf(StringRef Name, const FileObject &Is) {
  if (!isNamed(Name))
    return Is.Lines.front().File->Hash + " " + Name.str();
  return formatv("{0} {1} {2}", Name, Is.Size, join(Is.Writers, " "));
}

std::vector<const ScannedFile *> Row::files() const {
  std::vector<const ScannedFile *> Files;
  for (const Place &Found : Places)
    if (!is_contained(Files, Found.File))
      Files.push_back(Found.File);
  return Files;
}

ScanReport rankScan(const State &Known) {
  ScanReport Result{Known};
  StringMap<size_t> RowOf;
  for (const auto &[Key, File] : Known.files()) {
    if (!File.Problem.empty()) {
      ++Result.NotRead;
      continue;
    }
    ++Result.Read;
    Result.WithFindings += !File.Findings.empty();
    Result.Findings += File.Findings.size() + File.Hidden;
    for (const auto &[Name, Object] : findObjects(File)) {
      auto [It, IsNew] =
          RowOf.try_emplace(keyOf(Name, Object), Result.Rows.size());
      if (IsNew)
        Result.Rows.emplace_back();
      append_range(Result.Rows[It->second].Places, Object.Lines);
    }
  }
  for (Row &Line : Result.Rows) {
    stable_sort(Line.Places, [](const Row::Place &A, const Row::Place &B) {
      return A.Score > B.Score;
    });
    Line.Score = Line.Places.front().Score;
  }
  stable_sort(Result.Rows,
              [](const Row &A, const Row &B) { return A.Score > B.Score; });
  return Result;
}

double ScanReport::totalScore() const {
  double Sum = 0;
  for (const Row &Listed : Rows)
    Sum += Listed.Score;
  return Sum;
}

/// "squid: usr/sbin/squid"
static std::string nameOf(const ScannedFile &Is) {
  return Is.Source.Package.empty() ? Is.Path
                                   : Is.Source.Package + ": " + Is.Path;
}

std::string ScanReport::whyBlind() const {
  std::string First;
  size_t Count = 0;
  for (const auto &[Key, File] : Scanned.files()) {
    std::string Reason = File.Problem.empty() ? File.Blind : File.Problem;
    if (Reason.empty() && File.Hidden)
      Reason = formatv("{0} beyond those that --per-file keeps",
                       plural(File.Hidden, "finding"));
    if (!Reason.empty() && !Count++)
      First = nameOf(File) + ": " + Reason;
  }
  if (Count > 1)
    First += formatv("; and {0}", plural(Count - 1, "more file"));
  return First;
}

/// In text: rows of the same package or file, and files that were not read.
constexpr unsigned MostOfOne = 3, MostNamed = 20;

/// The first ones that a reader wants to see.
static std::vector<FindingOccupant>
mostWritten(std::vector<FindingOccupant> Occupants) {
  constexpr size_t Most = 3;
  stable_sort(Occupants,
              [](const FindingOccupant &A, const FindingOccupant &B) {
                return A.Writes + A.Atomics > B.Writes + B.Atomics;
              });
  if (Occupants.size() > Most)
    Occupants.resize(Most);
  return Occupants;
}

/// A write where there is one; null without a site.
static const FindingSite *heaviest(const FindingOccupant &Occupant) {
  auto It = find_if(Occupant.Sites, [](const FindingSite &Site) {
    return Site.Access != "read";
  });
  if (It != Occupant.Sites.end())
    return &*It;
  return Occupant.Sites.empty() ? nullptr : &Occupant.Sites.front();
}

void writeText(const ScanReport &Report, size_t Top, size_t Columns,
               const Comparison *Changes, raw_ostream &OS) {
  OS << plural(Report.Read, "file") << " read";
  if (size_t Packages = Report.Scanned.packages().size())
    OS << " of " << plural(Packages, "package");
  OS << formatv(", {0} with findings; {1}, {2}", Report.WithFindings,
                plural(Report.Findings, "finding"),
                plural(Report.Rows.size(), "row"));
  if (Report.NotRead)
    OS << "; " << plural(Report.NotRead, "file") << " not read";
  OS << '\n';
  if (!Report.Rows.empty() || Changes)
    writeWrapped(describeTotal(Report.totalScore(), Changes), 0, Columns, OS);
  for (const std::string &Note : Report.Notes)
    writeWrapped(Note, 0, Columns, OS);
  // One program with many lines, or twenty of one kind, would be all that a
  // reader sees.
  std::map<std::string, unsigned> Shown;
  size_t Left = Top, Accepted = 0;
  for (auto [I, Listed] : enumerate(Report.Rows)) {
    if (Changes && !Changes->Unaccepted.count(
                       Listed.finding().getString("id").value_or(""))) {
      ++Accepted;
      continue;
    }
    const ScannedFile &File = *Listed.Places.front().File;
    if (!Left ||
        ++Shown[File.Source.Package.empty() ? File.Path : File.Source.Package] >
            MostOfOne)
      continue;
    --Left;
    Expected<Finding> Is = readFinding(Listed.finding());
    OS << formatv("\n{0}. ", I + 1);
    if (!Is) {
      OS << toString(Is.takeError()) << '\n';
      continue;
    }
    writeEnds(Is->Id, formatv("{0}, score {1}", Is->Kind, number(Is->score())),
              Columns - 4, OS);
    OS << "   " << nameOf(*Listed.Places.front().File);
    if (size_t Files = Listed.files().size(); Files > 1)
      OS << " and " << plural(Files - 1, "more file");
    else if (Listed.Places.size() > 1)
      OS << ", " << plural(Listed.Places.size(), "line");
    OS << '\n';
    for (const FindingOccupant &Occupant : mostWritten(Is->Occupants))
      if (const FindingSite *Site = heaviest(Occupant))
        OS << formatv("     {0}: {1} by {2}\n", Occupant.Name,
                      Site->Access == "read" ? "read" : "written",
                      Site->Function);
  }
  if (size_t Hidden = Report.Rows.size() - Accepted - (Top - Left))
    OS << formatv("\n{0} more, of one package or file at most {1} are shown; "
                  "--top=N shows more, and --format=html has a table of all\n",
                  plural(Hidden, "row"), MostOfOne);
  if (!Report.NotRead)
    return;
  OS << "\nnot read:\n";
  size_t Named = 0;
  for (const auto &[Key, File] : Report.Scanned.files())
    if (!File.Problem.empty() && Named++ < MostNamed)
      OS << "  " << nameOf(File) << ": " << File.Problem << '\n';
  if (Named > MostNamed)
    OS << "  and " << plural(Named - MostNamed, "more file")
       << ", which are in the JSON and HTML report\n";
}

void writeJson(const ScanReport &Report, size_t Top, const Comparison *Changes,
               raw_ostream &OS) {
  json::OStream Json(OS, 2);
  Json.object([&] {
    guard::writeHead("scan", Json);
    Json.attribute("files_read", int64_t(Report.Read));
    Json.attribute("files_with_findings", int64_t(Report.WithFindings));
    Json.attribute("files_not_read", int64_t(Report.NotRead));
    Json.attribute("all_findings", int64_t(Report.Findings));
    writeTotal(Report.totalScore(), Changes, Json);
    writeLimits(Report.whyBlind(), layout::Rung::Located, layout::Rung::Located,
                Json);
    if (Report.Rows.size() > Top)
      Json.attribute("hidden_findings", int64_t(Report.Rows.size() - Top));
    Json.attributeArray("notes", [&] {
      for (const std::string &Note : Report.Notes)
        Json.value(json::fixUTF8(Note));
    });
    Json.attributeArray("findings", [&] {
      for (const Row &Line : ArrayRef(Report.Rows).take_front(Top)) {
        json::Object Finding = Line.finding();
        json::Array Files;
        for (const ScannedFile *File : Line.files())
          Files.push_back(
              json::Object{{"package", json::fixUTF8(File->Source.Package)},
                           {"path", json::fixUTF8(File->Path)}});
        Finding["files"] = std::move(Files);
        Finding["lines"] = int64_t(Line.Places.size());
        Json.value(std::move(Finding));
      }
    });
    Json.attributeArray("packages", [&] {
      for (const auto &[Name, Is] : Report.Scanned.packages())
        Json.object([&] {
          Json.attribute("package", json::fixUTF8(Name));
          Json.attribute("version", json::fixUTF8(Is.Is.Version));
          Json.attribute("files", int64_t(Is.Files));
        });
    });
    Json.attributeArray("files", [&] {
      for (const auto &[Key, Is] : Report.Scanned.files())
        Json.object([&] {
          Json.attribute("package", json::fixUTF8(Is.Source.Package));
          Json.attribute("path", json::fixUTF8(Is.Path));
          Json.attribute("size", int64_t(Is.Size));
          Json.attribute("seconds", Is.Seconds);
          Json.attribute("peak_kib", int64_t(Is.PeakKiB));
          report::writeScore("total_score", Is.TotalScore, Json);
          Json.attribute("findings", int64_t(Is.Findings.size() + Is.Hidden));
          if (!Is.Problem.empty())
            Json.attribute("problem", json::fixUTF8(Is.Problem));
          if (!Is.Blind.empty())
            Json.attribute("blind", json::fixUTF8(Is.Blind));
        });
    });
  });
  OS << '\n';
}

} // namespace linesman::scan
