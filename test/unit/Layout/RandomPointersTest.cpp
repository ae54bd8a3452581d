// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The join follows addresses with a worklist, and what is handed on with
// summaries. The oracle goes over all uses until nothing is new.

#include "PointerLiterals.h"
#include "gtest/gtest.h"
#include <map>
#include <random>
#include <set>

using namespace linesman;
using namespace linesman::layout;

namespace {

constexpr uint64_t FirstFunction = 0x1000, FirstObject = 0x4000,
                   FirstVariable = 0x8000;

struct Listed {
  uint64_t User;
  PointerUse Use;
};

class RandomUses {
public:
  explicit RandomUses(unsigned Seed) : Random(Seed) {}

  std::vector<Listed> next() {
    std::vector<Listed> All;
    uint64_t Accesses = 0;
    for (unsigned I = 0, E = 5 + up(40); I != E; ++I) {
      uint64_t User = function();
      PointerUse U;
      switch (up(3)) {
      case 0:
        U = writes(origin());
        U.Size = ++Accesses;
        U.Offset = 8 * up(2);
        if (up(4) == 0)
          U.Except = object();
        break;
      case 1:
        U = hands(origin(), function(), up(1));
        break;
      case 2:
        U = use(PointerUse::Returned, origin());
        break;
      default:
        U = stores(origin(), up(1) ? member() : place());
        break;
      }
      All.push_back({User, U});
    }
    return All;
  }

private:
  std::mt19937 Random;
  uint64_t up(uint64_t Most) { return Random() % (Most + 1); }
  uint64_t function() { return FirstFunction + 0x100 * up(5); }
  uint64_t object() { return FirstObject + 0x100 * up(3); }
  Origin member() { return field(up(1) ? "S" : "T", 8 * up(1)); }
  Origin place() {
    return variable(FirstVariable + 0x100 * up(1),
                    up(3) ? std::optional(8 * up(1)) : std::nullopt);
  }
  Origin origin() {
    switch (up(5)) {
    case 0:
      return parameter(up(1));
    case 1:
      return result(function());
    case 2:
      return member();
    case 3:
      return place();
    default:
      return layout::object(object());
    }
  }
};

/// What an access reaches: its number, an object, and the offset in it.
using Reached = std::tuple<uint64_t, uint64_t, uint64_t>;

class Oracle {
public:
  explicit Oracle(const std::vector<Listed> &All) : All(All) {
    size_t Before;
    do {
      Before = size();
      for (const Listed &L : All)
        flow(L);
    } while (size() != Before);
  }

  std::set<Reached> reached() const {
    std::set<Reached> Result;
    for (const Listed &L : All)
      if (L.Use.Kind == PointerUse::Access)
        // What names its object is an access of another kind.
        for (uint64_t Object : held(L.Use.Source, L.User))
          if (Object != L.Use.Except || L.Use.Source.Kind == Origin::Object)
            Result.insert({L.Use.Size, Object, uint64_t(*L.Use.Offset)});
    return Result;
  }

private:
  using Key = std::tuple<int, std::string, uint64_t, uint64_t>;
  const std::vector<Listed> &All;
  std::map<Key, std::set<uint64_t>> Cells;
  static constexpr uint64_t Anywhere = UINT64_MAX;

  size_t size() const {
    size_t Sum = 0;
    for (const auto &[Place, Objects] : Cells)
      Sum += Objects.size();
    return Sum;
  }
  std::set<uint64_t> held(const Origin &Source, uint64_t User) const {
    std::set<uint64_t> Result;
    if (Source.Kind == Origin::Object)
      return {Source.Value};
    for (const auto &[Place, Objects] : Cells)
      if (isRead(Place, Source, User))
        Result.insert(Objects.begin(), Objects.end());
    return Result;
  }
  static bool isRead(const Key &Place, const Origin &Source, uint64_t User) {
    const auto &[Kind, Record, Value, Offset] = Place;
    if (Kind != Source.Kind)
      return false;
    switch (Source.Kind) {
    case Origin::Parameter:
      return Value == User && Offset == Source.Value;
    case Origin::Result:
      return Value == Source.Function.Value;
    case Origin::Field:
      return Record == Source.Record && Offset == Source.Offset;
    default:
      return Value == Source.Value &&
             (!Source.Offset || Offset == Anywhere || Offset == Source.Offset);
    }
  }
  void flow(const Listed &L) {
    const PointerUse &U = L.Use;
    Key Target;
    switch (U.Kind) {
    case PointerUse::Access:
      return;
    case PointerUse::Handed:
      Target = {Origin::Parameter, "", U.Callee.Value, U.Parameter};
      break;
    case PointerUse::Returned:
      Target = {Origin::Result, "", L.User, 0};
      break;
    case PointerUse::Stored:
      Target = {U.Destination.Kind, U.Destination.Record.str(),
                U.Destination.Value, U.Destination.Offset.value_or(Anywhere)};
      break;
    case PointerUse::StoredThrough:
    case PointerUse::LoadedThrough:
      return;
    }
    std::set<uint64_t> Objects = held(U.Source, L.User);
    Cells[Target].insert(Objects.begin(), Objects.end());
  }
};

TEST(RandomPointers, TheJoinFindsWhatTheOracleFinds) {
  RandomUses Programs(22);
  size_t Found = 0, ThroughMembers = 0;
  for (unsigned N = 0; N != 3000; ++N) {
    std::vector<Listed> Uses = Programs.next();
    std::map<uint64_t, std::vector<PointerUse>> ByFunction;
    for (const Listed &L : Uses)
      ByFunction[L.User].push_back(L.Use);
    Program P;
    for (const auto &[Function, Mine] : ByFunction)
      P.add(Function, Mine);
    std::set<Reached> Joined;
    for (const layout::FoundAccess &A : P.run()) {
      Joined.insert({A.Access.Size, A.Object, A.Access.Offset.value()});
      EXPECT_GT(A.Access.Weight, 0);
      EXPECT_LE(A.Access.Weight, 1024 * 1024);
      if (!P.passage(A).Record.empty()) {
        ++ThroughMembers;
        EXPECT_TRUE(P.passage(A).IsMay);
        EXPECT_LE(A.Access.Weight, 0.5);
      }
    }
    std::set<Reached> Expected = Oracle(Uses).reached();
    ASSERT_EQ(Joined, Expected) << "program " << N;
    Found += Expected.size();
  }
  EXPECT_GT(Found, 10000u);
  EXPECT_GT(ThroughMembers, 1000u);
}

} // namespace
