// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members by their bytes, from literal types.

#include "linesman/Layout/Members.h"
#include "gtest/gtest.h"
#include <random>

using namespace linesman::layout;

namespace {

constexpr LinkAddress Begin{0x1000};

struct Builder {
  ObjectTypes Types;

  TypeIndex add(Type T) {
    Types.Types.push_back(std::move(T));
    return Types.Types.size() - 1;
  }
  TypeIndex scalar(uint64_t Size) { return add({TypeKind::Scalar, Size, {}}); }
  TypeIndex record(uint64_t Size, std::vector<Field> Fields) {
    return add({TypeKind::Record, Size, std::move(Fields)});
  }
  TypeIndex alternatives(uint64_t Size, std::vector<Field> Fields) {
    return add({TypeKind::Union, Size, std::move(Fields)});
  }
  TypeIndex array(TypeIndex Element, uint64_t Elements, uint64_t Stride) {
    return add(
        {TypeKind::Array, Elements * Stride, {}, Element, Elements, Stride});
  }
  ObjectMembers object(TypeIndex Type, uint64_t Size, uint64_t Offset = 0) {
    Types.Objects[Begin.Value] = {"t", Type, Offset};
    return ObjectMembers(Types, Begin, Size);
  }
};

std::string paths(const std::vector<Member> &Members) {
  std::string Text;
  for (const Member &M : Members)
    Text += (Text.empty() ? "" : " ") + M.Path;
  return Text;
}

/// struct { long hits; struct { int key, level; } last; } stats[4]
struct Stats : Builder {
  TypeIndex Int = scalar(4), Long = scalar(8);
  TypeIndex Last = record(8, {{"key", Int, 0}, {"level", Int, 32}});
  TypeIndex Entry = record(16, {{"hits", Long, 0}, {"last", Last, 64}});
  TypeIndex Table = array(Entry, 4, 16);
};

TEST(MembersTest, NamesTheFewest) {
  Stats B;
  ObjectMembers M = B.object(B.Table, 64);
  EXPECT_EQ(paths(M.membersIn({0, 8})), "t[0].hits");
  EXPECT_EQ(paths(M.membersIn({8, 12})), "t[0].last.key");
  EXPECT_EQ(paths(M.membersIn({9, 10})), "t[0].last.key");
  EXPECT_EQ(paths(M.membersIn({8, 16})), "t[0].last");
  EXPECT_EQ(paths(M.membersIn({8, 24})), "t[0].last t[1].hits");
  EXPECT_EQ(paths(M.membersIn({16, 32})), "t[1]");
  EXPECT_EQ(paths(M.membersIn({12, 60})),
            "t[0].last.level t[1..2] t[3].hits t[3].last.key");
  EXPECT_EQ(paths(M.membersIn({0, 64})), "") << "all of the object";
}

TEST(MembersTest, ListsInnermostParts) {
  Stats B;
  ObjectMembers M = B.object(B.Table, 64);
  std::vector<Member> Parts = M.partsIn({16, 40});
  EXPECT_EQ(paths(Parts), "t[1].hits t[1].last.key t[1].last.level t[2].hits");
  EXPECT_EQ(Parts[2].Bytes.Begin, 28u);
  EXPECT_EQ(Parts[2].Bytes.End, 32u);
  ASSERT_EQ(M.arraysIn({0, 64}).size(), 1u);
  EXPECT_EQ(M.arraysIn({0, 64})[0].Elements, 4u);
  EXPECT_EQ(M.arraysIn({0, 64})[0].Stride, 16u);
}

TEST(MembersTest, FindsTheMemberAround) {
  Stats B;
  ObjectMembers M = B.object(B.Table, 64);
  EXPECT_EQ(M.memberAround({8, 12}), "t[0].last.key");
  EXPECT_EQ(M.memberAround({10, 14}), "t[0].last");
  EXPECT_EQ(M.memberAround({4, 14}), "t[0]");
  EXPECT_EQ(M.memberAround({4, 20}), "");
}

TEST(MembersTest, LooksThroughBasesAndAnonymousMembers) {
  Builder B;
  TypeIndex Long = B.scalar(8);
  TypeIndex Base = B.record(8, {{"id", Long, 0}});
  TypeIndex Derived =
      B.record(24, {{"", Base, 0}, {"a", Long, 64}, {"b", Long, 128}});
  ObjectMembers M = B.object(Derived, 24);
  EXPECT_EQ(paths(M.membersIn({0, 8})), "id");
  EXPECT_EQ(paths(M.membersIn({0, 16})), "id a");
  EXPECT_EQ(M.memberAround({0, 8}), "id");
}

TEST(MembersTest, WrappersStandForWhatTheyWrap) {
  Builder B;
  TypeIndex Long = B.scalar(8);
  TypeIndex Atomic = B.record(8, {{"", B.record(8, {{"_M_i", Long, 0}}), 0}});
  ObjectMembers M =
      B.object(B.record(16, {{"hits", Atomic, 0}, {"misses", Atomic, 64}}), 16);
  EXPECT_EQ(paths(M.partsIn({0, 16})), "hits misses");
  EXPECT_EQ(paths(M.membersIn({8, 16})), "misses");
  EXPECT_EQ(M.memberAround({8, 12}), "misses");
}

TEST(MembersTest, HolesHaveNoMember) {
  Builder B;
  TypeIndex Char = B.scalar(1), Long = B.scalar(8);
  ObjectMembers M =
      B.object(B.record(16, {{"flag", Char, 0}, {"count", Long, 64}}), 16);
  EXPECT_EQ(paths(M.membersIn({1, 8})), "");
  EXPECT_EQ(paths(M.membersIn({1, 9})), "count");
}

TEST(MembersTest, BitFieldsShareTheirBytes) {
  Builder B;
  TypeIndex Int = B.scalar(4);
  ObjectMembers M = B.object(
      B.record(4, {{"a", Int, 0, 3}, {"b", Int, 3, 7}, {"c", Int, 16, 16}}), 4);
  EXPECT_EQ(paths(M.membersIn({0, 1})), "a b");
  EXPECT_EQ(paths(M.membersIn({1, 2})), "b");
  EXPECT_EQ(paths(M.membersIn({2, 4})), "c");
  EXPECT_EQ(M.partsIn({0, 4})[1].FirstBit, 3u);
  EXPECT_EQ(M.partsIn({0, 4})[1].Bits, 7u);
  EXPECT_EQ(M.memberAround({0, 1}), "");
}

TEST(MembersTest, TheSizeOfAnAccessChoosesTheAlternative) {
  Builder B;
  TypeIndex Char = B.scalar(1), Int = B.scalar(4), Long = B.scalar(8);
  TypeIndex Inner = B.record(16, {{"lock", Int, 0}, {"owner", Int, 64}});
  TypeIndex Mutex = B.alternatives(16, {{"data", Inner, 0},
                                        {"bytes", B.array(Char, 16, 1), 0},
                                        {"align", Long, 0}});
  TypeIndex Holder = B.record(24, {{"m", Mutex, 0}, {"n", Long, 128}});
  ObjectMembers M = B.object(Holder, 24);
  EXPECT_EQ(paths(M.membersIn({0, 4})), "m.data.lock");
  EXPECT_EQ(paths(M.membersIn({0, 8})), "m.align");
  EXPECT_EQ(paths(M.membersIn({0, 12})), "m");
  EXPECT_EQ(paths(M.partsIn({0, 24})), "m n");

  TypeIndex Anonymous = B.record(24, {{"", Mutex, 0}, {"n", Long, 128}});
  ObjectMembers N = B.object(Anonymous, 24);
  EXPECT_EQ(paths(N.membersIn({0, 4})), "data.lock");
  EXPECT_EQ(paths(N.membersIn({0, 3})), "data.lock bytes[0..2] align");

  ObjectMembers Alone = B.object(Mutex, 16);
  EXPECT_EQ(paths(Alone.membersIn({0, 4})), "data.lock");
  EXPECT_EQ(paths(Alone.membersIn({0, 12})), "") << "the object itself";
  EXPECT_EQ(paths(Alone.partsIn({0, 16})), "");
}

TEST(MembersTest, ArraysWithoutBound) {
  Builder B;
  TypeIndex Char = B.scalar(1), Long = B.scalar(8);
  TypeIndex Text = B.array(Char, 0, 1);
  ObjectMembers M =
      B.object(B.record(8, {{"size", Long, 0}, {"text", Text, 64}}), 40);
  EXPECT_EQ(paths(M.membersIn({20, 24})), "text[12..15]");
  ObjectMembers N = B.object(Text, 40);
  EXPECT_EQ(paths(N.partsIn({0, 64})), "t[0..39]");
}

TEST(MembersTest, APieceOfAVariable) {
  Stats B;
  ObjectMembers M = B.object(B.Table, 16, 24);
  EXPECT_EQ(paths(M.membersIn({0, 4})), "t[1].last.key");
  std::vector<Member> Parts = M.partsIn({0, 16});
  EXPECT_EQ(paths(Parts), "t[1].last.key t[1].last.level t[2].hits");
  EXPECT_EQ(Parts[2].Bytes.Begin, 8u);
}

TEST(MembersTest, ObjectsWithoutATypeHaveNoMembers) {
  Builder B;
  ObjectMembers M(B.Types, {0x2000}, 8);
  EXPECT_FALSE(M.hasMembers());
  EXPECT_EQ(paths(M.membersIn({0, 4})), "");
  EXPECT_FALSE(B.object(B.scalar(8), 8).hasMembers());
}

/// The oracle: innermost parts of a range, byte by byte.
TEST(MembersTest, PartsCoverEveryByteOnce) {
  std::mt19937 Random(7);
  for (unsigned Round = 0; Round != 200; ++Round) {
    Builder B;
    std::vector<TypeIndex> Known = {B.scalar(1), B.scalar(2), B.scalar(4),
                                    B.scalar(8)};
    for (unsigned I = 0; I != 6; ++I) {
      TypeIndex Inner = Known[Random() % Known.size()];
      uint64_t Size = B.Types.Types[Inner].Size;
      if (Random() % 2) {
        unsigned Count = 1 + Random() % 4;
        Known.push_back(B.array(Inner, Count, Size));
        continue;
      }
      std::vector<Field> Fields;
      uint64_t Offset = 0;
      for (unsigned F = 0; F != 3; ++F) {
        TypeIndex Type = Known[Random() % Known.size()];
        Fields.push_back({"f" + std::to_string(F), Type, Offset * 8});
        Offset += B.Types.Types[Type].Size;
      }
      Known.push_back(B.record(Offset, std::move(Fields)));
    }
    uint64_t Size = B.Types.Types[Known.back()].Size;
    ObjectMembers M = B.object(Known.back(), Size);
    uint64_t Begin = Random() % Size,
             End = Begin + 1 + Random() % (Size - Begin);
    std::vector<unsigned> Seen(Size, 0);
    for (const Member &P : M.partsIn({Begin, End}))
      for (uint64_t Byte = P.Bytes.Begin; Byte != P.Bytes.End; ++Byte)
        ++Seen[Byte];
    for (uint64_t Byte = Begin; Byte != End; ++Byte)
      EXPECT_EQ(Seen[Byte], 1u) << "byte " << Byte << " in round " << Round;
    // The fewest members have the same bytes, and each is around itself.
    std::vector<unsigned> Fewest(Size, 0);
    for (const Member &P : M.membersIn({Begin, End})) {
      for (uint64_t Byte = P.Bytes.Begin; Byte != P.Bytes.End; ++Byte)
        ++Fewest[Byte];
      EXPECT_LE(P.Bytes.End, Size);
    }
    if (Begin != 0 || End != Size)
      EXPECT_EQ(Fewest, Seen) << "in round " << Round;
  }
}

} // namespace
