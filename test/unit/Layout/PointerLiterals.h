// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses of pointers, written short.

#ifndef LINESMAN_TEST_UNIT_LAYOUT_POINTERLITERALS_H
#define LINESMAN_TEST_UNIT_LAYOUT_POINTERLITERALS_H

#include "linesman/Layout/PointerJoin.h"

namespace linesman::layout {

using facts::Origin;
using facts::PointerUse;

inline facts::FunctionRef function(uint64_t Address) {
  return {facts::FunctionRef::Address, Address};
}
inline Origin object(uint64_t Address) {
  return {Origin::Object, Address, {}, {}, {}};
}
inline Origin parameter(uint64_t Number) {
  return {Origin::Parameter, Number, {}, {}, {}};
}
inline Origin result(uint64_t Function) {
  return {Origin::Result, 0, {}, function(Function), {}};
}
inline Origin field(const char *Record, uint64_t Offset) {
  return {Origin::Field, 0, Offset, {}, Record};
}
inline Origin variable(uint64_t Address, std::optional<uint64_t> Offset) {
  return {Origin::Variable, Address, Offset, {}, {}};
}

inline PointerUse use(PointerUse::UseKind Kind, Origin Source,
                      double Weight = 1) {
  PointerUse U;
  U.Kind = Kind;
  U.Source = Source;
  U.Weight = Weight;
  return U;
}
inline PointerUse at(std::optional<int64_t> Offset, PointerUse U) {
  U.Offset = Offset;
  return U;
}
/// At an element that an index picks.
inline PointerUse each(uint64_t Stride, uint64_t First, PointerUse U) {
  U.Offset = std::nullopt;
  U.Steps = {Stride, First, /*IsByThread=*/false};
  return U;
}
inline PointerUse writes(Origin Source, double Weight = 1) {
  PointerUse U = use(PointerUse::Access, Source, Weight);
  U.Does = facts::AccessKind::Write;
  U.Size = 8;
  return U;
}
inline PointerUse hands(Origin Source, uint64_t Callee, uint32_t Parameter = 0,
                        double Weight = 1) {
  PointerUse U = use(PointerUse::Handed, Source, Weight);
  U.Callee = function(Callee);
  U.Parameter = Parameter;
  return U;
}
inline PointerUse stores(Origin Source, Origin Destination) {
  PointerUse U = use(PointerUse::Stored, Source);
  U.Destination = Destination;
  return U;
}
inline PointerUse unless(uint64_t Address, PointerUse U) {
  U.Except = Address;
  return U;
}

/// Functions and objects.
inline constexpr uint64_t F = 0x1000, G = 0x1100, H = 0x1200, Nil = 0x4000,
                          Other = 0x4100, Tree = 0x5000;

/// One access that was found.
struct FoundAccess {
  uint64_t User, Object;
  facts::Access Access;
};

struct Program {
  CallGraphBuilder Builder;
  PointerJoin Join;
  JoinedPointers Result;

  Program &add(uint64_t Function, std::vector<PointerUse> Uses) {
    facts::PointerFacts Facts;
    if (Function)
      Facts.Function = function(Function);
    Facts.Uses.append(Uses.begin(), Uses.end());
    Join.add(Facts, Builder);
    return *this;
  }
  std::vector<FoundAccess> run() {
    std::vector<FoundAccess> All;
    Result = std::move(Join).join(
        std::move(Builder).finish(), [&](const facts::Fact &Fact) {
          for (const facts::Access &A : Fact.Accesses)
            All.push_back({Fact.Function, Fact.Object, A});
        });
    return All;
  }
  Passage passage(const FoundAccess &Wanted) const {
    return Result.Passages[Wanted.Access.Passage - 1];
  }
};

} // namespace linesman::layout

#endif // LINESMAN_TEST_UNIT_LAYOUT_POINTERLITERALS_H
