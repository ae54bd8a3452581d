// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plan says which symbols an exploded page has, Relink links them apart; what
// is left is to say where they went.

#include "linesman/Drive/Explode.h"
#include "linesman/Guard/Document.h"
#include "linesman/Layout/LineMap.h"
#include "linesman/Layout/Names.h"
#include "linesman/Plan/Plan.h"
#include "linesman/Process/State.h"
#include "linesman/Relink/Relink.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;
using namespace linesman::layout;
using namespace linesman::process;

namespace linesman::drive {

Expected<relink::Link> readLinkCommand(StringRef Path) {
  auto Buffer = guard::readDocument(Path);
  if (!Buffer)
    return Buffer.takeError();
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  SmallVector<const char *> Words;
  cl::TokenizeGNUCommandLine((*Buffer)->getBuffer(), Saver, Words);
  if (Words.empty())
    return createStringError(Path + ": expected a link command");
  relink::Link Result;
  Result.Command.assign(Words.begin(), Words.end());
  return Result;
}

static relink::RelinkConfig relinkTo(const relink::Link &Original,
                                     StringRef Output) {
  relink::RelinkConfig Config;
  Config.Original = Original;
  Config.Output = Output.str();
  Config.Self = sys::fs::getMainExecutable(nullptr, nullptr);
  return Config;
}

Expected<std::vector<std::string>>
findInseparable(const input::Binary &Binary, ArrayRef<PageCandidate> Pages,
                const relink::Link &Original, StringRef Output) {
  relink::RelinkConfig Config = relinkTo(Original, Output);
  std::vector<std::string> Result(Pages.size());
  std::vector<size_t> Asked;
  PageMap Map(Binary.Image, {pageSize()});
  for (auto [I, Page] : enumerate(Pages)) {
    Expected<plan::PlannedEdit> Edit =
        plan::explodePage(Binary.Image, Map, Map.indexOf(Page.Pages.Begin));
    if (!Edit) {
      Result[I] = toString(Edit.takeError());
      continue;
    }
    Config.Edits.push_back(std::move(Edit->Change));
    Asked.push_back(I);
  }
  Expected<std::vector<std::string>> Problems = relink::findProblems(Config);
  if (!Problems)
    return Problems.takeError();
  for (auto [I, Problem] : zip_equal(Asked, *Problems))
    Result[I] = std::move(Problem);
  return Result;
}

Expected<Exploded> explodePage(const input::Binary &Binary,
                               const PageCandidate &Page,
                               const relink::Link &Original, StringRef Output) {
  const Image &Image = Binary.Image;
  PageMap Pages(Image, {Page.Pages.size()});
  Exploded Result;
  relink::RelinkConfig Config = relinkTo(Original, Output);
  Expected<plan::PlannedEdit> Edit =
      plan::explodePage(Image, Pages, Pages.indexOf(Page.Pages.Begin));
  if (!Edit)
    return Edit.takeError();
  Config.Edits = {Edit->Change};
  ObjectNames Names(Image);
  for (OccupantIndex I : Pages.occupants(Pages.indexOf(Page.Pages.Begin)))
    if (Image.occupants()[I].Kind == OccupantKind::Object &&
        !plan::isMovable(Image, Image.symbol(I)))
      Result.Left.push_back(Names.id(Image.occupants()[I].Symbol));
  Expected<relink::Relinked> Applied = relink::relink(Config);
  if (!Applied)
    return Applied.takeError();
  // Candidates go by the path that the process will show.
  SmallString<256> Path;
  if (std::error_code EC = sys::fs::real_path(Output, Path))
    return createFileError(Output, EC);
  for (const relink::Placed &P : Applied->Edits.front().Symbols) {
    uint64_t Bytes = Page.Pages.size();
    Result.Symbols.push_back({std::string(Path),
                              {{alignDown(P.Address.Value, Bytes)},
                               {alignTo(P.Address.Value + P.Size, Bytes)}},
                              {P.Symbol}});
  }
  // The search wants them by address.
  sort(Result.Symbols, [](const PageCandidate &A, const PageCandidate &B) {
    return A.Pages.Begin < B.Pages.Begin;
  });
  return Result;
}

} // namespace linesman::drive
