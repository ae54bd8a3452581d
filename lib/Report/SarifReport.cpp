// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// SARIF 2.1.0 (OASIS standard, 27 March 2020). The numbers in comments are its
// sections.
//
//     run
//       tool.driver.rules     what the run's findings break
//       originalUriBaseIds    SRCROOT: where that is, the reader knows
//       results               one a finding
//         locations           where the cure goes
//         relatedLocations    the line's objects, and who touches them
//         codeFlows           the way of an address, through calls
//         fixes               what a check would change
//         partialFingerprints the same when lines of the source shift

#include "Fingerprint.h"
#include "linesman/Report/Document.h"
#include "linesman/Report/Formats.h"
#include "linesman/Report/Report.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA1.h"
#include <map>

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

namespace {

/// 3.27.10
StringRef levelOf(Rung Reached) {
  switch (Reached) {
  case Rung::Suspected:
    return "note";
  case Rung::Located:
  case Rung::Observed:
    return "warning";
  case Rung::Costed:
    return "error";
  }
  llvm_unreachable("unknown rung");
}

/// RFC 3986: what a path may have besides letters and digits.
std::string toUri(StringRef Path) {
  std::string Result;
  for (unsigned char C : Path)
    if (isAlnum(C) || StringRef("-._~/+,=@").contains(C))
      Result += C;
    else
      Result += ("%" + Twine(hexdigit(C >> 4)) + Twine(hexdigit(C & 15))).str();
  return Result;
}

/// Nobody reads more.
constexpr size_t MostRelated = 20, MostFlows = 10;

class SarifWriter {
public:
  SarifWriter(const Document &Report, StringRef Version, raw_ostream &OS)
      : Report(Report), Version(Version), Json(OS, /*IndentSize=*/2) {}

  void write();

private:
  const Document &Report;
  StringRef Version;
  json::OStream Json;
  std::vector<Rule> Rules;
  StringMap<unsigned> Fingerprints;

