// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops and frequencies of random programs, whose nesting is known because they
// are made from loops and conditions.

#include "ControlFlow.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>
#include <utility>

using namespace linesman::input;

namespace {

constexpr uint64_t Start = 0x1000;
constexpr uint32_t InstructionSize = 4;

/// A statement that the test asks about.
struct Marker {
  uint32_t Step;
  unsigned Loops;
  double Frequency;
};

class Program {
public:
  /// \p HasBreaks: loops have ways out in their middle, too, and only the
  /// frequencies of statements outside of loops are known.
  explicit Program(unsigned Seed, bool HasBreaks = false)
      : Random(Seed), HasBreaks(HasBreaks) {
    statements(0, 0, 1);
    Steps[add(StepKind::End)].Dst = 0;
    Bytes.resize(Steps.size() * InstructionSize);
  }
  std::vector<Step> Steps;
  std::vector<Marker> Markers;
  std::vector<uint8_t> Bytes;

private:
  std::mt19937 Random;
  bool HasBreaks;
  /// Branches out of the innermost loop, whose end is not reached yet.
  std::vector<uint32_t> Breaks;

  uint32_t add(StepKind Kind) {
    Step &S = Steps.emplace_back();
    S.Kind = Kind;
    S.Offset = (Steps.size() - 1) * InstructionSize;
    return Steps.size() - 1;
  }
  void setTarget(uint32_t Number, uint32_t Target) {
    Steps[Number].Spot.IsAddress = true;
    Steps[Number].Spot.Disp = Start + Target * InstructionSize;
  }
  void mark(unsigned Loops, double Frequency) {
    Markers.push_back({add(StepKind::Access), Loops, Frequency});
  }

