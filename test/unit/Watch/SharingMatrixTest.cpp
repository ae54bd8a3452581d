// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verdicts from literals, and a brute-force oracle over random byte sets.

#include "linesman/Watch/SharingMatrix.h"
#include <gtest/gtest.h>
#include <random>

using namespace linesman::process;
using namespace linesman::watch;

namespace {

ByteSet none() { return {}; }
ByteSet bytes(uint32_t Offset, uint32_t Size) {
  return bytesOf({Offset, Size});
}

ThreadBytes reads(int Thread, ByteSet Bytes) {
  return {{Thread}, Bytes, none()};
}
ThreadBytes writes(int Thread, ByteSet Bytes) {
  return {{Thread}, none(), Bytes};
}

TEST(Judge, NothingSeen) { EXPECT_EQ(judge({}), Verdict::NotSeen); }

TEST(Judge, OneThread) {
  EXPECT_EQ(judge({writes(1, bytes(0, 8))}), Verdict::Private);
  EXPECT_EQ(judge({{{1}, bytes(8, 8), bytes(0, 8)}}), Verdict::Private);
  EXPECT_EQ(judge({reads(1, bytes(0, 8))}), Verdict::ReadOnly);
}

TEST(Judge, Readers) {
  EXPECT_EQ(judge({reads(1, bytes(0, 8)), reads(2, bytes(0, 8))}),
            Verdict::ReadOnly);
}

TEST(Judge, SameBytes) {
  EXPECT_EQ(judge({writes(1, bytes(0, 8)), writes(2, bytes(0, 8))}),
            Verdict::TrueSharing);
  EXPECT_EQ(judge({writes(1, bytes(0, 8)), reads(2, bytes(4, 4))}),
            Verdict::Mixed);
  EXPECT_EQ(judge({writes(1, bytes(3, 1)), reads(2, bytes(3, 1))}),
            Verdict::TrueSharing);
}

TEST(Judge, UnalignedCounterIsOneField) {
  EXPECT_EQ(judge({writes(1, bytes(4, 8)), writes(2, bytes(4, 8))}),
            Verdict::TrueSharing);
}

TEST(Judge, DifferentBytes) {
  EXPECT_EQ(judge({writes(1, bytes(0, 8)), writes(2, bytes(8, 8))}),
            Verdict::FalseSharing);
  EXPECT_EQ(judge({writes(1, bytes(0, 1)), reads(2, bytes(1, 1))}),
            Verdict::FalseSharing);
}

TEST(Judge, Both) {
  // The database: everybody writes one word, everybody reads another.
  EXPECT_EQ(judge({{{1}, bytes(24, 4), bytes(0, 8)},
                   {{2}, bytes(24, 4), bytes(0, 8)}}),
            Verdict::Mixed);
}

/// Confirmed means: one thread writes, and another one touches the line.
/// Whatever the fields are, that must not depend on them.
TEST(Judge, ConfirmedAgreesWithBruteForce) {
  std::mt19937 Random(7);
  for (unsigned Case = 0; Case != 2000; ++Case) {
    std::vector<ThreadBytes> Threads;
    for (int Thread = 1, Count = 1 + int(Random() % 3); Thread <= Count;
         ++Thread) {
      ThreadBytes T = {{Thread}, none(), none()};
      for (unsigned Access = 0; Access != 2; ++Access) {
        ByteSet Bytes = bytes(Random() % 56, 1 + Random() % 8);
        if (unsigned Kind = Random() % 3; Kind == 0)
          T.Read |= Bytes;
        else if (Kind == 1)
          T.Written |= Bytes;
      }
      Threads.push_back(T);
    }
    bool Meets = false, True = false;
    for (const ThreadBytes &A : Threads)
      for (const ThreadBytes &B : Threads)
        if (A.Thread != B.Thread) {
          ByteSet Others = B.Read | B.Written;
          Meets |= A.Written.any() && Others.any();
          True |= (A.Written & Others).any();
        }
    Verdict V = judge(Threads);
    EXPECT_EQ(outcomeOf(V) == Outcome::Confirmed, Meets) << "case " << Case;
    EXPECT_EQ(V == Verdict::TrueSharing || V == Verdict::Mixed, True)
        << "case " << Case;
  }
}

constexpr RunAddress SiteA = {0x1000}, SiteB = {0x2000};

TEST(SharingMatrix, CoarseWordsAskForRefinement) {
  SharingMatrix M;
  M.add({1}, AccessKind::Write, SiteA, {8, 8}, 3);
  EXPECT_TRUE(M.wordsToRefine().empty());
  M.add({2}, AccessKind::Read, SiteB, {8, 8}, 1);
  ASSERT_EQ(M.wordsToRefine().size(), 1u);
  EXPECT_EQ(M.wordsToRefine()[0], (ByteRange{8, 8}));
  EXPECT_EQ(M.verdict(), Verdict::Sharing);
}

TEST(SharingMatrix, BytesSeparateHalvesOfAWord) {
  SharingMatrix M;
  M.add({1}, AccessKind::Write, SiteA, {8, 8}, 3);
  M.add({2}, AccessKind::Write, SiteB, {8, 8}, 3);
  M.add({1}, AccessKind::Write, SiteA, {8, 4}, 10);
  EXPECT_EQ(M.verdict(), Verdict::Sharing); // 12-15 were just not met
  M.exclude({1}, AccessKind::Write, SiteA, {12, 4});
  M.add({1}, AccessKind::Write, SiteA, {8, 1}, 1);
  ASSERT_EQ(M.wordsToRefine().size(), 1u);
  for (uint32_t Byte : {9, 10, 11})
    M.add({1}, AccessKind::Write, SiteA, {Byte, 1}, 1);
  M.add({2}, AccessKind::Write, SiteB, {12, 4}, 10);
  M.exclude({2}, AccessKind::Write, SiteB, {8, 4});
  for (uint32_t Byte : {12, 13, 14, 15})
    M.add({2}, AccessKind::Write, SiteB, {Byte, 1}, 1);
  EXPECT_TRUE(M.wordsToRefine().empty());
  EXPECT_EQ(M.verdict(), Verdict::FalseSharing);
  std::vector<Field> Fields = M.fields();
  ASSERT_EQ(Fields.size(), 2u);
  EXPECT_EQ(Fields[0].Bytes, (ByteRange{8, 4}));
  EXPECT_EQ(Fields[1].Bytes, (ByteRange{12, 4}));
  EXPECT_EQ(Fields[0].Accesses.size(), 1u);
}

/// What watching the halves, quarters and bytes of word 0 shows of accesses to
/// \p Touched.
void refine(SharingMatrix &M, int Thread, AccessKind Kind, RunAddress Site,
            ByteSet Touched) {
  for (uint32_t Size : {4, 2, 1})
    for (uint32_t Offset = 0; Offset != 8; Offset += 2 * Size) {
      ByteRange Parts[] = {{Offset, Size}, {Offset + Size, Size}};
      bool Met[2];
      for (unsigned I = 0; I != 2; ++I) {
        Met[I] = (bytesOf(Parts[I]) & Touched).any();
        M.add({Thread}, Kind, Site, Parts[I], Met[I] ? 3 : 0);
      }
      for (unsigned I = 0; I != 2; ++I)
        if (Met[1 - I] && !Met[I])
          M.exclude({Thread}, Kind, Site, Parts[I]);
    }
}

TEST(SharingMatrix, BytesAndQuartersAreToldApartWithinAHalf) {
  for (uint32_t Size : {1, 2}) {
    SharingMatrix M;
    M.add({1}, AccessKind::Write, SiteA, {0, 8}, 3);
    M.add({2}, AccessKind::Read, SiteB, {0, 8}, 3);
    refine(M, 1, AccessKind::Write, SiteA, bytes(0, Size));
    EXPECT_EQ(M.verdict(), Verdict::Sharing) << "one of the threads is known";
    refine(M, 2, AccessKind::Read, SiteB, bytes(Size, Size));
    EXPECT_EQ(M.verdict(), Verdict::FalseSharing);
    EXPECT_TRUE(M.wordsToRefine().empty());
    ASSERT_EQ(M.fields().size(), 2u);
    EXPECT_EQ(M.fields()[1].Bytes, (ByteRange{Size, Size}));
  }
}

TEST(SharingMatrix, RefinementFindsEveryRunOfBytes) {
  for (uint32_t Offset = 0; Offset != 8; ++Offset)
    for (uint32_t Size = 1; Offset + Size <= 8; ++Size) {
      SharingMatrix M;
      refine(M, 1, AccessKind::Write, SiteA, bytes(Offset, Size));
      ASSERT_EQ(M.threads().size(), 1u);
      EXPECT_EQ(M.threads()[0].Written, bytes(Offset, Size));
    }
}

TEST(SharingMatrix, ALoopIsPutBackWhereItIsMetLater) {
  SharingMatrix M;
  M.add({1}, AccessKind::Write, SiteA, {0, 4}, 10);
  M.exclude({1}, AccessKind::Write, SiteA, {4, 4});
  EXPECT_EQ(M.threads()[0].Written, bytes(0, 4));
  M.add({1}, AccessKind::Write, SiteA, {6, 1}, 1);
  EXPECT_EQ(M.threads()[0].Written, bytes(0, 8));
}

TEST(SharingMatrix, TrueSharingIsWhereThreadsCertainlyMeet) {
  SharingMatrix M;
  M.add({1}, AccessKind::Write, SiteA, {0, 8}, 1);
  M.add({2}, AccessKind::Read, SiteB, {0, 8}, 1);
  refine(M, 1, AccessKind::Write, SiteA, bytes(0, 4));
  EXPECT_EQ(M.verdict(), Verdict::Sharing);
  M.add({2}, AccessKind::Read, SiteB, {4, 4}, 1);
  EXPECT_EQ(M.verdict(), Verdict::Sharing);
  M.add({2}, AccessKind::Read, SiteB, {2, 2}, 1);
  EXPECT_EQ(M.verdict(), Verdict::Mixed) << "at 2 or 3, which 1 writes";
}

// Two threads store to bytes 4 to 11, of which one is taken apart first.
TEST(SharingMatrix, AWordThatIsNotTakenApartYetIsNoOtherBytes) {
  SharingMatrix M;
  for (int Thread : {1, 2}) {
    M.add({Thread}, AccessKind::Write, SiteA, {0, 8}, 10);
    for (uint32_t Byte : {8, 9, 10, 11})
      M.add({Thread}, AccessKind::Write, SiteA, {Byte, 1}, 1);
    M.exclude({Thread}, AccessKind::Write, SiteA, {12, 4});
  }
  refine(M, 1, AccessKind::Write, SiteA, bytes(4, 4));
  EXPECT_EQ(M.verdict(), Verdict::Sharing) << "2 may store to bytes 0 to 3";
  refine(M, 2, AccessKind::Write, SiteA, bytes(4, 4));
  EXPECT_EQ(M.verdict(), Verdict::TrueSharing);
}

TEST(SharingMatrix, WhoTouchesMoreThanAnotherIsApartFromIt) {
  SharingMatrix M;
  M.add({1}, AccessKind::Write, SiteA, {0, 8}, 10);
  M.add({2}, AccessKind::Write, SiteB, {0, 8}, 10);
  refine(M, 1, AccessKind::Write, SiteA, bytes(4, 4));
  EXPECT_EQ(M.verdict(), Verdict::Sharing);
  refine(M, 2, AccessKind::Write, SiteB, bytes(0, 8));
  EXPECT_EQ(M.verdict(), Verdict::Mixed);
}

TEST(SharingMatrix, WhoMeetsAWholeWordOfAnotherNeedsNoRefinement) {
  SharingMatrix M;
  M.add({1}, AccessKind::Read, SiteA, {0, 8}, 1);
  refine(M, 1, AccessKind::Read, SiteA, bytes(0, 8));
  M.add({2}, AccessKind::Write, SiteB, {0, 8}, 1); // it ends too early for more
  EXPECT_EQ(M.verdict(), Verdict::TrueSharing);
}

TEST(SharingMatrix, CountsAndCeilings) {
  SharingMatrix M;
  M.add({1}, AccessKind::Write, SiteA, {0, 8}, 10);
  M.add({1}, AccessKind::Read, SiteB, {0, 8}, 2);
  M.addCeiling({1}, {0, 8});
  std::vector<Field> Fields = M.fields();
  ASSERT_EQ(Fields.size(), 1u);
  ASSERT_EQ(Fields[0].Accesses.size(), 1u);
  EXPECT_EQ(Fields[0].Accesses[0].Writes, 10u);
  EXPECT_EQ(Fields[0].Accesses[0].Reads, 2u);
  EXPECT_TRUE(Fields[0].Accesses[0].Ceiling);
  EXPECT_EQ(Fields[0].Accesses[0].Sites.size(), 2u);
  EXPECT_EQ(M.total(), 12u);
}

TEST(SharingMatrix, ExactBytesKeepTheirHoles) {
  SharingMatrix M;
  M.addExact({1}, AccessKind::Write, SiteA, bytes(0, 1) | bytes(7, 1), 1);
  M.addExact({2}, AccessKind::Write, SiteB, bytes(3, 1), 1);
  EXPECT_EQ(M.verdict(), Verdict::FalseSharing);
}

TEST(Verdicts, OutcomesAndNames) {
  EXPECT_EQ(outcomeOf(Verdict::Private), Outcome::Refuted);
  EXPECT_EQ(outcomeOf(Verdict::ReadOnly), Outcome::Refuted);
  EXPECT_EQ(outcomeOf(Verdict::NotSeen), Outcome::NotSeen);
  EXPECT_EQ(outcomeOf(Verdict::Mixed), Outcome::Confirmed);
  EXPECT_EQ(outcomeOf(Verdict::Sharing), Outcome::Confirmed);
  EXPECT_EQ(outcomeOf(Verdict::HandedOver), Outcome::CannotTell);
  EXPECT_EQ(verdictName(Verdict::NotSeen), "not-seen");
  EXPECT_EQ(verdictName(Verdict::TrueSharing), "true-sharing");
}

TEST(SharingMatrix, OneAfterTheOtherIsNoSharing) {
  SharingMatrix M;
  M.add({1}, AccessKind::Write, SiteA, {8, 8}, 1, 100);
  M.add({1}, AccessKind::Write, SiteA, {8, 8}, 1, 200);
  M.add({2}, AccessKind::Write, SiteA, {8, 8}, 1, 300);
  M.add({2}, AccessKind::Read, SiteB, {0, 8}, 1, 400);
  EXPECT_EQ(M.verdict(), Verdict::HandedOver);
  M.add({1}, AccessKind::Read, SiteB, {0, 8}, 1, 350);
  EXPECT_EQ(outcomeOf(M.verdict()), Outcome::Confirmed);
}

TEST(SharingMatrix, ManyOneAfterTheOtherAre) {
  SharingMatrix M;
  for (int Thread = 1; Thread != 5; ++Thread) {
    EXPECT_NE(outcomeOf(M.verdict()), Outcome::Confirmed) << Thread;
    M.add({Thread}, AccessKind::Write, SiteA, {8, 8}, 1, 100 * Thread);
  }
  EXPECT_EQ(outcomeOf(M.verdict()), Outcome::Confirmed);
}

TEST(SharingMatrix, BytesAreKnownOnlyWhereTheyWereSeen) {
  SharingMatrix M;
  M.add({1}, AccessKind::Write, SiteA, {8, 8}, 3);
  ASSERT_EQ(M.fields().size(), 1u);
  EXPECT_FALSE(M.fields()[0].IsExact);
  EXPECT_EQ(M.wordsToSharpen(), std::vector<ByteRange>({{8, 8}}));
  EXPECT_TRUE(M.wordsToRefine().empty()) << "nobody shares it";
  M.exclude({1}, AccessKind::Write, SiteA, {8, 4});
  M.exclude({1}, AccessKind::Write, SiteA, {14, 2});
  M.exclude({1}, AccessKind::Write, SiteA, {12, 1});
  M.add({1}, AccessKind::Write, SiteA, {13, 1}, 3);
  ASSERT_EQ(M.fields().size(), 1u);
  EXPECT_TRUE(M.fields()[0].IsExact);
  EXPECT_EQ(M.fields()[0].Bytes, (ByteRange{13, 1}));
  EXPECT_TRUE(M.wordsToSharpen().empty());
}

TEST(SharingMatrix, ThreadsWithTheSameInstructionsAreOneGroup) {
  SharingMatrix M;
  M.add({1}, AccessKind::Write, SiteA, {8, 8}, 3);
  M.add({2}, AccessKind::Write, SiteA, {8, 8}, 3);
  M.add({3}, AccessKind::Read, SiteB, {8, 8}, 3);
  EXPECT_EQ(M.groups().size(), 2u);
  EXPECT_TRUE(M.isSeen({3}, 1));
  EXPECT_FALSE(M.isWritten({3}, 1));
  EXPECT_TRUE(M.isWritten({2}, 1));
  EXPECT_FALSE(M.isSeen({2}, 0));
}

} // namespace
