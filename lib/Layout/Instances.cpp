// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Instances.h"
#include "TypeNames.h"
#include "linesman/Guard/Text.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace linesman::layout {

/// "Pool::get::instance" of "Pool<int>& Pool<int>::get(int)::instance".
static std::string sourceName(StringRef Name) {
  // A function template's name comes with parameters and result.
  const std::string Text = guard::withoutBrackets(templateName(Name), '(', ')');
  return Text.substr(Text.rfind(' ') + 1);
}

bool TemplateInstances::isLater(StringRef Name, StringRef Place) {
  // Of an operator it is no bracket.
  if (!Name.contains('<') || Name.contains("operator<"))
    return false;
  return !Seen.insert(sourceName(Name) + '\0' + Place.str()).second;
}

std::vector<bool> findLaterInstances(const Image &Program, const LineMap &Lines,
                                     ArrayRef<RankedLine> Ranked,
                                     ArrayRef<uint32_t> Order) {
  std::vector<bool> Result(Ranked.size());
  TemplateInstances Instances;
  for (uint32_t I : Order) {
    const Symbol &Head = Program.symbols()[Ranked[I].Head];
    // The arguments of a template, among other things.
    if (!Head.name().starts_with("_Z") || !Head.name().contains('I'))
      continue;
    LinkAddress Line = Lines.range(Ranked[I].Line).Begin;
    uint64_t Distance = Line <= Head.Address ? 0 : Line - Head.Address;
    Result[I] =
        Instances.isLater(guard::demangle(Head.name()), utostr(Distance));
  }
  return Result;
}

} // namespace linesman::layout
