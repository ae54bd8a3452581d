// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/PageRuns.h"
#include "linesman/Guard/Head.h"
#include "linesman/Process/State.h"
#include "linesman/Report/Document.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace linesman::control;
using namespace linesman::process;

namespace linesman::drive {

Expected<std::vector<ModuleRuns>> readPageRuns(Actuator &Mover,
                                               StaticPages &Pages) {
  std::vector<ModuleRuns> Result;
  for (NamedModule &M : Pages.modules()) {
    ModuleRuns Found{&M, {}};
    for (RunRange Range : M.Loaded.Ranges) {
      Expected<std::vector<PagePlace>> Places = Mover.query(Range);
      if (!Places)
        return Places.takeError();
      for (const PagePlace &Page : *Places) {
        RunRange Whole = {Page.Address, {Page.Address.Value + pageSize()}};
        std::vector<std::string> Symbols = Pages.symbolsIn(M, Whole);
        if (!Found.Runs.empty()) {
          PageRun &Last = Found.Runs.back();
          if (Last.Range.End == Whole.Begin && Last.Symbols == Symbols &&
              describe(Last.First) == describe(Page)) {
            Last.Range.End = Whole.End;
            continue;
          }
        }
        Found.Runs.push_back({Whole, Page, std::move(Symbols)});
      }
    }
    Result.push_back(std::move(Found));
  }
  return Result;
}

static std::string addresses(const NamedModule &Loaded, RunRange Range) {
  if (Range.size() == pageSize())
    return formatv("{0:x}", Loaded.Loaded.Bias.toLink(Range.Begin).Value);
  return formatv("{0:x}-{1:x}", Loaded.Loaded.Bias.toLink(Range.Begin).Value,
                 Loaded.Loaded.Bias.toLink(Range.End).Value);
}

void writeText(ArrayRef<ModuleRuns> Modules, raw_ostream &OS) {
  bool First = true;
  for (const ModuleRuns &M : Modules) {
    OS << (First ? "" : "\n") << sys::path::filename(M.Module->Loaded.Path)
       << '\n';
    First = false;
    for (const PageRun &Run : M.Runs)
      OS << formatv("  {0,-20} {1,-42} {2}", addresses(*M.Module, Run.Range),
                    describe(Run.First), shorten(Run.Symbols))
         << '\n';
  }
}

static StringRef stateWord(PageState State) {
  switch (State) {
  case PageState::Private:
    return "private";
  case PageState::File:
    return "page-cache";
  case PageState::Untouched:
    return "untouched";
  case PageState::Zero:
    return "zero-page";
  case PageState::Shared:
    return "shared";
  case PageState::Swapped:
    return "swapped";
  case PageState::Unknown:
    return "unknown";
  }
  llvm_unreachable("unknown page state");
}

void writeJson(ArrayRef<ModuleRuns> Modules, raw_ostream &OS) {
  json::OStream Json(OS, 2);
  Json.object([&] {
    guard::writeHead("pages", Json);
    Json.attribute("page_size", int64_t(pageSize()));
    Json.attributeArray("modules", [&] {
      for (const ModuleRuns &M : Modules)
        Json.object([&] {
          Json.attribute("path", json::fixUTF8(M.Module->Loaded.Path));
          Json.attributeArray("pages", [&] {
            for (const PageRun &Run : M.Runs)
              Json.object([&] {
                Json.attribute(
                    "address",
                    formatv("{0:x}",
                            M.Module->Loaded.Bias.toLink(Run.Range.Begin).Value)
                        .str());
                Json.attribute("count", int64_t(Run.Range.size() / pageSize()));
                Json.attribute("state", stateWord(Run.First.State));
                if (Run.First.Node)
                  Json.attribute("node", *Run.First.Node);
                Json.attributeArray("symbols", [&] {
                  for (const std::string &Name : Run.Symbols)
                    Json.value(json::fixUTF8(Name));
                });
              });
          });
        });
    });
  });
  OS << '\n';
}

} // namespace linesman::drive