  void statements(unsigned Depth, unsigned Loops, double Frequency) {
    mark(Loops, Frequency);
    for (unsigned I = 0; Depth != 4 && I < Random() % 4; ++I) {
      if (Random() % 2) {
        // do { ... } while (c)
        uint32_t First = Steps.size();
        std::vector<uint32_t> Outer = std::exchange(Breaks, {});
        statements(Depth + 1, Loops + 1, Frequency * 32);
        setTarget(add(StepKind::Branch), First);
        for (uint32_t Break : std::exchange(Breaks, Outer))
          setTarget(Break, Steps.size());
      } else {
        // if (c) { ... }
        uint32_t Skip = add(StepKind::Branch);
        statements(Depth + 1, Loops, Frequency / 2);
        setTarget(Skip, Steps.size());
      }
      if (HasBreaks && Loops && Random() % 2)
        Breaks.push_back(add(StepKind::Branch));
      mark(Loops, Frequency);
    }
  }
};

/// The block that has a statement; null for none.
const Block *blockOf(const ControlFlow &Flow, const Marker &M) {
  const Block *Inside = nullptr;
  for (const Block &B : Flow.Blocks)
    if (B.First <= M.Step && M.Step < B.Last)
      Inside = &B;
  return Inside;
}

TEST(ControlFlow, LoopsNestAndWeighAsTheyWereMade) {
  CodeMap Map;
  unsigned Loops = 0;
  for (unsigned Seed = 0; Seed != 500; ++Seed) {
    Program P(Seed);
    CodeFunction Function{{{Start}, {Start + P.Bytes.size()}}, "f", P.Bytes};
    ControlFlow Flow = recoverControlFlow(P.Steps, Function, Map);
    for (const Marker &M : P.Markers) {
      const Block *Inside = blockOf(Flow, M);
      ASSERT_TRUE(Inside);
      unsigned Depth = Inside->IsHeader;
      for (auto Loop = Inside->Loop; Loop; Loop = Flow.Blocks[*Loop].Loop)
        ++Depth;
      // The same block can begin several loops, one in the other: it heads one.
      ASSERT_LE(Depth, M.Loops) << "seed " << Seed << " step " << M.Step;
      if (Depth != M.Loops)
        continue;
      Loops += Depth;
      if (M.Loops == 0)
        EXPECT_NEAR(Inside->Frequency, M.Frequency, 1e-6 * M.Frequency)
            << "seed " << Seed << " step " << M.Step;
      else
        EXPECT_NEAR(std::log2(Inside->Frequency),
                    std::min(std::log2(M.Frequency), 10.0), 0.5)
            << "seed " << Seed << " step " << M.Step;
    }
  }
  EXPECT_GT(Loops, 1000u);
}

TEST(ControlFlow,
     WhateverWayLeavesALoopWhatIsBehindItRunsAsOftenAsItIsEntered) {
  CodeMap Map;
  unsigned Loops = 0;
  for (unsigned Seed = 0; Seed != 500; ++Seed) {
    Program P(Seed, /*HasBreaks=*/true);
    CodeFunction Function{{{Start}, {Start + P.Bytes.size()}}, "f", P.Bytes};
    ControlFlow Flow = recoverControlFlow(P.Steps, Function, Map);
    for (const Marker &M : P.Markers) {
      const Block *Inside = blockOf(Flow, M);
      ASSERT_TRUE(Inside);
      if (M.Loops == 0 && !Inside->IsHeader)
        EXPECT_NEAR(Inside->Frequency, M.Frequency, 1e-6)
            << "seed " << Seed << " step " << M.Step;
      Loops += M.Loops != 0;
    }
  }
  EXPECT_GT(Loops, 1000u);
}

TEST(ControlFlow, WhatEndsInATrapIsCold) {
  CodeMap Map;
  // if (c) trap; return
  std::vector<Step> Steps(4);
  Steps[0].Kind = StepKind::Branch;
  Steps[0].Spot.IsAddress = true;
  Steps[0].Spot.Disp = Start + 3 * InstructionSize;
  Steps[1].Kind = StepKind::Access;
  Steps[2].Kind = StepKind::End;
  Steps[3].Kind = StepKind::End;
  Steps[3].Dst = 0;
  for (uint32_t I = 0; I != Steps.size(); ++I)
    Steps[I].Offset = I * InstructionSize;
  std::vector<uint8_t> Bytes(Steps.size() * InstructionSize);
  CodeFunction Function{{{Start}, {Start + Bytes.size()}}, "f", Bytes};
  ControlFlow Flow = recoverControlFlow(Steps, Function, Map);
  ASSERT_EQ(Flow.Blocks.size(), 3u);
  EXPECT_LT(Flow.Blocks[1].Frequency, 1e-5);
  EXPECT_GT(Flow.Blocks[2].Frequency, 0.99);
  EXPECT_FALSE(neverReturns(Flow));
  // A function that is cold is all cold.
  Function.IsCold = true;
  EXPECT_LT(recoverControlFlow(Steps, Function, Map).Blocks[2].Frequency, 1e-5);
}

TEST(ControlFlow, WhatIsOutOfLineIsRarer) {
  CodeMap Map;
  // if (c) goto far; back: return; far: ...; goto back
  std::vector<Step> Steps(5);
  Steps[0].Kind = StepKind::Branch;
  Steps[0].Spot.IsAddress = true;
  Steps[0].Spot.Disp = Start + 3 * InstructionSize;
  Steps[1].Kind = StepKind::Access;
  Steps[2].Kind = StepKind::End;
  Steps[2].Dst = 0;
  Steps[3].Kind = StepKind::Access;
  Steps[4].Kind = StepKind::Jump;
  Steps[4].Spot.IsAddress = true;
  Steps[4].Spot.Disp = Start + InstructionSize;
  for (uint32_t I = 0; I != Steps.size(); ++I)
    Steps[I].Offset = I * InstructionSize;
  std::vector<uint8_t> Bytes(Steps.size() * InstructionSize);
  CodeFunction Function{{{Start}, {Start + Bytes.size()}}, "f", Bytes};
  ControlFlow Flow = recoverControlFlow(Steps, Function, Map);
  ASSERT_EQ(Flow.Blocks.size(), 3u);
  EXPECT_TRUE(Flow.Blocks[2].IsOutOfLine);
  EXPECT_NEAR(Flow.Blocks[2].Frequency, 0.125, 1e-6);
  EXPECT_NEAR(Flow.Blocks[1].Frequency, 1, 1e-6);
  // Two ends of a function: which of them is the last says nothing.
  Steps[4] = Steps[2];
  Steps[4].Offset = 4 * InstructionSize;
  Flow = recoverControlFlow(Steps, Function, Map);
  EXPECT_FALSE(Flow.Blocks[2].IsOutOfLine);
  EXPECT_NEAR(Flow.Blocks[2].Frequency, 0.5, 1e-6);
}

TEST(ControlFlow, LoopsWithoutNumberHaveAWeight) {
  CodeMap Map;
  constexpr uint32_t Loops = 300;
  std::vector<Step> Steps(2 * Loops + 1);
  for (uint32_t I = 0; I != Loops; ++I) {
    Steps[I].Kind = StepKind::Access;
    Step &Back = Steps[Loops + I];
    Back.Kind = StepKind::Branch;
    Back.Spot.IsAddress = true;
    Back.Spot.Disp = Start + (Loops - 1 - I) * InstructionSize;
  }
  Steps.back().Kind = StepKind::End;
  Steps.back().Dst = 0;
  for (uint32_t I = 0; I != Steps.size(); ++I)
    Steps[I].Offset = I * InstructionSize;
  std::vector<uint8_t> Bytes(Steps.size() * InstructionSize);
  CodeFunction Function{{{Start}, {Start + Bytes.size()}}, "f", Bytes};
  double Most = 0;
  for (const Block &B : recoverControlFlow(Steps, Function, Map).Blocks) {
    EXPECT_LE(B.Frequency, 0x1p10);
    Most = std::max(Most, B.Frequency);
  }
  EXPECT_EQ(Most, 0x1p10);
}

TEST(ControlFlow, ALoopThatNothingLeavesRunsOnce) {
  CodeMap Map;
  std::vector<Step> Steps(2);
  Steps[0].Kind = StepKind::Access;
  Steps[1].Kind = StepKind::Jump;
  Steps[1].Offset = InstructionSize;
  Steps[1].Spot.IsAddress = true;
  Steps[1].Spot.Disp = Start;
  std::vector<uint8_t> Bytes(2 * InstructionSize);
  CodeFunction Function{{{Start}, {Start + Bytes.size()}}, "f", Bytes};
  ControlFlow Flow = recoverControlFlow(Steps, Function, Map);
  ASSERT_EQ(Flow.Blocks.size(), 1u);
  EXPECT_TRUE(Flow.Blocks[0].IsHeader);
  EXPECT_EQ(Flow.Blocks[0].Frequency, 1);
}

} // namespace
