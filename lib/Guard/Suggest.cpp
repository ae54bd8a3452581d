// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Guard/Suggest.h"
#include "linesman/Guard/Text.h"
#include <algorithm>

using namespace llvm;

namespace linesman::guard {

namespace {

/// A third of the word, as Clang has it for identifiers; at least one letter.
unsigned mostEdits(StringRef Typed) {
  return std::max<size_t>(1, (Typed.size() + 1) / 3);
}

/// Without namespaces and classes: "store::Node<long>::nil_root", "nil_root".
StringRef lastPart(StringRef Name) {
  size_t Colons = Name.rfind("::");
  return Colons == StringRef::npos ? Name : Name.drop_front(Colons + 2);
}

} // namespace

Suggestion::Suggestion(StringRef Typed)
    : Typed(Typed), Distance(mostEdits(Typed) + 1) {}

void Suggestion::consider(StringRef Known) {
  if (Typed.empty() || Known.empty())
    return;
  auto Try = [&](StringRef Name) {
    // A bound keeps a table of 300,000 symbols cheap.
    unsigned Edits = Typed.edit_distance_insensitive(
        Name, /*AllowReplacements=*/true, Distance);
    // A name that was cut short: a beginning of some letters is near.
    constexpr size_t ShortestBeginning = 3;
    if (Typed.size() >= ShortestBeginning &&
        Name.starts_with_insensitive(Typed))
      Edits = std::min(Edits, 1u);
    // A word of which every letter is another one is no mistake for it.
    if (Edits >= Distance || Edits >= std::max(Typed.size(), Name.size()))
      return;
    Distance = Edits;
    Nearest = Known.str();
  };
  Try(Known);
  if (StringRef Last = lastPart(Known); Last != Known && !Typed.contains("::"))
    Try(Last);
}

void Suggestion::considerSymbol(StringRef Mangled) {
  if (Mangled.starts_with("_Z") || Mangled.starts_with("_R"))
    consider(demangle(Mangled));
  else
    consider(Mangled);
}

std::string Suggestion::text() const {
  return Nearest.empty() ? "" : "; did you mean '" + printable(Nearest) + "'?";
}

} // namespace linesman::guard
