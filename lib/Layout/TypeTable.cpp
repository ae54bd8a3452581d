// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about types of many units become one table: by name and layout.

#include "TypeNames.h"
#include "linesman/Layout/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace linesman::layout {

static bool isLocalToUnit(StringRef PlainName) {
  return PlainName.contains("(anonymous namespace)");
}

void TypeTableBuilder::add(const facts::TypeFact &Fact, NodeIndex Function) {
  // Copies of an inline function have the same accesses: one speaks for all.
  if (Function == NoNode ||
      UnitOf.try_emplace(Function, Fact.Unit).first->second != Fact.Unit)
    return;
  // Demangling takes longer than all else, and facts repeat a few names.
  std::string &Name = PlainNames[Fact.Type.Name];
  if (Name.empty())
    Name = plainTypeName(Fact.Type.Name);
  uint64_t Unit = isLocalToUnit(Name) ? Fact.Unit + 1 : 0;
  std::vector<Variant> &Variants = ByName[{Name, Unit}];
  // What is not known fits all.
  auto Fits = [&](const Variant &V) {
    auto Agree = [](uint64_t A, uint64_t B) { return !A || !B || A == B; };
    return Agree(V.Type.Size, Fact.Type.Size) &&
           Agree(V.Fingerprint, Fact.Type.Fingerprint);
  };
  auto It = find_if(Variants, Fits);
  if (It == Variants.end()) {
    Variants.emplace_back().Type.Name = Name;
    It = std::prev(Variants.end());
  }
  AccessedType &Type = It->Type;
  Type.Size = std::max(Type.Size, Fact.Type.Size);
  Type.Alignment = std::max(Type.Alignment, Fact.Type.Alignment);
  It->Fingerprint = std::max(It->Fingerprint, Fact.Type.Fingerprint);
  for (const facts::TypeAccess &A : Fact.Accesses)
    Type.Uses.push_back({Function, A});
}

TypeTable TypeTableBuilder::finish() && {
  TypeTable Table;
  for (auto &[Key, Variants] : ByName) {
    if (Variants.size() > 1)
      Table.Conflicts.push_back(Key.first);
    for (Variant &V : Variants)
      Table.Types.push_back(std::move(V.Type));
  }
  return Table;
}

} // namespace linesman::layout
