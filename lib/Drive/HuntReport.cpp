// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     costed: store::Node<unsigned long>::nil_root
//
//     What it costs
//       store::Node<unsigned long>::nil_root isolated: faster: 1.71 times the
//       metric (95 % interval 1.68 to 1.74); ...

#include "linesman/Drive/HuntReport.h"
#include "linesman/Guard/Head.h"
#include "linesman/Report/Document.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace linesman::drive;

namespace linesman::drive {

namespace {

/// Broken at blanks, so that no line is longer than it must be.
void writeParagraph(StringRef Text, size_t Columns, raw_ostream &OS) {
  SmallVector<StringRef> Words;
  Text.split(Words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  size_t Column = 0;
  for (StringRef Word : Words) {
    bool Breaks = Column && Column + 1 + Word.size() > Columns;
    if (!Column || Breaks) {
      OS << (Breaks ? "\n    " : "  ");
      Column = Breaks ? 4 : 2;
    } else {
      OS << ' ';
      ++Column;
    }
    OS << Word;
    Column += Word.size();
  }
  OS << '\n';
}

/// What Markdown would take for its own.
std::string escapeMarkdown(StringRef Text) {
  std::string Result;
  for (char C : Text) {
    if (StringRef("\\`*_[]<>#|").contains(C))
      Result += '\\';
    Result += C == '\n' ? ' ' : C;
  }
  return Result;
}

std::string escapeHtml(StringRef Text) {
  std::string Result;
  raw_string_ostream OS(Result);
  printHTMLEscaped(Text, OS);
  return Result;
}

StringRef word(StepEnd End) {
  switch (End) {
  case StepEnd::Done:
    return "done";
  case StepEnd::Known:
    return "known";
  case StepEnd::Stopped:
    return "stopped";
  case StepEnd::Failed:
    return "failed";
  }
  llvm_unreachable("unknown end");
}

} // namespace

void writeText(const Story &Told, size_t Columns, raw_ostream &OS) {
  OS << Told.Title << '\n';
  for (const Section &S : Told.Sections) {
    OS << '\n' << S.Heading << '\n';
    for (const std::string &Line : S.Lines)
      if (S.Shape == Section::Form::Commands)
        OS << "  " << Line << '\n';
      else
        writeParagraph(Line, Columns, OS);
  }
}

void writeMarkdown(const Story &Told, raw_ostream &OS) {
  OS << "# " << escapeMarkdown(Told.Title) << '\n';
  for (const Section &S : Told.Sections) {
    OS << "\n## " << S.Heading << "\n\n";
    bool IsCode = S.Shape == Section::Form::Commands;
    // Indented and not fenced: no text can end it.
    for (const std::string &Line : S.Lines)
      OS << (IsCode ? "    " + Line : "- " + escapeMarkdown(Line)) << '\n';
  }
}

void writeHtml(const Story &Told, raw_ostream &OS) {
  std::string Title = escapeHtml(Told.Title);
  OS << "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<title>"
     << Title
     << "</title>\n<style>body{font:16px/1.5 sans-serif;max-width:60em;"
        "margin:2em auto;padding:0 1em}pre{overflow-x:auto}</style></head>\n"
        "<body>\n<h1>"
     << Title << "</h1>\n";
  for (const Section &S : Told.Sections) {
    bool IsCode = S.Shape == Section::Form::Commands;
    OS << "<h2>" << escapeHtml(S.Heading) << "</h2>\n"
       << (IsCode ? "<pre>" : "<ul>") << '\n';
    for (const std::string &Line : S.Lines)
      OS << (IsCode ? escapeHtml(Line) : "<li>" + escapeHtml(Line) + "</li>")
         << '\n';
    OS << (IsCode ? "</pre>" : "</ul>") << '\n';
  }
  OS << "</body></html>\n";
}

void writeJson(const HuntRequest &Request, const HuntResult &Result,
               const Story &Told, raw_ostream &OS) {
  json::OStream Json(OS, 2);
  auto writeTexts = [&](StringRef Key, ArrayRef<std::string> Texts) {
    Json.attributeArray(Key, [&] {
      for (const std::string &Text : Texts)
        Json.value(json::fixUTF8(Text));
    });
  };
  Json.object([&] {
    guard::writeHead("hunt", Json);
    Json.attribute("binary", json::fixUTF8(Request.Program));
    Json.attribute("line_size", int64_t(Result.LineSize));
    Json.attribute("outcome", drive::word(Result.outcome()));
    writeTexts("notes", Result.Notes);
    Json.attributeArray("findings", [&] {
      for (const Lead &L : Result.Leads)
        Json.value(report::toJson(L.Finding));
    });
    Json.attributeObject("story", [&] {
      Json.attribute("title", json::fixUTF8(Told.Title));
      Json.attributeArray("sections", [&] {
        for (const Section &S : Told.Sections)
          Json.object([&] {
            Json.attribute("heading", S.Heading);
            writeTexts("lines", S.Lines);
          });
      });
    });
    Json.attributeArray("steps", [&] {
      for (const StepRecord &Step : Result.Steps)
        Json.object([&] {
          Json.attribute("step", Step.Action.Name);
          Json.attribute("state", word(Step.End));
          writeTexts("arguments", Step.Action.Arguments);
          Json.attribute("result", json::fixUTF8(Step.Action.Result));
          if (!Step.Problem.empty())
            Json.attribute("problem", json::fixUTF8(Step.Problem));
        });
    });
  });
  OS << '\n';
}

void writeJudged(const HuntRequest &Request, const HuntResult &Result,
                 raw_ostream &OS) {
  json::OStream Json(OS, 2);
  Json.object([&] {
    guard::writeHead("hunt", Json);
    Json.attribute("binary", json::fixUTF8(Request.Program));
    Json.attribute("line_size", int64_t(Result.LineSize));
    Json.attributeArray("findings", [&] {
      for (const report::Finding &Found : Result.judged())
        Json.value(report::toJson(Found));
    });
  });
  OS << '\n';
}

} // namespace linesman::drive
