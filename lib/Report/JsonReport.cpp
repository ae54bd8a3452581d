// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout report as JSON, schema 1: what is around its findings.
// docs/design.md has the shape; new keys may be added, old ones keep their
// meaning.

#include "DescribeFindings.h"
#include "Sites.h"
#include "linesman/Guard/Head.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

namespace {

/// ELF names are bytes; JSON wants UTF-8.
std::string utf8(StringRef Text) { return json::fixUTF8(Text); }

std::string hex(LinkAddress Address) {
  return "0x" + utohexstr(Address.Value, /*LowerCase=*/true);
}

class JsonWriter {
public:
  JsonWriter(const LayoutReport &Report, raw_ostream &OS)
      : Report(Report), Image(Report.Image), Json(OS, /*IndentSize=*/2) {}

  void write() {
    Json.object([&] {
      guard::writeHead("layout", Json);
      Json.attribute("binary", utf8(Report.BinaryPath));
      Json.attribute("line_size", int64_t(Report.Lines.blockSize()));
      Json.attribute("page_size", int64_t(Report.Pages.blockSize()));
      writeTotal(Report.TotalScore, Report.Changes, Json);
      Json.attributeArray("notes", [&] {
        for (const std::string &Note : Report.Notes)
          Json.value(utf8(Note));
      });
      std::visit([&](const auto &Scene) { writeSections(Scene); },
                 Report.Scene);
      if (Report.Accesses.knowsThreads())
        Json.attributeArray("roles", [&] {
          for (const Role &R : Report.Accesses.roles())
            if (R.Kind != RoleKind::StartUp && R.Kind != RoleKind::Concurrent)
              writeRole(R);
        });
      Json.attributeArray("findings", [&] {
        for (const LineFinding &Found : Report.Findings)
          writeFinding(describeFinding(Report, Found), Json);
      });
      Json.attribute("hidden_findings", int64_t(Report.Hidden));
      writeLimits(Report.Blind, Report.Reach, highestRung("layout"), Json);
      std::visit([&](const auto &Scene) { writeExtent(Scene); }, Report.Scene);
      if (Report.List != LineList::None)
        Json.attributeArray("lines", [&] { writeLines(); });
    });
    Json.flush();
  }

private:
  const LayoutReport &Report;
  const layout::Image &Image;
  json::OStream Json;

  void writeRole(const Role &R) {
    Json.object([&] {
      Json.attribute("role", utf8(roleName(R)));
      if (!R.Name.empty())
        Json.attribute("symbol", utf8(R.Name));
      Json.attribute("kind", word(R.Kind));
      Json.attribute("instances", word(R.Count));
      Json.attribute("entry_sites", int64_t(R.EntrySites));
    });
  }

  void writeSections(const LinkedScene &) {
    Json.attributeArray("sections", [&] {
      for (const Section &S : Image.sections())
        writeSection(S);
    });
  }
  void writeSections(const ObjectScene &) {}

  void writeExtent(const LinkedScene &Scene) {
    Json.attribute("lines_without_sign", int64_t(Scene.Guessed.total()));
  }
  void writeExtent(const ObjectScene &Scene) {
    Json.attribute("types", int64_t(Scene.Types->Types.size()));
  }

  void writeSection(const Section &S) {
    Json.object([&] {
      Json.attribute("section", utf8(S.Name));
      Json.attribute("address", hex(S.Range.Begin));
      Json.attribute("size", int64_t(S.Range.size()));
      Json.attribute("kind", word(S.Kind));
    });
  }

  /// Code touches an array somewhere: each of its lines has the same sites, and
  /// they are written once, at the first of them.
  struct SitesWritten {
    const AccessedObject *Object = nullptr;
    std::vector<const ObjectAccess *> Accesses;
    uint64_t Address = 0;
  };

  void writeOccupants(ArrayRef<LineOccupant> Occupants, SitesWritten &Last) {
    for (const LineOccupant &Place : Occupants) {
      std::optional<uint64_t> SitesAs;
      if (auto Accesses = findAccesses(Report, Place); !Accesses.empty()) {
        if (Place.Object == Last.Object && Accesses == Last.Accesses)
          SitesAs = Last.Address;
        else
          Last = {Place.Object, std::move(Accesses), Place.Range.Begin.Value};
      }
      writeOccupant(describeOccupant(Report, Place, SitesAs), Json);
    }
  }

  void writeLines() {
    uint64_t Left =
        Report.List == LineList::All ? UINT64_MAX : Report.FirstLines;
    SitesWritten Last;
    Report.Lines.visit([&](LineIndex Line) {
      if (Left-- == 0)
        return false;
      std::vector<LineOccupant> Occupants =
          lineOccupants(Image, Report.Lines, Report.Accesses, Line);
      Json.object([&] {
        writeLine(describeLine(Report, Line, Occupants), Json);
        Json.attributeArray("occupants",
                            [&] { writeOccupants(Occupants, Last); });
      });
      return true;
    });
  }
};

} // namespace

void writeJson(const LayoutReport &Report, raw_ostream &OS) {
  JsonWriter(Report, OS).write();
  OS << '\n';
}

} // namespace linesman::report
