// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The layout report as one self-contained page.
//
//     page.html.in, page.css
//     <script id="report">   the JSON report, as --format=json has it
//     <script id="mapdata">  every object and every line with an access,
//                            deflated, because names are most of a page
//     page.js                draws what is visible of both

#include "Sites.h"
#include "linesman/Report/Report.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/JSON.h"
#include <algorithm>
#include <map>

using namespace llvm;
using namespace linesman::layout;

namespace linesman::report {

// The files of lib/Report/page, from the build.
extern const StringLiteral PageBegin;
extern const StringLiteral PageScript;

namespace {

/// What is known to be done to a line. The page has words for the values.
enum Use : unsigned { Read = 1, Written = 2 };

std::map<uint64_t, unsigned> findUses(const LayoutReport &Report) {
  std::map<uint64_t, unsigned> Uses;
  for (const AccessedObject &Object : Report.Accesses.objects()) {
    const Symbol &Is = Report.Image.symbols()[Object.Symbol];
    if (!Is.Size)
      continue;
    for (const ObjectAccess &A : Object.Accesses) {
      if (!Report.Accesses.isConcurrent(A))
        continue;
      AddressRange Bytes = Is.range();
      if (A.offset()) {
        LinkAddress Begin = Is.Address + *A.offset();
        Bytes = {Begin, Begin + std::max<uint64_t>(A.Size, 1)};
      }
      uint64_t Last = Report.Lines.indexOf({Bytes.End.Value - 1}).Value;
      for (uint64_t L = Report.Lines.indexOf(Bytes.Begin).Value; L <= Last; ++L)
        Uses[L] |= A.Kind == facts::AccessKind::Read    ? Read
                   : A.Kind == facts::AccessKind::Write ? Written
                                                        : Read | Written;
    }
  }
  return Uses;
}

/// Differences in place of addresses, which are short and deflate well.
std::string describeMap(const LayoutReport &Report) {
  std::string Text;
  raw_string_ostream OS(Text);
  json::OStream Json(OS);
  const Image &Image = Report.Image;
  std::vector<OccupantIndex> Objects;
  for (OccupantIndex I = 0; I != Image.occupants().size(); ++I) {
    const Occupant &O = Image.occupants()[I];
    if ((O.Kind == OccupantKind::Object || O.Kind == OccupantKind::Linker) &&
        Image.sectionOf(I).Kind == SectionKind::Data)
      Objects.push_back(I);
  }
  Json.object([&] {
    Json.attributeArray("sections", [&] {
      for (const Section &S : Image.sections())
        if (S.Kind == SectionKind::Data)
          Json.object([&] {
            Json.attribute("section", json::fixUTF8(S.Name));
            Json.attribute("address", "0x" + utohexstr(S.Range.Begin.Value,
                                                       /*LowerCase=*/true));
            Json.attribute("size", int64_t(S.Range.size()));
          });
    });
    Json.attributeArray("starts", [&] {
      uint64_t Before = 0;
      for (OccupantIndex I : Objects) {
        Json.value(int64_t(Image.range(I).Begin.Value - Before));
        Before = Image.range(I).Begin.Value;
      }
    });
    Json.attributeArray("sizes", [&] {
      for (OccupantIndex I : Objects)
        Json.value(int64_t(Image.range(I).size()));
    });
    std::string Names;
    for (OccupantIndex I : Objects) {
      std::string Name = displayName(Image, I);
      std::replace(Name.begin(), Name.end(), '\n', ' ');
      Names += (Names.empty() && I == Objects.front() ? "" : "\n") + Name;
    }
    Json.attribute("names", json::fixUTF8(Names));
    Json.attributeArray("lines", [&] {
      uint64_t Before = 0;
      for (auto [Line, Use] : findUses(Report)) {
        Json.value(int64_t(Line - Before));
        Json.value(Use);
        Before = Line;
      }
    });
  });
  return Text;
}

void writeMap(const LayoutReport &Report, const LinkedScene &,
              raw_ostream &OS) {
  SmallVector<uint8_t> Deflated;
  compression::zlib::compress(arrayRefFromStringRef(describeMap(Report)),
                              Deflated);
  OS << "<script type=\"text/plain\" id=\"mapdata\">" << encodeBase64(Deflated)
     << "</script>\n";
}

/// Types have no addresses, and so no map.
void writeMap(const LayoutReport &, const ObjectScene &, raw_ostream &) {}

} // namespace

void writeInScript(StringRef Json, raw_ostream &OS) {
  for (char C : Json)
    if (C == '<')
      OS << "\\u003c";
    else
      OS << C;
}

Error writeHtml(const LayoutReport &Report, StringRef Json, raw_ostream &OS) {
  if (!compression::zlib::isAvailable())
    return createStringError("this LLVM was built without zlib, which the "
                             "HTML report needs");
  OS << PageBegin;
  writeInScript(Json, OS);
  OS << "</script>\n";
  std::visit([&](const auto &Scene) { writeMap(Report, Scene, OS); },
             Report.Scene);
  OS << "<script>\n" << PageScript << "</script>\n</body>\n</html>\n";
  return Error::success();
}

} // namespace linesman::report
