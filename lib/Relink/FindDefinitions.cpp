// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the name in an edit to definitions in objects.

#include "FindDefinitions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <map>
#include <tuple>

using namespace llvm;

namespace linesman::relink {

namespace {

/// "file:name" taken apart at a colon that is not part of "::"; the file is
/// empty where there is none.
struct WantedName {
  StringRef File, Name;
};

std::vector<WantedName> readings(StringRef Symbol) {
  std::vector<WantedName> Result = {{"", Symbol}};
  for (size_t I = 1; I + 1 < Symbol.size(); ++I)
    if (Symbol[I] == ':' && Symbol[I - 1] != ':' && Symbol[I + 1] != ':')
      Result.push_back({Symbol.take_front(I), Symbol.drop_front(I + 1)});
  return Result;
}

bool isSameFile(StringRef Wanted, StringRef Path) {
  return !Path.empty() &&
         (Wanted == Path || Wanted == sys::path::filename(Path));
}

bool matches(const WantedName &Wanted, const InputObject &Object,
             const Definition &D) {
  if (!Wanted.File.empty() && !isSameFile(Wanted.File, D.File) &&
      !isSameFile(Wanted.File, Object.Path))
    return false;
  return D.Name == Wanted.Name ||
         (D.Name.starts_with("_Z") && demangle(D.Name) == Wanted.Name);
}

std::string counted(unsigned Count, StringRef Noun) {
  return formatv("{0} {1}{2}", Count, Noun, Count == 1 ? "" : "s");
}

std::string notFound(const LinkInputs &Inputs, StringRef Symbol) {
  std::string Text =
      formatv("no object of the link defines '{0}' as data ({1} searched",
              Symbol, counted(Inputs.Objects.size(), "object"));
  if (Inputs.Archives)
    Text += formatv("; not searched: {0}", counted(Inputs.Archives, "archive"));
  if (Inputs.LtoObjects)
    Text += formatv("; not searched: {0}",
                    counted(Inputs.LtoObjects, "LTO object"));
  if (Inputs.Sources)
    Text += formatv("; the command compiles {0} itself: compile with -c first",
                    counted(Inputs.Sources, "source"));
  return Text + ")";
}

/// What tells data objects apart before they are linked: global definitions of
/// one name are one object, each local one is another.
using Identity = std::tuple<StringRef, std::optional<size_t>, uint32_t>;

Identity identify(const LinkInputs &Inputs, DefinitionRef Ref) {
  const Definition &D = Inputs.Objects[Ref.Object].Definitions[Ref.Definition];
  if (D.Binding != DefinitionBinding::Local)
    return {D.Name, std::nullopt, 0};
  return {D.Name, Ref.Object, D.SymbolIndex};
}

/// A name for each object that means only it, as far as names can.
std::string listCandidates(const LinkInputs &Inputs,
                           const std::map<Identity, DefinitionRef> &Objects) {
  std::vector<std::string> Names;
  // From what is good to read to what is precise.
  for (bool WholePath : {false, true})
    for (bool LinkerName : {false, true}) {
      Names.clear();
      for (const auto &[Is, Ref] : Objects) {
        const InputObject &Object = Inputs.Objects[Ref.Object];
        StringRef Name = Object.Definitions[Ref.Definition].Name;
        Names.push_back(formatv("{0}:{1}",
                                WholePath ? StringRef(Object.Path)
                                          : sys::path::filename(Object.Path),
                                LinkerName ? Name.str() : demangle(Name)));
      }
      llvm::sort(Names);
      if (std::adjacent_find(Names.begin(), Names.end()) == Names.end())
        return join(Names, ", ");
    }
  return join(Names, ", ");
}

} // namespace

Expected<std::vector<DefinitionRef>> findDefinitions(const LinkInputs &Inputs,
                                                     StringRef Symbol) {
  std::vector<WantedName> Wanted = readings(Symbol);
  std::map<Identity, DefinitionRef> Objects;
  auto ForEach = [&](auto Visit) {
    for (auto [O, Object] : enumerate(Inputs.Objects))
      for (size_t I = 0; I != Object.Definitions.size(); ++I)
        Visit(DefinitionRef{O, I}, Object, Object.Definitions[I]);
  };
  ForEach(
      [&](DefinitionRef Ref, const InputObject &Object, const Definition &D) {
        if (any_of(Wanted,
                   [&](const WantedName &W) { return matches(W, Object, D); }))
          Objects.try_emplace(identify(Inputs, Ref), Ref);
      });
  if (Objects.empty())
    return createStringError(notFound(Inputs, Symbol));
  if (Objects.size() > 1)
    return createStringError(formatv("'{0}' is ambiguous; say which: {1}",
                                     Symbol, listCandidates(Inputs, Objects)));

  // The linker keeps one of several definitions, whichever object was named.
  std::vector<DefinitionRef> Found;
  ForEach([&](DefinitionRef Ref, const InputObject &, const Definition &) {
    if (identify(Inputs, Ref) == Objects.begin()->first)
      Found.push_back(Ref);
  });
  return Found;
}

} // namespace linesman::relink
