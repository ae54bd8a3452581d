// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exploded relink is an isolation of every symbol, with a page for a line.

#include "Explode.h"
#include "linesman/Layout/LineMap.h"
#include "linesman/Layout/Names.h"
#include "linesman/Relink/Relink.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::tool {

static Expected<std::vector<std::string>> readCommand(StringRef Path) {
  auto Buffer = MemoryBuffer::getFile(Path);
  if (!Buffer)
    return createFileError(Path, Buffer.getError());
  BumpPtrAllocator Allocator;
  StringSaver Saver(Allocator);
  SmallVector<const char *> Words;
  cl::TokenizeGNUCommandLine((*Buffer)->getBuffer(), Saver, Words);
  if (Words.empty())
    return createStringError(Path + ": expected a link command");
  return std::vector<std::string>(Words.begin(), Words.end());
}

Expected<Exploded> explodePage(const input::Binary &Binary,
                               const PageCandidate &Page,
                               StringRef LinkCommandFile, StringRef Output) {
  Expected<std::vector<std::string>> Command = readCommand(LinkCommandFile);
  if (!Command)
    return Command.takeError();
  const Image &Image = Binary.Image;
  PageMap Pages(Image, {Page.Pages.size()});
  ObjectNames Names(Image);
  relink::RelinkConfig Config;
  Config.Command = std::move(*Command);
  Config.Output = Output.str();
  Config.Line = {Page.Pages.size()};
  Exploded Result;
  for (OccupantIndex I : Pages.occupants(Pages.indexOf(Page.Pages.Begin))) {
    if (Image.occupants()[I].Kind != OccupantKind::Object)
      continue;
    std::string Name = Names.id(Image.occupants()[I].Symbol);
    if (Image.symbol(I).Origin == SymbolOrigin::Program && Image.symbol(I).Size)
      Config.Edits.push_back({plan::EditKind::Isolate, Name});
    else
      Result.Left.push_back(Name);
  }
  if (Config.Edits.empty())
    return createStringError("the page has no symbol of the program");
  Expected<std::vector<relink::Placed>> Placed = relink::relink(Config);
  if (!Placed)
    return Placed.takeError();
  // Candidates go by the path that the process will show.
  SmallString<256> Path;
  if (std::error_code EC = sys::fs::real_path(Output, Path))
    return createFileError(Output, EC);
  for (const relink::Placed &P : *Placed) {
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

} // namespace linesman::tool