  void text(StringRef Key, StringRef Value) {
    Json.attribute(Key, json::fixUTF8(Value));
  }
  void message(StringRef Key, StringRef Text) {
    Json.attributeObject(Key, [&] { text("text", Text); });
  }
  void writeRules();
  void writeFile(StringRef File);
  void writePlace(const SourcePlace &Place);
  void writeLogical(const Finding &F);
  void writeRelated(const Finding &F);
  void writeFlows(const Finding &F);
  void writeFlow(const FindingOccupant &Occupant, const FindingSite &Site);
  void writeFix(const Finding &F);
  void writeResult(const Finding &F);
  void writeProperties(const Finding &F);
};

void SarifWriter::writeRules() {
  StringMap<bool> Used;
  for (const Finding &F : Report.Findings)
    Used[ruleOf(F)] = true;
  Rules = allRules();
  // A newer plugin's checks.
  for (const auto &Entry : Used)
    if (none_of(Rules, [&](const Rule &R) { return R.Id == Entry.first(); }))
      Rules.push_back({Entry.first().str(), Entry.first(), ""});
  erase_if(Rules, [&](const Rule &R) { return !Used.contains(R.Id); });
  sort(Rules, [](const Rule &A, const Rule &B) { return A.Id < B.Id; });
  Json.attributeArray("rules", [&] {
    for (const Rule &R : Rules)
      Json.object([&] {
        text("id", R.Id);
        message("shortDescription", R.Summary);
        if (!R.Help.empty())
          message("help", R.Help);
      });
  });
}

/// 3.4
void SarifWriter::writeFile(StringRef File) {
  Json.attributeObject("artifactLocation", [&] {
    // Only with --source-root=/ are there absolute ones.
    bool IsAbsolute = sys::path::is_absolute(File);
    text("uri", (IsAbsolute ? "file://" : "") + toUri(File));
    if (!IsAbsolute)
      text("uriBaseId", "SRCROOT");
  });
}

/// 3.29
void SarifWriter::writePlace(const SourcePlace &Place) {
  Json.attributeObject("physicalLocation", [&] {
    writeFile(Place.File);
    if (Place.Line)
      Json.attributeObject("region",
                           [&] { Json.attribute("startLine", Place.Line); });
  });
}

/// 3.33
void SarifWriter::writeLogical(const Finding &F) {
  Json.attributeArray("logicalLocations", [&] {
    Json.object([&] {
      text("fullyQualifiedName", F.Id);
      text("kind", F.field()   ? "member"
                   : F.check() ? "declaration"
                               : "variable");
    });
  });
}

void SarifWriter::writeRelated(const Finding &F) {
  std::vector<std::pair<SourcePlace, std::string>> Related;
  auto Add = [&](const SourcePlace &Place, const Twine &Text) {
    if (Place && none_of(Related, [&](const auto &Known) {
          return Known.first == Place && Known.second == Text.str();
        }))
      Related.push_back({Place, Text.str()});
  };
  for (const FindingOccupant &Occupant : F.Occupants)
    Add(Occupant.Defined, Occupant.Name + " is defined here");
  for (const FindingOccupant &Occupant : F.Occupants)
    for (const FindingSite &Site : Occupant.Sites)
      if (!Site.Access.empty() && !Site.isStartUp())
        Add(Site.Place,
            Site.Access + " of " + Occupant.Name +
                (Site.Function.empty() ? "" : " in " + Site.Function));
  if (F.Seen)
    for (const ObservedWord &Word : F.Seen->Words)
      for (const ObservedAccess &Access : Word.Accesses)
        for (const SourcePlace &Place : Access.Sites)
          Add(Place, "seen: thread " + threadName(Access) +
                         (Access.Writes ? " writes byte " : " reads byte ") +
                         Twine(Word.Offset));
  for (const Finding::Note &Note : F.Notes)
    Add(Note.Place, Note.Message);
  for (const FindingEvidence &Evidence : F.Evidence)
    if (!F.check())
      Add(Evidence.Place, Evidence.Check + ": " + Evidence.Message);
  if (Related.empty())
    return;
  Json.attributeArray("relatedLocations", [&] {
    for (auto [Id, Place] :
         enumerate(ArrayRef(Related).take_front(MostRelated)))
      Json.object([&] {
        Json.attribute("id", int64_t(Id));
        writePlace(Place.first);
        message("message", Place.second);
      });
  });
}

/// 3.36: from where the address is handed on, or from the outermost call that
/// was inlined, to the access.
void SarifWriter::writeFlow(const FindingOccupant &Occupant,
                            const FindingSite &Site) {
  std::vector<std::pair<SourcePlace, std::string>> Steps;
  if (Occupant.Defined)
    Steps.push_back({Occupant.Defined, Occupant.Name + " is defined here"});
  if (Site.HandedOn)
    Steps.push_back({Site.HandedOn, "its address goes through " + Site.Way +
                                        (Site.IsMay ? ", perhaps" : "")});
  for (const FindingSite::Frame &Frame : reverse(Site.InlinedInto))
    if (Frame.Place)
      Steps.push_back({Frame.Place, "in " + Frame.Function});
  Steps.push_back({Site.Place, Site.Access + " in " + Site.Function});
  Json.object([&] {
    Json.attributeArray("threadFlows", [&] {
      Json.object([&] {
        Json.attributeArray("locations", [&] {
          for (const auto &[Place, Text] : Steps)
            Json.object([&] {
              Json.attributeObject("location", [&] {
                writePlace(Place);
                message("message", Text);
              });
            });
        });
      });
    });
  });
}

void SarifWriter::writeFlows(const Finding &F) {
  std::vector<std::pair<const FindingOccupant *, const FindingSite *>> Flows;
  for (const FindingOccupant &Occupant : F.Occupants)
    for (const FindingSite &Site : Occupant.Sites)
      if (Site.Place && !Site.isStartUp() &&
          (Site.HandedOn || !Site.InlinedInto.empty()))
        Flows.push_back({&Occupant, &Site});
  if (Flows.empty())
    return;
  Json.attributeArray("codeFlows", [&] {
    for (auto [Occupant, Site] : ArrayRef(Flows).take_front(MostFlows))
      writeFlow(*Occupant, *Site);
  });
}

/// 3.55. A region of lines is without the end of its last one (3.30.8).
void SarifWriter::writeFix(const Finding &F) {
  if (F.Fix.empty())
    return;
  std::map<StringRef, std::vector<const FindingEdit *>> Files;
  for (const FindingEdit &Edit : F.Fix)
    Files[Edit.Place.File].push_back(&Edit);
  auto WriteEdit = [&](const FindingEdit &Edit) {
    Json.attributeObject("deletedRegion", [&] {
      Json.attribute("startLine", Edit.Place.Line);
      Json.attribute("endLine",
                     Edit.Place.Line +
                         int64_t(StringRef(Edit.Before).count('\n')));
    });
    message("insertedContent", Edit.After);
  };
  Json.attributeArray("fixes", [&] {
    Json.object([&] {
      Json.attributeArray("artifactChanges", [&] {
        for (const auto &[File, Edits] : Files)
          Json.object([&] {
            writeFile(File);
            Json.attributeArray("replacements", [&] {
              for (const FindingEdit *Edit : Edits)
                Json.object([&] { WriteEdit(*Edit); });
            });
          });
      });
    });
  });
}

void SarifWriter::writeProperties(const Finding &F) {
  Json.attributeObject("properties", [&] {
    text("rung", word(F.Reached));
    if (!F.Kind.empty())
      text("sharing", F.Kind);
    writeScore("score", F.score(), Json);
    if (F.State == FindingState::Worse || F.State == FindingState::Better)
      writeScore("oldScore", F.OldScore, Json);
    if (std::string Remedy = F.remedyText(); !Remedy.empty())
      text("remedy", Remedy);
    if (F.Cost)
      Json.attributeObject("cost", [&] {
        text("metric", F.Cost->Metric);
        Json.attribute("before", F.Cost->Before);
        Json.attribute("after", F.Cost->After);
        Json.attribute("p", F.Cost->P);
      });
  });
}

void SarifWriter::writeResult(const Finding &F) {
  std::string Id = ruleOf(F);
  auto Is = [&](const Rule &R) { return R.Id == Id; };
  Json.object([&] {
    text("ruleId", Id);
    Json.attribute("ruleIndex", int64_t(find_if(Rules, Is) - Rules.begin()));
    // 3.27.9: what was looked at and is no problem.
    if (F.isRefuted())
      text("kind", "pass");
    text("level", F.isRefuted() ? "none" : levelOf(F.Reached));
    message("message", summarize(F) + (F.remedyText().empty() || F.check()
                                           ? ""
                                           : "\n" + F.remedyText()));
    Json.attributeArray("locations", [&] {
      Json.object([&] {
        if (SourcePlace Place = primaryPlace(F))
          writePlace(Place);
        writeLogical(F);
      });
    });
    writeRelated(F);
    writeFlows(F);
    writeFix(F);
    Json.attributeObject("partialFingerprints", [&] {
      text("linesmanIdentity/v1", fingerprint(F, Fingerprints));
    });
    // 3.27.24
    if (F.State != FindingState::NotCompared)
      text("baselineState", F.State == FindingState::New    ? "new"
                            : F.State == FindingState::Same ? "unchanged"
                                                            : "updated");
    writeProperties(F);
  });
}

void SarifWriter::write() {
  Json.object([&] {
    text("$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/"
                    "os/schemas/sarif-schema-2.1.0.json");
    text("version", "2.1.0");
    Json.attributeArray("runs", [&] {
      Json.object([&] {
        Json.attributeObject("tool", [&] {
          Json.attributeObject("driver", [&] {
            text("name", "linesman");
            text("version", Version);
            writeRules();
          });
        });
        Json.attributeArray("invocations", [&] {
          Json.object([&] {
            Json.attribute("executionSuccessful", true);
            if (!Report.Notes.empty())
              Json.attributeArray("toolExecutionNotifications", [&] {
                for (const std::string &Note : Report.Notes)
                  Json.object([&] {
                    text("level", "note");
                    message("message", Note);
                  });
              });
          });
        });
        Json.attributeObject("originalUriBaseIds", [&] {
          Json.attributeObject("SRCROOT", [&] {
            message("description", "the root of the source tree");
          });
        });
        Json.attributeArray("results", [&] {
          for (const Finding &F : Report.Findings)
            writeResult(F);
        });
        Json.attributeObject("properties", [&] {
          text("command", Report.Command);
          if (!Report.Binary.empty())
            text("binary", Report.Binary);
          writeScore("totalScore", Report.TotalScore, Json);
          Json.attribute("hiddenFindings", int64_t(Report.Hidden));
        });
      });
    });
  });
  Json.flush();
}

} // namespace

/// A hash of what stays the same. Of several findings with one key the second
/// is not the first.
std::string fingerprint(const Finding &Found, StringMap<unsigned> &Seen) {
  std::string Key = ruleOf(Found) + "\n" + stableKey(Found);
  if (unsigned Before = Seen[Key]++)
    Key += "\n" + utostr(Before);
  return toHex(SHA1::hash(arrayRefFromStringRef(Key)), /*LowerCase=*/true);
}

void writeSarif(const Document &Report, StringRef Version, raw_ostream &OS) {
  SarifWriter(Report, Version, OS).write();
  OS << '\n';
}

} // namespace linesman::report
