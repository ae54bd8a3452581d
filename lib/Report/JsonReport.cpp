// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout report as JSON, schema 1. docs/design.md has the shape; new keys
// may be added, old ones keep their meaning.

#include "Sites.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
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
      Json.attribute("schema", 1);
      Json.attribute("tool", "linesman");
      Json.attribute("command", "layout");
      Json.attribute("binary", utf8(Report.BinaryPath));
      Json.attribute("line_size", int64_t(Report.Lines.blockSize()));
      Json.attribute("page_size", int64_t(Report.Pages.blockSize()));
      Json.attributeArray("notes", [&] {
        for (const std::string &Note : Report.Notes)
          Json.value(utf8(Note));
      });
      Json.attributeArray("sections", [&] {
        for (const Section &S : Image.sections())
          writeSection(S);
      });
      if (Report.Accesses.knowsThreads())
        Json.attributeArray("roles", [&] {
          for (const Role &R : Report.Accesses.roles())
            if (R.Kind != RoleKind::StartUp && R.Kind != RoleKind::Concurrent)
              writeRole(R);
        });
      Json.attributeArray("findings", [&] {
        for (const LineFinding &Finding : Report.Findings)
          writeFinding(Finding);
      });
      Json.attribute("hidden_findings", int64_t(Report.Hidden));
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

  void writeRoles(StringRef Key, ArrayRef<RoleIndex> Roles) {
    if (Report.Accesses.knowsThreads())
      Json.attributeArray(Key, [&] {
        for (RoleIndex Index : Roles)
          Json.value(utf8(roleName(Report.Accesses.roles()[Index])));
      });
  }

  void writeSection(const Section &S) {
    Json.object([&] {
      Json.attribute("section", utf8(S.Name));
      Json.attribute("address", hex(S.Range.Begin));
      Json.attribute("size", int64_t(S.Range.size()));
      Json.attribute("kind", S.Kind == SectionKind::Data    ? "data"
                             : S.Kind == SectionKind::Relro ? "relro"
                                                            : "tls");
    });
  }

  void writeLine(LineIndex Line, ArrayRef<LineOccupant> Occupants) {
    LinkAddress Begin = Report.Lines.range(Line).Begin;
    Json.attribute("address", hex(Begin));
    Json.attribute("section",
                   utf8(Image.sectionOf(Occupants.front().Occupant).Name));
    Json.attribute("page",
                   hex(Report.Pages.range(Report.Pages.indexOf(Begin)).Begin));
  }

  void writeFinding(const LineFinding &Finding) {
    Json.object([&] {
      Json.attribute("id", utf8(Finding.Id));
      Json.attribute("rung", word(Finding.At));
      Json.attribute("kind", word(Finding.Kind));
      Json.attribute("score", Finding.Points.total());
      Json.attributeObject("score_parts", [&] {
        Json.attribute("same_bytes", Finding.Points.True);
        Json.attribute("other_objects", Finding.Points.Between);
        Json.attribute("same_object", Finding.Points.Within);
      });
      Json.attributeObject("line",
                           [&] { writeLine(Finding.Line, Finding.Occupants); });
      Json.attribute("like_lines", int64_t(Finding.Lines));
      Json.attributeArray("occupants", [&] {
        for (const LineOccupant &Place : Finding.Occupants)
          writeOccupant(Place);
      });
      Json.attributeObject("remedy", [&] {
        Json.attribute("kind", word(Finding.Cure.Kind));
        Json.attribute("text", utf8(Finding.Cure.Text));
        if (!Finding.Cure.Symbols.empty())
          Json.attributeArray("symbols", [&] {
            for (uint32_t Symbol : Finding.Cure.Symbols)
              Json.value(utf8(Image.symbols()[Symbol].name()));
          });
      });
    });
  }

  void writeOccupant(const LineOccupant &Place) {
    Json.object([&] {
      Json.attribute("symbol", utf8(Image.label(Place.Occupant)));
      Json.attribute("name", utf8(displayName(Image, Place.Occupant)));
      Json.attribute("address", hex(Place.Range.Begin));
      Json.attribute("size", int64_t(Place.Range.size()));
      if (Image.occupants()[Place.Occupant].Kind == OccupantKind::Object)
        writeObject(Place);
      if (Place.Object && !Place.Object->DeclFile.empty())
        Json.attribute("source", utf8(sourceText(Place.Object->DeclFile,
                                                 Place.Object->DeclLine)));
      Json.attribute("reads", Place.Reads);
      Json.attribute("writes", Place.Writes);
      Json.attribute("atomics", Place.Atomics);
      Users By = findUsers(Report, Place);
      writeRoles("written_by", By.Writers);
      writeRoles("read_by", By.Readers);
      Json.attributeArray("sites", [&] {
        for (const Site &S : findSites(Report, Place))
          writeSite(S);
      });
    });
  }

  void writeObject(const LineOccupant &Place) {
    const Symbol &Object = Image.symbol(Place.Occupant);
    Json.attributeObject("object", [&] {
      Json.attribute("address", hex(Object.Address));
      Json.attribute("size", int64_t(Object.Size));
      if (Object.File)
        Json.attribute("file", utf8(Image.files()[Object.File]));
      if (Object.Origin == SymbolOrigin::Startup)
        Json.attribute("origin", "startup-file");
      if (Object.Origin == SymbolOrigin::CopyRelocation)
        Json.attribute("origin", "copy-relocation");
      std::vector<const Symbol *> Aliases = Image.aliases(Place.Occupant);
      if (!Aliases.empty())
        Json.attributeArray("aliases", [&] {
          for (const Symbol *Alias : Aliases)
            Json.value(utf8(Alias->name()));
        });
    });
  }

  void writeSite(const Site &S) {
    Json.object([&] {
      Json.attribute("function", utf8(S.Function));
      if (!S.Source.empty())
        Json.attribute("source", utf8(S.Source));
      if (S.Instruction.Value)
        Json.attribute("instruction", hex(S.Instruction));
      if (!S.InlinedInto.empty())
        Json.attributeArray("inlined_into", [&] {
          for (const Frame &F : S.InlinedInto)
            Json.object([&] {
              Json.attribute("function", utf8(demangle(F.Function)));
              Json.attribute("source", utf8(sourceText(F.File, F.Line)));
            });
        });
      Json.attribute("access", word(S.Kind));
      Json.attribute("weight", S.Weight);
      Json.attribute("role", word(S.isStartUp() ? RoleKind::StartUp
                                                : RoleKind::Concurrent));
      writeRoles("roles", S.RunBy);
    });
  }

  void writeLines() {
    uint64_t Left =
        Report.List == LineList::All ? UINT64_MAX : Report.FirstLines;
    Report.Lines.visit([&](LineIndex Line) {
      if (Left-- == 0)
        return false;
      std::vector<LineOccupant> Occupants =
          lineOccupants(Image, Report.Lines, Report.Accesses, Line);
      Json.object([&] {
        writeLine(Line, Occupants);
        Json.attributeArray("occupants", [&] {
          for (const LineOccupant &Place : Occupants)
            writeOccupant(Place);
        });
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
