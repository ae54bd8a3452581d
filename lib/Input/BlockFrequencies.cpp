// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Frequencies follow what LLVM's BranchProbabilityInfo and BlockFrequencyInfo
// do without a profile, so that weights of machine code and of compiler facts
// can stand side by side:
//  1. the entry runs once; conditional edges share a block's executions evenly;
//  2. an edge out of a loop beside one that stays takes 1/32 (LBH_TAKEN_WEIGHT
//     of LLVM: 124 of 128 stay). A header runs as often as executions come back
//     to it: 32 times for each entry of the loop where one place leaves it, and
//     less often where several do. Were it 32 times for each loop, what a state
//     machine does in one of its states, each with its own way out, would count
//     for more than the rest of the program, and so would what is behind it. Of
//     a loop that nothing leaves one turn counts, as in the pass;
//  3. a block that ends in a call that does not return is cold, as is what only
//     the unwinder reaches, and what asks whether it is the first to initialise
//     something. What waits for a signal is cold, with all that follows;
//  4. a branch to a block that the compiler put out of line is taken once in
//     eight times, and one to a switch as often as each of its cases. Where the
//     block does not come back its place says nothing: one of two equal ends of
//     a function is the last;
//  5. a loop that waits for some time in each turn has a share of what another
//     would have;
//  6. what is only done where a signal interrupted the call before (EINTR) is
//     cold, and a loop that only goes round then is none. Neither is one that
//     spins, or that only tries a compare-exchange again: it goes round only
//     where another thread is in the way. What leads out of such a loop is
//     taken as often as out of any other; what is in it counts once for each
//     time that it is entered. What waits for a lock, where the
//     compare-exchange that asks for it failed, counts next to nothing: it asks
//     for the same word again;
//  7. what says on the standard error output what went wrong is done once in 17
//     times, and so is what is done where a library call failed, unless a loop
//     ends with it or begins again.

#include "BlockFrequencies.h"
#include "OwnFlags.h"
#include "linesman/Facts/Shares.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace linesman::input {

namespace {

constexpr double RoundsPerLoop = 32;
/// Of an edge out of line, beside one that stays. Compilers move what they hold
/// for less likely than not, and that is a guess of theirs as often as a hint
/// in the source: rarer by a step, not cold.
constexpr double OutOfLineShare = 1.0 / 7;
/// Two loops, one in the other, as Propagate.cpp bounds calls: guesses
/// multiply, and what is behind three of them is rather the rare case.
constexpr double MostExecutions = 0x1p10;
/// Until all are known they may be higher: what is behind a deep loop has a
/// share of them. Corrupt code and interpreters nest so deep that products
/// would become infinite.
constexpr double MostOnTheWay = 0x1p100;
/// Of a header's executions, the share that leaves the loop: what less leaves
/// is left by what is cold only, and how often it goes round, that does not
/// tell.
constexpr double LeastLeaving = 1.0 / 4096;
/// Loops around a block that are looked at: corrupt code can nest oddly.
constexpr unsigned MostLoops = 64;

class Weigher {
public:
  Weigher(ArrayRef<Step> Steps, ControlFlow &Flow)
      : Steps(Steps), Flow(Flow), Blocks(Flow.Blocks), Ways(Blocks.size()),
        Exits(Blocks.size()), Rounds(Blocks.size(), 1), HasExit(findExits()) {}

  void weigh(bool IsCold);

private:
  ArrayRef<Step> Steps;
  ControlFlow &Flow;
  std::vector<Block> &Blocks;
  struct Way {
    uint32_t Target;
    double Share;
  };
  /// By block: where its executions go; by header: where those go that enter
  /// the loop.
  std::vector<SmallVector<Way, 2>> Ways, Exits;
  /// By header: executions for each entry of its loop; 1 for other blocks.
  std::vector<double> Rounds;
  /// By header: whether any edge leaves the loop, other than to end the
  /// process.
  const std::vector<bool> HasExit;

