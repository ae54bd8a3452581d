// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Selectors and page names.

#include "linesman/Drive/StaticPages.h"
#include "linesman/Guard/Suggest.h"
#include "linesman/Guard/Text.h"
#include "linesman/Layout/LineMap.h"
#include "linesman/Layout/Names.h"
#include "linesman/Process/State.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace linesman::control;
using namespace linesman::layout;
using namespace linesman::process;

namespace linesman::drive {

Expected<StaticPages> StaticPages::read(Actuator &Mover) {
  Expected<std::vector<StaticModule>> Found = Mover.modules();
  if (!Found)
    return Found.takeError();
  if (Found->empty())
    return createStringError(formatv("process {0} has no writable static pages",
                                     Mover.process().Value));
  StaticPages Result;
  for (StaticModule &M : *Found)
    Result.Modules.push_back({std::move(M), std::nullopt, false});
  return std::move(Result);
}

Expected<NamedModule *> StaticPages::findModule(StringRef Name) {
  for (NamedModule &M : Modules)
    if (M.Loaded.Path == Name || sys::path::filename(M.Loaded.Path) == Name)
      return &M;
  std::string Known =
      join(map_range(Modules,
                     [](const NamedModule &M) {
                       return sys::path::filename(M.Loaded.Path).str();
                     }),
           ", ");
  return createStringError("no module '" + Name + "' in the process; it has " +
                           Known);
}

Error StaticPages::load(NamedModule &Module) {
  if (Module.Tried && Module.Binary)
    return Error::success();
  Module.Tried = true;
  Expected<std::unique_ptr<MemoryBuffer>> File = Module.Loaded.open();
  if (!File)
    return File.takeError();
  Expected<input::Binary> Binary = input::readBinary(std::move(*File));
  if (!Binary)
    return Binary.takeError();
  Module.Binary.emplace(std::move(*Binary));
  return Error::success();
}

Expected<AddressRange> StaticPages::findBytes(NamedModule &Module,
                                              StringRef Name) {
  if (Error E = load(Module))
    return std::move(E);
  const Image &Image = Module.Binary->Image;
  if (Name.starts_with(".")) {
    for (const layout::Section &S : Image.sections())
      if (S.Name == Name && S.Kind == SectionKind::Data)
        return S.Range;
    guard::Suggestion Meant(Name);
    for (const layout::Section &S : Image.sections())
      if (S.Kind == SectionKind::Data)
        Meant.consider(S.Name);
    return createStringError("no writable section '" + Name + "' in " +
                             Module.Loaded.Path + Meant.text());
  }
  ObjectNames Names(Image);
  std::optional<uint32_t> Found;
  for (auto [Index, S] : enumerate(Image.symbols())) {
    if (Image.sections()[S.Section].Kind != SectionKind::Data)
      continue;
    // The identity is costly; the short names decide first.
    bool Matches = S.name() == Name || guard::demangle(S.name()) == Name ||
                   (Name.contains(':') && Names.id(Index) == Name);
    if (!Matches)
      continue;
    if (Found && Image.symbols()[*Found].Address != S.Address)
      return createStringError("'" + Name + "' is ambiguous: " +
                               Names.id(*Found) + " or " + Names.id(Index));
    Found = Index;
  }
  if (!Found) {
    guard::Suggestion Meant(Name);
    for (const Symbol &S : Image.symbols())
      Meant.considerSymbol(S.name());
    return createStringError("no object '" + Name + "' in " +
                             Module.Loaded.Path + Meant.text());
  }
  AddressRange Range = Image.symbols()[*Found].range();
  // A label without a size still has a page.
  return AddressRange{Range.Begin,
                      Range.Begin + std::max<uint64_t>(1, Range.size())};
}

Expected<std::vector<RunRange>> StaticPages::select(StringRef Selector) {
  NamedModule *Module = &Modules.front();
  StringRef Rest = Selector;
  bool HasModule = false;
  if (auto [Name, After] = Selector.split('!'); !After.empty()) {
    Expected<NamedModule *> Found = findModule(Name);
    if (!Found)
      return Found.takeError();
    Module = *Found;
    Rest = After;
    HasModule = true;
  }
  std::vector<RunRange> Result;
  if (Rest == "all") {
    for (const NamedModule &M : Modules)
      if (!HasModule || &M == Module)
        append_range(Result, M.Loaded.Ranges);
    return Result;
  }
  AddressRange Bytes;
  auto [First, Last] = Rest.split('-');
  StringRef Page = Rest;
  if (Page.consume_front("page:")) {
    if (Page.getAsInteger(0, Bytes.Begin.Value))
      return createStringError("'" + Selector +
                               "': expected page:ADDRESS, such as page:0x4000");
    Bytes.End = Bytes.Begin + 1;
  } else if (!First.getAsInteger(0, Bytes.Begin.Value)) {
    if (Last.getAsInteger(0, Bytes.End.Value) || Bytes.End <= Bytes.Begin)
      return createStringError("'" + Selector +
                               "': expected BEGIN-END, such as 0x4000-0x6000");
  } else {
    Expected<AddressRange> Found = findBytes(*Module, Rest);
    if (!Found)
      return Found.takeError();
    Bytes = *Found;
  }
  RunRange Pages = {
      {Module->Loaded.Bias.toRun(Bytes.Begin).Value & -pageSize()},
      {alignTo(Module->Loaded.Bias.toRun(Bytes.End).Value, pageSize())}};
  for (RunRange Range : Module->Loaded.Ranges)
    if (RunRange Common = intersect(Range, Pages); Common.size())
      Result.push_back(Common);
  if (Result.empty())
    return createStringError("'" + Selector +
                             "' has no writable static page in " +
                             Module->Loaded.Path);
  return Result;
}

std::vector<std::string> StaticPages::symbolsIn(NamedModule &Module,
                                                RunRange Range) {
  // Names are an addition: without the file the pages are still there.
  if (!Module.Tried)
    consumeError(load(Module));
  if (!Module.Binary)
    return {};
  const Image &Image = Module.Binary->Image;
  PageMap Pages(Image, {pageSize()});
  ObjectNames Names(Image);
  std::vector<std::pair<uint64_t, OccupantIndex>> Found;
  for (RunAddress A = Range.Begin; A < Range.End; A.Value += pageSize())
    for (OccupantIndex I :
         Pages.occupants(Pages.indexOf(Module.Loaded.Bias.toLink(A)))) {
      OccupantKind Kind = Image.occupants()[I].Kind;
      if (Kind == OccupantKind::Hole || Kind == OccupantKind::Padding ||
          (!Found.empty() && Found.back().second == I))
        continue;
      AddressRange Common =
          intersect(Image.range(I), {Module.Loaded.Bias.toLink(Range.Begin),
                                     Module.Loaded.Bias.toLink(Range.End)});
      Found.push_back({Common.size(), I});
    }
  stable_sort(Found, [](auto A, auto B) { return A.first > B.first; });
  std::vector<std::string> Result, Unnamed;
  for (auto [Size, I] : Found) {
    bool IsObject = Image.occupants()[I].Kind == OccupantKind::Object;
    if (IsObject)
      Result.push_back(Names.id(Image.occupants()[I].Symbol));
    else if (!is_contained(Unnamed, Image.label(I)))
      Unnamed.push_back(Image.label(I));
  }
  append_range(Result, Unnamed);
  return Result;
}

NamedModule *StaticPages::moduleOf(RunAddress Address) {
  for (NamedModule &M : Modules)
    for (RunRange Range : M.Loaded.Ranges)
      if (Range.Begin <= Address && Address < Range.End)
        return &M;
  return nullptr;
}

std::string shorten(ArrayRef<std::string> Names) {
  constexpr size_t Most = 3;
  std::string Text = join(Names.take_front(Most), ", ");
  if (Names.size() > Most)
    Text += formatv(", +{0}", Names.size() - Most);
  return Text;
}

} // namespace linesman::drive
