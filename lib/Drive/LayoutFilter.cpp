// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/LayoutFilter.h"
#include "linesman/Drive/LayoutGate.h"
#include "linesman/Guard/Text.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::drive {

/// \p Name as the linker or as people write it.
static bool matches(const Regex &Pattern, StringRef Name) {
  return Pattern.match(Name) || Pattern.match(guard::demangle(Name));
}

LayoutFilter::LayoutFilter(StringRef Text) : Text(Text), Pattern(Text) {}

void LayoutFilter::keep(const Image &Image, const LineMap &Lines,
                        std::vector<RankedLine> &Ranked) const {
  auto Matches = [&](OccupantIndex Occupant) {
    if (matches(Pattern, Image.label(Occupant)))
      return true;
    return Image.occupants()[Occupant].Kind == OccupantKind::Object &&
           any_of(Image.aliases(Occupant), [&](const Symbol *Alias) {
             return matches(Pattern, Alias->name());
           });
  };
  erase_if(Ranked, [&](const RankedLine &R) {
    return none_of(Lines.occupants(R.Line), Matches);
  });
}

void LayoutFilter::keep(const TypeScene &Scene,
                        std::vector<LineFinding> &Found) const {
  erase_if(Found, [&](const LineFinding &Finding) {
    return none_of(Finding.Occupants, [&](const LineOccupant &Place) {
      return Place.Object &&
             Pattern.match(Scene.Image.symbols()[Place.Object->Symbol].name());
    });
  });
}

std::string LayoutFilter::whyBlind(const Image &Image,
                                   StringRef Subject) const {
  if (any_of(Image.symbols(),
             [&](const Symbol &S) { return matches(Pattern, S.name()); }))
    return "";
  return ("no " + Subject + " matches --filter=" + Text + NothingToJudge).str();
}

} // namespace linesman::drive
