// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which locks are held for accesses, calls and uses of pointers.

#include "FactBytes.h"
#include "linesman/Facts/Pointers.h"
#include "gtest/gtest.h"
#include <vector>

using namespace llvm;
using namespace linesman::facts;

TEST(Decode, ReadsLocks) {
  // The access is made with g+16, and so is f's second call. f takes g+8 twice
  // and leaves a lock; k, which calls nobody here, takes g+8 once.
  std::string Section = contribution(
      files() + functions(0x1000) + objects(0x2000) + references() +
      record(13, StringRef("\2\x10", 2)) + record(1, access()) +
      record(14, StringRef("\2\3\0\x08\x84\1\1\2\x10\0"
                           "\3\2\0\x08\x80\0\0",
                           17)) +
      record(5, calls()));
  std::vector<Access> Accesses;
  std::vector<Calls> All;
  Expected<DecodeCounts> Counts = decodeFacts(
      Section, Strings,
      [&](const Fact &F) {
        Accesses.assign(F.Accesses.begin(), F.Accesses.end());
      },
      [&](const Calls &C) { All.push_back(C); });
  ASSERT_TRUE(bool(Counts)) << toString(Counts.takeError());
  EXPECT_EQ(Counts->UnknownRecords, 0u);
  ASSERT_EQ(Accesses.size(), 1u);
  EXPECT_TRUE(Accesses[0].IsLocked);
  EXPECT_EQ(Accesses[0].HeldLock, 0x2010u);
  ASSERT_EQ(All.size(), 2u);
  ASSERT_EQ(All[0].Edges.size(), 2u);
  EXPECT_FALSE(All[0].Edges[0].IsLocked);
  EXPECT_TRUE(All[0].Edges[1].IsLocked);
  EXPECT_EQ(All[0].Edges[1].HeldLock, 0x2010u);
  EXPECT_TRUE(All[0].LeavesLock);
  ASSERT_EQ(All[0].Takes.size(), 1u);
  EXPECT_EQ(All[0].Takes[0].Lock, 0x2008u);
  EXPECT_EQ(All[0].Takes[0].Weight, 2);
  EXPECT_TRUE(All[1].Edges.empty());
  EXPECT_FALSE(All[1].LeavesLock);
  ASSERT_EQ(All[1].Takes.size(), 1u);
  EXPECT_EQ(All[1].Takes[0].Weight, 1);
}

TEST(Decode, ReadsLocksOfPointersThatAreHandedOn) {
  std::string Section = contribution(
      files() + functions(0x1000) + objects(0x2000) + references() +
      record(14, StringRef("\2\0\0\1\0\2\x10", 7)) + record(11, pointers()));
  bool IsLocked = false;
  uint64_t Lock = 0;
  Expected<DecodeCounts> Counts = decodeFacts(
      Section, Strings, [](const Fact &) {}, nullptr, nullptr,
      [&](const PointerFacts &P) {
        IsLocked = P.Uses[0].IsLocked;
        Lock = P.Uses[0].HeldLock;
      });
  ASSERT_TRUE(bool(Counts)) << toString(Counts.takeError());
  EXPECT_TRUE(IsLocked);
  EXPECT_EQ(Lock, 0x2010u);
}

TEST(Decode, ADiscardedLockIsSomeLock) {
  std::string Section =
      contribution(files() + functions(0x1000) + objects(0) +
                   record(13, StringRef("\2\x10", 2)) + record(1, access()));
  bool IsLocked = false;
  uint64_t Lock = 1;
  Expected<DecodeCounts> Counts =
      decodeFacts(Section, Strings, [&](const Fact &F) {
        IsLocked = F.Accesses[0].IsLocked;
        Lock = F.Accesses[0].HeldLock;
      });
  ASSERT_TRUE(bool(Counts)) << toString(Counts.takeError());
  EXPECT_TRUE(IsLocked);
  EXPECT_EQ(Lock, 0u);
}

TEST(Decode, RefusesLocksThatDoNotFit) {
  std::string Head = files() + functions(0x1000) + objects(0x2000);
  auto Fails = [&](uint16_t Kind, StringRef Payload) {
    std::string Section = contribution(
        Head + references() + record(Kind, Payload) + record(1, access()));
    Expected<DecodeCounts> Counts =
        decodeFacts(Section, Strings, [](const Fact &) {});
    if (Counts)
      return std::string("no error");
    return toString(Counts.takeError());
  };
  // Of too few accesses, of too many, of an object that is not there.
  EXPECT_NE(Fails(13, "").find("fewer than 1 access"), std::string::npos);
  EXPECT_NE(Fails(13, StringRef("\0\0", 2)).find("more than 1 access"),
            std::string::npos);
  EXPECT_NE(Fails(13, StringRef("\3\0", 2)).find("of no object"),
            std::string::npos);
  // A caller that is none, a take, an edge and a use beyond the record, and one
  // of an object that is not there.
  for (StringRef Payload :
       {StringRef("\0\0\0", 3), StringRef("\2\2\0\x08", 4),
        StringRef("\2\0\1\1", 4), StringRef("\2\0\0\1\0\2", 6),
        StringRef("\2\2\1\0\x80\0", 6)})
    EXPECT_NE(Fails(14, Payload).find(": found "), std::string::npos)
        << Fails(14, Payload);
}