  std::optional<uint32_t> loopOf(uint32_t I) const {
    return Blocks[I].IsHeader ? I : Blocks[I].Loop;
  }
  bool isInLoop(uint32_t I, uint32_t Header) const;
  unsigned loopsLeft(uint32_t I, uint32_t Target) const;
  std::vector<bool> findExits() const;
  bool isOnlyJumpedTo(uint32_t I) const;
  uint32_t endOfRun(uint32_t I) const;
  void findOutOfLine();
  void spreadCold();
  bool isPaced(uint32_t Header, bool Block::*Waits) const;
  std::vector<bool> pacedLoops(bool Block::*Waits) const;
  template <typename Function> void forEachLoop(uint32_t I, Function F) const;
  void slowPacedLoops();
  void countRetriesOnce();
  using Exception = std::optional<uint32_t> Block::*;
  bool isForException(uint32_t I, uint32_t Target, Exception Successor) const;
  bool isForExceptions(uint32_t Header, Exception Successor) const;
  void findContended();
  double casesBehind(uint32_t I) const;
  bool isOfLoops(uint32_t I) const;
  void shareOut(uint32_t I);
  void solve(uint32_t Header, ArrayRef<uint32_t> Members,
             std::vector<double> &Reached);
  void countRounds();
};

/// Calls \p F with the header of each loop around a block, inner ones first.
template <typename Function>
void Weigher::forEachLoop(uint32_t I, Function F) const {
  std::optional<uint32_t> Header = loopOf(I);
  for (unsigned Depth = 0; Header && Depth != MostLoops; ++Depth) {
    F(*Header);
    Header = Blocks[*Header].Loop;
  }
}

/// Inner headers come behind those around them: loops further out need no look.
bool Weigher::isInLoop(uint32_t I, uint32_t Header) const {
  std::optional<uint32_t> Around = loopOf(I);
  for (unsigned Depth = 0; Around && Depth != MostLoops; ++Depth) {
    if (*Around == Header)
      return true;
    if (Blocks[*Around].Order < Blocks[Header].Order)
      return false;
    Around = Blocks[*Around].Loop;
  }
  return false;
}

std::vector<bool> Weigher::findExits() const {
  std::vector<bool> Found(Blocks.size());
  for (uint32_t I = 0; I != Blocks.size(); ++I) {
    unsigned Most = 0, Inner = 0;
    for (uint32_t Target : Blocks[I].Successors)
      if (!Blocks[Target].EndsProcess)
        Most = std::max(Most, loopsLeft(I, Target));
    forEachLoop(I, [&](uint32_t Header) {
      if (Inner++ < Most)
        Found[Header] = true;
    });
  }
  return Found;
}

/// How many loops the edge leaves. A way out of two at once is taken as often
/// as the outer one ends.
unsigned Weigher::loopsLeft(uint32_t I, uint32_t Target) const {
  std::optional<uint32_t> Loop = loopOf(I), Around = loopOf(Target);
  unsigned Left = 0;
  while (Loop && Loop != Around && Left != MostLoops)
    if (Around && Blocks[*Around].Order > Blocks[*Loop].Order) {
      Around = Blocks[*Around].Loop;
    } else {
      ++Left;
      Loop = Blocks[*Loop].Loop;
    }
  return Left;
}

/// Nothing runs into it from the block before.
bool Weigher::isOnlyJumpedTo(uint32_t I) const {
  return I != 0 && !Blocks[I].Predecessors.empty() &&
         !is_contained(Blocks[I].Predecessors, I - 1);
}

/// The last of the blocks from \p I that run into each other.
uint32_t Weigher::endOfRun(uint32_t I) const {
  while (I + 1 != Blocks.size() && is_contained(Blocks[I].Successors, I + 1))
    ++I;
  return I;
}

/// Marks what stands behind an end of the function and all of whose ways out of
/// its run go back before that end.
void Weigher::findOutOfLine() {
  std::optional<uint32_t> FunctionEnd;
  for (uint32_t I = 0; I != Blocks.size(); ++I) {
    Block &B = Blocks[I];
    if (FunctionEnd && isOnlyJumpedTo(I) && !B.IsRoot) {
      const Block &Last = Blocks[endOfRun(I)];
      auto IsBefore = [&](uint32_t Other) { return Other <= *FunctionEnd; };
      B.IsOutOfLine = all_of(B.Predecessors, IsBefore) &&
                      !Last.Successors.empty() &&
                      all_of(Last.Successors, IsBefore);
    }
    if (!FunctionEnd && B.Successors.empty() && !B.EndsProcess)
      FunctionEnd = I;
  }
}

/// What only leads to cold blocks is cold: compilers save registers between the
/// test of a guard and the call that asks who is the first.
void Weigher::spreadCold() {
  for (uint32_t I : reverse(Flow.Order)) {
    Block &B = Blocks[I];
    B.IsCold |=
        !B.Successors.empty() && all_of(B.Successors, [&](uint32_t Target) {
          return Blocks[Target].Order > B.Order && Blocks[Target].IsCold;
        });
  }
}

/// Whether no turn of a loop avoids what waits.
bool Weigher::isPaced(uint32_t Header, bool Block::*Waits) const {
  if (Blocks[Header].*Waits)
    return true;
  std::vector<bool> Seen(Blocks.size());
  SmallVector<uint32_t, 16> Worklist{Header};
  while (!Worklist.empty())
    for (uint32_t Target : Blocks[Worklist.pop_back_val()].Successors) {
      if (Target == Header)
        return false;
      if (Seen[Target] || Blocks[Target].*Waits || !isInLoop(Target, Header))
        continue;
      Seen[Target] = true;
      Worklist.push_back(Target);
    }
  return true;
}

/// By header: whether its loop is paced.
std::vector<bool> Weigher::pacedLoops(bool Block::*Waits) const {
  std::vector<bool> Paced(Blocks.size());
  if (none_of(Blocks, [&](const Block &B) { return B.*Waits; }))
    return Paced;
  for (uint32_t I = 0; I != Blocks.size(); ++I)
    Paced[I] = Blocks[I].IsHeader && isPaced(I, Waits);
  return Paced;
}

void Weigher::slowPacedLoops() {
  const std::vector<bool> Paced = pacedLoops(&Block::WaitsForTime);
  for (uint32_t I = 0; I != Blocks.size(); ++I)
    forEachLoop(I, [&](uint32_t Header) {
      if (Paced[Header])
        Blocks[I].Frequency *= facts::PacedShare;
    });
}

/// Takes back the rounds of loops that only try again, in the loops alone.
void Weigher::countRetriesOnce() {
  std::vector<bool> Retries = pacedLoops(&Block::Spins);
  for (uint32_t I = 0; I != Blocks.size(); ++I)
    if (Blocks[I].IsHeader && (isForExceptions(I, &Block::IfInterrupted) ||
                               isForExceptions(I, &Block::IfContended)))
      Retries[I] = true;
  for (uint32_t I = 0; I != Blocks.size(); ++I)
    forEachLoop(I, [&](uint32_t Header) {
      if (Retries[Header])
        Blocks[I].Frequency /= Rounds[Header];
    });
}

/// Whether only a signal, or another thread that was faster, makes a block go
/// on to \p Target: at once, or after a block that nothing else leads to.
bool Weigher::isForException(uint32_t I, uint32_t Target,
                             Exception Successor) const {
  const Block &B = Blocks[I];
  return B.*Successor == Target ||
         (B.Predecessors.size() == 1 &&
          Blocks[B.Predecessors.front()].*Successor == I);
}

/// Whether a loop goes round only because of that.
bool Weigher::isForExceptions(uint32_t Header, Exception Successor) const {
  return all_of(Blocks[Header].Predecessors, [&](uint32_t Last) {
    return !isInLoop(Last, Header) || isForException(Last, Header, Successor);
  });
}

/// lock cmpxchg [x], ecx; jne .wait; ... .wait: lea rdi, [x]; call wait_for
void Weigher::findContended() {
  auto StepsOf = [&](const Block &B) {
    return Steps.slice(B.First, B.Last - B.First);
  };
  auto IsAddress = [](const Step &S) {
    return S.Spot.IsAddress && S.Spot.Base == NoRegister &&
           S.Spot.Index == NoRegister;
  };
  for (const Block &B : Blocks) {
    if (!B.IfContended)
      continue;
    SmallVector<int64_t, 4> Named;
    for (const Step &S : StepsOf(B))
      if (IsAddress(S) &&
          (S.Kind == StepKind::Access || S.Kind == StepKind::Add))
        Named.push_back(S.Spot.Disp);
    Block &Waiting = Blocks[*B.IfContended];
    bool IsGiven = any_of(StepsOf(Waiting), [&](const Step &S) {
      return S.Kind == StepKind::Add && IsAddress(S) &&
             is_contained(Named, S.Spot.Disp);
    });
    bool Calls = any_of(StepsOf(Waiting), [](const Step &S) {
      return S.Kind == StepKind::Call || S.Kind == StepKind::CallThrough;
    });
    Waiting.IsContended |= IsGiven && Calls;
  }
}

/// The cases of the switch that is all of a block; 1 for any other block. A
/// branch asks whether there is a case at all: each is as likely as none.
double Weigher::casesBehind(uint32_t I) const {
  const Block &B = Blocks[I];
  return B.Cases && B.Predecessors.size() == 1 ? B.Cases : 1;
}

/// Whether a way out of a block enters, ends or goes round a loop.
bool Weigher::isOfLoops(uint32_t I) const {
  return any_of(Blocks[I].Successors, [&](uint32_t Target) {
    return loopOf(Target) != loopOf(I) || loopOf(I) == Target;
  });
}

/// The share of a block's executions that goes to each of its successors.
void Weigher::shareOut(uint32_t I) {
  const Block &B = Blocks[I];
  const std::optional<uint32_t> IfFailed =
      isOfLoops(I) ? std::nullopt : B.IfFailed;
  double Sum = 0;
  for (uint32_t Target : B.Successors) {
    unsigned Left = loopsLeft(I, Target);
    bool IsRare = Blocks[Target].IsCold || B.IfInterrupted == Target;
    // What is behind a loop stands behind it: that tells nothing more.
    bool IsOutOfLine = Blocks[Target].IsOutOfLine && !Left;
    double Share =
        std::pow(1 / (RoundsPerLoop - 1), Left) *
        (IsRare                       ? ColdShare
         : Blocks[Target].IsContended ? facts::ContendedShare
         : Blocks[Target].ReportsError || IfFailed == Target ? facts::ErrorShare
         : IsOutOfLine ? OutOfLineShare
                       : casesBehind(Target));
    Ways[I].push_back({Target, Share});
    Sum += Share;
  }
  for (Way &W : Ways[I])
    W.Share /= Sum;
}

/// Follows one execution of a loop's header through the loop, with inner loops
/// as one block each: \p Members are what is in no inner loop, in their order.
/// Sets how often the header runs, and where the loop leads to.
void Weigher::solve(uint32_t Header, ArrayRef<uint32_t> Members,
                    std::vector<double> &Reached) {
  // The member that a block is, or is in; nothing for what is outside.
  auto MemberAt = [&](uint32_t I) -> std::optional<uint32_t> {
    if (I == Header)
      return I;
    for (unsigned Depth = 0; Blocks[I].Loop && Depth != MostLoops; ++Depth) {
      if (*Blocks[I].Loop == Header)
        return I;
      I = *Blocks[I].Loop;
    }
    return std::nullopt;
  };
  SmallVector<Way, 8> Leading;
  double Back = 0;
  Reached[Header] = 1;
  for (uint32_t I : Members) {
    double Executions = std::exchange(Reached[I], 0);
    bool IsLoop = I != Header && Blocks[I].IsHeader;
    for (Way W : IsLoop ? Exits[I] : Ways[I]) {
      std::optional<uint32_t> Target = MemberAt(W.Target);
      if (!Target)
        Leading.push_back({W.Target, Executions * W.Share});
      else if (*Target == Header)
        Back += Executions * W.Share;
      else if (Blocks[*Target].Order > Blocks[I].Order)
        Reached[*Target] += Executions * W.Share;
    }
  }
  // Were rounds bounded, executions would be lost to what is behind.
  if (HasExit[Header])
    Rounds[Header] = 1 - Back >= LeastLeaving ? 1 / (1 - Back) : RoundsPerLoop;
  llvm::sort(Leading, [](Way A, Way B) { return A.Target < B.Target; });
  for (Way W : Leading)
    if (!Exits[Header].empty() && Exits[Header].back().Target == W.Target)
      Exits[Header].back().Share += W.Share * Rounds[Header];
    else
      Exits[Header].push_back({W.Target, W.Share * Rounds[Header]});
}

void Weigher::countRounds() {
  std::vector<SmallVector<uint32_t, 0>> Members(Blocks.size());
  for (uint32_t I : Flow.Order) {
    if (Blocks[I].IsHeader)
      Members[I].push_back(I);
    if (Blocks[I].Loop)
      Members[*Blocks[I].Loop].push_back(I);
  }
  std::vector<double> Reached(Blocks.size());
  // Inner headers come behind those around them.
  for (uint32_t Header : reverse(Flow.Order))
    if (Blocks[Header].IsHeader)
      solve(Header, Members[Header], Reached);
  for (uint32_t I : Flow.Order) {
    // Those around come first.
    Block &B = Blocks[I];
    B.IsOfTurn = B.Loop ? Blocks[*B.Loop].IsOfTurn : B.IsHeader && !HasExit[I];
  }
}

void Weigher::weigh(bool IsCold) {
  markOwnFlags(Steps, Flow);
  spreadCold();
  findOutOfLine();
  findContended();
  for (uint32_t I = 0; I != Blocks.size(); ++I)
    shareOut(I);
  countRounds();
  for (uint32_t I : Flow.Order) {
    Block &B = Blocks[I];
    if (B.IsRoot)
      B.Frequency += I == 0 && !IsCold ? 1 : ColdShare;
    B.Frequency *= Rounds[I];
    if (B.WaitsForSignal)
      B.Frequency *= ColdShare;
    B.Frequency = std::min(B.Frequency, MostOnTheWay);
    // Executions that go back are in the header's rounds already.
    for (Way W : Ways[I])
      if (Blocks[W.Target].Order > B.Order)
        Blocks[W.Target].Frequency += B.Frequency * W.Share;
  }
  countRetriesOnce();
  for (Block &B : Blocks)
    B.Frequency = std::min(B.Frequency, MostExecutions);
  slowPacedLoops();
}

} // namespace

void weighBlocks(ArrayRef<Step> Steps, ControlFlow &Flow, bool IsCold) {
  // One block runs as often as the function is entered.
  if (Flow.Blocks.size() == 1 && Flow.Blocks.front().Successors.empty()) {
    Block &Only = Flow.Blocks.front();
    Only.Frequency =
        (IsCold ? ColdShare : 1) * (Only.WaitsForSignal ? ColdShare : 1);
    return;
  }
  Weigher(Steps, Flow).weigh(IsCold);
}

} // namespace linesman::input
