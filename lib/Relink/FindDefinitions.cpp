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
#include <set>

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

std::string notFound(const LinkInputs &Inputs, StringRef Symbol) {
  std::string Text = formatv("no object of the link defines '{0}' as data ({1} "
                             "objects searched",
                             Symbol, Inputs.Objects.size());
  if (Inputs.Archives)
    Text += formatv("; {0} archives were not", Inputs.Archives);
  if (Inputs.LtoObjects)
    Text += formatv("; {0} LTO objects were not", Inputs.LtoObjects);
  if (Inputs.Sources)
    Text += formatv("; the command compiles {0} sources itself: compile them "
                    "with -c first",
                    Inputs.Sources);
  return Text + ")";
}

} // namespace

Expected<std::vector<DefinitionRef>> findDefinitions(const LinkInputs &Inputs,
                                                     StringRef Symbol) {
  std::vector<DefinitionRef> Found;
  std::vector<WantedName> Wanted = readings(Symbol);
  // Global definitions of one name are one object; each local one is another.
  std::set<std::string> Objects;
  for (auto [O, Object] : enumerate(Inputs.Objects)) {
    for (auto [I, D] : enumerate(Object.Definitions)) {
      if (none_of(Wanted,
                  [&](const WantedName &W) { return matches(W, Object, D); }))
        continue;
      Found.push_back({O, I});
      Objects.insert(D.Binding == DefinitionBinding::Local
                         ? formatv("{0}:{1}", sys::path::filename(Object.Path),
                                   demangle(D.Name))
                               .str()
                         : D.Name.str());
    }
  }
  if (Found.empty())
    return createStringError(notFound(Inputs, Symbol));
  if (Objects.size() > 1)
    return createStringError(formatv("'{0}' is ambiguous; say which: {1}",
                                     Symbol, join(Objects, ", ")));
  return Found;
}

} // namespace linesman::relink
