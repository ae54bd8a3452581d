// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which flags accesses, calls and uses of pointers are behind, and what stores
// store.

#include "FactBytes.h"
#include "linesman/Facts/Pointers.h"
#include "gtest/gtest.h"
#include <vector>

using namespace llvm;
using namespace linesman::facts;

TEST(Decode, ReadsFlagsAndConstants) {
  // The access is behind g+16 and stores 300; f's second call is behind g+8.
  std::string Section = contribution(
      files() + functions(0x1000) + objects(0x2000) + references() +
      record(15, StringRef("\1\x10", 2)) + record(16, "\1\xac\2") +
      record(1, access()) + record(17, StringRef("\2\1\1\0\x08\0", 6)) +
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
  EXPECT_EQ(Accesses[0].OnceFlag, 0x2010u);
  EXPECT_EQ(Accesses[0].Stored, std::optional<uint64_t>(300));
  ASSERT_EQ(All.size(), 1u);
  ASSERT_EQ(All[0].Edges.size(), 2u);
  EXPECT_EQ(All[0].Edges[0].OnceFlag, 0u);
  EXPECT_EQ(All[0].Edges[1].OnceFlag, 0x2008u);
}

TEST(Decode, FlagsAreOfTheNextRecordOnly) {
  std::string Section = contribution(
      files() + functions(0x1000) + objects(0x2000) +
      record(15, StringRef("\1\x10", 2)) + record(16, StringRef("\0", 1)) +
      record(1, access()) + record(1, access()));
  std::vector<uint64_t> Flags;
  std::vector<bool> AreConstant;
  Expected<DecodeCounts> Counts =
      decodeFacts(Section, Strings, [&](const Fact &F) {
        Flags.push_back(F.Accesses[0].OnceFlag);
        AreConstant.push_back(F.Accesses[0].Stored.has_value());
      });
  ASSERT_TRUE(bool(Counts)) << toString(Counts.takeError());
  EXPECT_EQ(Flags, (std::vector<uint64_t>{0x2010, 0}));
  EXPECT_EQ(AreConstant, (std::vector<bool>{false, false}));
}

TEST(Decode, ReadsFlagsOfPointersThatAreHandedOn) {
  std::string Section = contribution(
      files() + functions(0x1000) + objects(0x2000) + references() +
      record(17, StringRef("\2\0\1\0\0\x10", 6)) + record(11, pointers()));
  uint64_t Flag = 0;
  Expected<DecodeCounts> Counts = decodeFacts(
      Section, Strings, [](const Fact &) {}, nullptr, nullptr,
      [&](const PointerFacts &P) { Flag = P.Uses[0].OnceFlag; });
  ASSERT_TRUE(bool(Counts)) << toString(Counts.takeError());
  EXPECT_EQ(Flag, 0x2010u);
}

TEST(Decode, ADiscardedFlagIsNone) {
  std::string Section =
      contribution(files() + functions(0x1000) + objects(0) +
                   record(15, StringRef("\1\x10", 2)) + record(1, access()));
  uint64_t Flag = 1;
  Expected<DecodeCounts> Counts = decodeFacts(
      Section, Strings, [&](const Fact &F) { Flag = F.Accesses[0].OnceFlag; });
  ASSERT_TRUE(bool(Counts)) << toString(Counts.takeError());
  EXPECT_EQ(Flag, 0u);
}

TEST(Decode, RefusesFlagsThatDoNotFit) {
  std::string Head = files() + functions(0x1000) + objects(0x2000);
  auto Fails = [&](uint16_t Kind, StringRef Payload) {
    std::string Section = contribution(
        Head + references() + record(Kind, Payload) + record(1, access()));
    Expected<DecodeCounts> Counts =
        decodeFacts(Section, Strings, [](const Fact &) {});
    return Counts ? std::string("no error") : toString(Counts.takeError());
  };
  auto Says = [&](uint16_t Kind, StringRef Payload, const char *Words) {
    EXPECT_NE(Fails(Kind, Payload).find(Words), std::string::npos)
        << Fails(Kind, Payload);
  };
  // Of too few accesses, of too many, of an object that is not there.
  Says(15, "", "fewer than 1 access");
  Says(15, StringRef("\0\0", 2), "more than 1 access");
  Says(15, StringRef("\2\0", 2), "of no object");
  Says(16, "", "fewer than 1 access");
  Says(16, "\2", "fewer than 1 access");
  Says(16, StringRef("\0\0", 2), "more than 1 access");
  // A caller that is none, an edge and a use beyond the record, and one of an
  // object that is not there.
  for (StringRef Payload :
       {StringRef("\0\0\0", 3), StringRef("\2\2\0\0", 4),
        StringRef("\2\0\1\0", 4), StringRef("\2\1\0\1\0\0", 6)})
    Says(17, Payload, "flags of calls");
}

TEST(Decode, ReadsHowPointersToFunctionsAreDeclared) {
  // An address, a call by name and one through a pointer.
  const StringRef Edges("\2\3\x02\1\0\1\3\0", 8);
  auto declaredWith = [&](StringRef Types, std::string &Problem) {
    std::vector<unsigned> Declared;
    std::string Section =
        contribution(references() + record(21, Types) + record(5, Edges));
    Expected<DecodeCounts> Counts = decodeFacts(
        Section, Strings, [](const Fact &) {},
        [&](const Calls &C) {
          for (const CallEdge &E : C.Edges)
            Declared.push_back(E.Declared);
        });
    Problem = Counts ? "" : toString(Counts.takeError());
    return Declared;
  };
  std::string Problem;
  EXPECT_EQ(declaredWith("\x11\xff", Problem),
            (std::vector<unsigned>{0x11, 0, 0xff}));
  EXPECT_EQ(Problem, "");
  declaredWith("\x11", Problem);
  EXPECT_NE(Problem.find("fewer declared types than edges"), std::string::npos);
  declaredWith("\x11\x12\x13", Problem);
  EXPECT_NE(Problem.find("more declared types than edges"), std::string::npos);
}

TEST(Decode, ReadsWhatIsDoneWithoutALock) {
  auto unlockedWith = [](StringRef Bits, std::string &Problem) {
    std::vector<bool> Unlocked;
    std::string Section =
        contribution(files() + functions(0x1000) + objects(0x2000) +
                     references() + types() + record(18, Bits) +
                     record(6, columns({StringRef("\2\1\0\2", 4), "\x06\x05",
                                        "", StringRef("\0\0", 2), "\x08\x08",
                                        StringRef("\0\0", 2)})));
    Expected<DecodeCounts> Counts = decodeFacts(
        Section, Strings, [](const Fact &) {}, nullptr,
        [&](const TypeFact &T) {
          for (const TypeAccess &A : T.Accesses)
            Unlocked.push_back(A.IsUnlocked);
        });
    if (!Counts)
      Problem = toString(Counts.takeError());
    return Unlocked;
  };
  std::string Problem;
  EXPECT_EQ(unlockedWith("\2", Problem), (std::vector<bool>{false, true}));
  EXPECT_EQ(Problem, "");
  EXPECT_EQ(unlockedWith("", Problem), (std::vector<bool>{false, false}));
  EXPECT_EQ(Problem, "");
  // Nine accesses, and bits of eight.
  std::string Nine(9, '\0');
  std::string Section = contribution(
      files() + functions(0x1000) + objects(0x2000) + references() + types() +
      record(18, "\2") +
      record(6,
             columns({StringRef("\2\1\0\x09", 4), Nine, "", "", Nine, Nine})));
  Expected<DecodeCounts> Counts = decodeFacts(
      Section, Strings, [](const Fact &) {}, nullptr, [](const TypeFact &) {});
  ASSERT_FALSE(bool(Counts));
  EXPECT_NE(toString(Counts.takeError()).find("fewer bits of locks"),
            std::string::npos);
}
