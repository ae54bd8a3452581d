// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout report as JSON, schema 1. docs/design.md has the shape; new keys
// may be added, old ones keep their meaning.

#include "LinePicture.h"
#include "MemberUses.h"
#include "Sites.h"
#include "linesman/Guard/Text.h"
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

/// Sites of one occupant. A lock of a large program has thousands, which made
/// tens of megabytes.
constexpr size_t MostSites = 16;

class JsonWriter {
public:
  JsonWriter(const LayoutReport &Report, raw_ostream &OS)
      : Report(Report), Image(Report.Image), Json(OS, /*IndentSize=*/2) {}

  void write() {
    Json.object([&] {
      writeHead("layout", Json);
      Json.attribute("binary", utf8(Report.BinaryPath));
      Json.attribute("line_size", int64_t(Report.Lines.blockSize()));
      Json.attribute("page_size", int64_t(Report.Pages.blockSize()));
      writeTotal(Report.TotalScore, Report.Against, Json);
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
        for (const LineFinding &Finding : Report.Findings)
          writeFinding(Finding);
      });
      Json.attribute("hidden_findings", int64_t(Report.Hidden));
      std::visit([&](const auto &Scene) { writeUnsigned(Scene); },
                 Report.Scene);
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

  void writeSections(const LinkedScene &) {
    Json.attributeArray("sections", [&] {
      for (const Section &S : Image.sections())
        writeSection(S);
    });
  }
  void writeSections(const ObjectScene &) {}

  void writeUnsigned(const LinkedScene &Scene) {
    Json.attribute("lines_without_sign", int64_t(Scene.Unsigned));
  }
  void writeUnsigned(const ObjectScene &) {}

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

  void writeType(const TypeScene &Scene, const FieldHazard &About) {
    const AccessedType &T = Scene.Types[About.Type];
    const auto &Layout = Scene.Layouts[About.Type];
    Json.attribute("name", utf8(T.Name));
    Json.attribute("size", int64_t(T.Size));
    Json.attribute("alignment", int64_t(T.Alignment));
    if (Layout && !Layout->Source.empty())
      Json.attribute("source", utf8(Layout->Source));
    Json.attribute("synchronised", About.IsSynchronised);
    Json.attribute("array", About.IsArray);
    Json.attribute("phases", int64_t(About.Phases));
    if (!About.Partner.empty())
      Json.attribute("partner", utf8(About.Partner));
    Json.attribute("shared_phases", int64_t(About.Shared));
  }

  /// From the object's begin; the line may begin before it.
  int64_t offsetOf(LinkAddress Address, OccupantIndex In) const {
    return int64_t(Address.Value) -
           int64_t(Image.sectionOf(In).Range.Begin.Value);
  }

  void writePlace(const LineFinding &Finding, const VariableHazard &About) {
    Json.attributeObject("line",
                         [&] { writeLine(Finding.Line, Finding.Occupants); });
    Json.attribute("like_lines", int64_t(Finding.Lines));
    Json.attribute("threads_meet_by", word(About.Meeting));
    if (About.BehindLock)
      Json.attribute("behind_lock", utf8(nameAt(Report, {About.BehindLock})));
  }

  void writePlace(const LineFinding &Finding, const FieldHazard &About) {
    Json.attribute("member", utf8(About.Member));
    Json.attributeObject("type", [&] {
      writeType(*std::get<ObjectScene>(Report.Scene).Types, About);
    });
    Json.attributeObject("line", [&] {
      Json.attribute("offset", offsetOf(Report.Lines.range(Finding.Line).Begin,
                                        Finding.Occupants.front().Occupant));
    });
  }

  void writeFinding(const LineFinding &Finding) {
    Json.object([&] {
      Json.attribute("id", utf8(Finding.Id));
      Json.attribute("rung", word(Finding.At));
      Json.attribute("kind", word(Finding.Kind));
      Json.attribute("score", Finding.score());
      Json.attributeObject("score_parts", [&] {
        Json.attribute("same_bytes", Finding.Points.True);
        Json.attribute("other_objects", Finding.Points.Between);
        Json.attribute("same_object", Finding.Points.Within);
      });
      std::visit([&](const auto &About) { writePlace(Finding, About); },
                 Finding.About);
      Json.attribute("marks",
                     accessMarks(Report, Finding.Line, Finding.Occupants));
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

  void writeBytes(const LinkedScene &, const LineOccupant &Place,
                  const std::optional<MemberUses> &Members) {
    if (Members && !Members->Around.empty())
      Json.attribute("member", utf8(Members->Around));
    Json.attribute("address", hex(Place.Range.Begin));
    Json.attribute("size", int64_t(Place.Range.size()));
    if (Image.occupants()[Place.Occupant].Kind == OccupantKind::Object)
      writeObject(Place);
  }

  void writeBytes(const ObjectScene &Scene, const LineOccupant &Place,
                  const std::optional<MemberUses> &) {
    Json.attribute("offset", offsetOf(Place.Range.Begin, Place.Occupant));
    if (const Occupant &O = Image.occupants()[Place.Occupant];
        O.Kind == OccupantKind::Object)
      Json.attribute("member", utf8(Scene.Types->Fields[O.Symbol].Name));
    Json.attribute("size", int64_t(Place.Range.size()));
  }

  void writeOccupant(const LineOccupant &Place) {
    Json.object([&] {
      Json.attribute("symbol", utf8(Image.label(Place.Occupant)));
      Json.attribute("name", utf8(displayName(Image, Place.Occupant)));
      std::optional<MemberUses> Members = findMemberUses(Report, Place);
      std::visit([&](const auto &Scene) { writeBytes(Scene, Place, Members); },
                 Report.Scene);
      if (Place.Object)
        if (std::string Text = definitionText(Report, *Place.Object);
            !Text.empty())
          Json.attribute("source", utf8(Text));
      Json.attribute("reads", Place.Reads);
      Json.attribute("writes", Place.Writes);
      Json.attribute("atomics", Place.Atomics);
      Users By = findUsers(Report, Place);
      writeRoles("written_by", By.Writers);
      writeRoles("read_by", By.Readers);
      if (Members)
        writeMembers(Image.symbols()[Place.Object->Symbol], *Members);
      std::vector<Site> Sites = findSites(Report, Place);
      size_t More =
          Report.List == LineList::All ? 0 : dropSites(Sites, MostSites);
      Json.attributeArray("sites", [&] {
        for (const Site &S : Sites)
          writeSite(S);
      });
      if (More)
        Json.attribute("more_sites", int64_t(More));
    });
  }

  void writeMembers(const Symbol &Object, const MemberUses &Members) {
    Json.attributeArray("members", [&] {
      for (const MemberUse &Use : Members.Members)
        Json.object([&] {
          Json.attribute("member", utf8(Use.At.Path));
          Json.attribute("address", hex(Object.Address + Use.At.Bytes.Begin));
          Json.attribute("size",
                         int64_t(Use.At.Bytes.End - Use.At.Bytes.Begin));
          if (Use.At.Bits) {
            Json.attribute("first_bit", int64_t(Use.At.FirstBit));
            Json.attribute("bits", int64_t(Use.At.Bits));
          }
          Json.attribute("reads", Use.Reads);
          Json.attribute("writes", Use.Writes);
          Json.attribute("atomics", Use.Atomics);
        });
    });
    if (!Members.Arrays.empty())
      Json.attributeArray("arrays", [&] {
        for (const MemberArray &A : Members.Arrays)
          Json.object([&] {
            Json.attribute("member", utf8(A.Path));
            Json.attribute("elements", int64_t(A.Elements));
            Json.attribute("stride", int64_t(A.Stride));
            Json.attribute("per_line",
                           double(Report.Lines.blockSize()) / double(A.Stride));
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
      if (Object.Origin == SymbolOrigin::Anonymous)
        Json.attribute("origin", "anonymous");
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
              Json.attribute("function", utf8(guard::demangle(F.Function)));
              Json.attribute("source", utf8(sourceText(F.File, F.Line)));
            });
        });
      if (!S.Through.empty())
        Json.attribute("through", utf8(S.Through));
      if (!S.HandedOn.empty())
        Json.attribute("through_source", utf8(S.HandedOn));
      if (S.IsMay)
        Json.attribute("perhaps", true);
      Json.attribute("access", word(S.Kind));
      if (!S.Members.empty())
        Json.attributeArray("touches", [&] {
          for (const std::string &Member : S.Members)
            Json.value(utf8(Member));
        });
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
