// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From steps to blocks, loops and frequencies.
//
// Loops: one depth-first search that finds the innermost header of each block,
// also of irreducible loops (Wei, Mao, Zou, Chen: "A New Algorithm for
// Identifying Loops in Decompilation", SAS 2007).
//
// Frequencies follow what LLVM's BranchProbabilityInfo and
// BlockFrequencyInfo do without a profile, so that weights of machine code and
// of compiler facts can stand side by side:
//  1. the entry runs once; conditional edges share a block's executions evenly;
//  2. a loop goes round with a probability of 124/128 (LBH_TAKEN_WEIGHT of
//     LLVM): its header runs 32 times as often as it is entered, and an edge
//     out of it beside one that stays takes 1/32. Of a loop that nothing leaves
//     one turn counts, as in the pass;
//  3. a block that ends in a call that does not return is cold, as is what only
//     the unwinder reaches, and what asks whether it is the first to initialise
//     something. What waits for a signal is cold, with all that follows;
//  4. a branch to a block that the compiler put out of line is taken once in
//     eight times. Where the block does not come back its place says nothing:
//     one of two equal ends of a function is the last;
//  5. a loop that waits for some time in each turn has a share of what another
//     would have;
//  6. what is only done where a signal interrupted the call before (EINTR) is
//     cold, and a loop that only goes round then is none.

#include "ControlFlow.h"
#include "OwnFlags.h"
#include "linesman/Facts/KnownThreads.h"
#include "linesman/Facts/Shares.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cerrno>
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

bool endsBlock(StepKind Kind) {
  return Kind == StepKind::Jump || Kind == StepKind::Branch ||
         Kind == StepKind::IndirectJump || Kind == StepKind::End;
}

/// Names that compilers call when there is no way back.
bool neverReturns(StringRef Name) {
  return StringSwitch<bool>(Name)
             .Cases({"abort", "exit", "_exit", "__assert_fail",
                     "__stack_chk_fail", "__cxa_throw", "__cxa_rethrow",
                     "_Unwind_Resume", "_ZSt9terminatev", "longjmp"},
                    true)
             .Cases({"__cxa_throw_bad_array_new_length", "__chk_fail",
                     "__cxa_bad_cast", "__clang_call_terminate", "pthread_exit",
                     "__longjmp_chk"},
                    true)
             .Default(false) ||
         (Name.starts_with("_ZSt") && Name.contains("__throw_"));
}

} // namespace

StringRef calleeOf(const Step &S, const CodeMap &Map) {
  switch (S.Kind) {
  case StepKind::Call:
  case StepKind::Jump:
    return S.Spot.IsAddress ? Map.calleeAt(S.Spot.Disp) : "";
  case StepKind::CallThrough:
    return S.Spot.IsAddress ? Map.calleeThrough(S.Spot.Disp) : "";
  default:
    return "";
  }
}

std::optional<uint64_t> ownCalleeOf(const Step &S, const CodeMap &Map) {
  if (!S.Spot.IsAddress)
    return std::nullopt;
  return S.Kind == StepKind::CallThrough ? Map.functionThrough(S.Spot.Disp)
                                         : Map.functionAt(S.Spot.Disp);
}

namespace {

class Builder {
public:
  Builder(MutableArrayRef<Step> Steps, const CodeFunction &Function,
          const CodeMap &Map)
      : Steps(Steps), Function(Function), Map(Map) {}

  ControlFlow build() {
    findLeaders();
    connect();
    orderBlocks();
    nameOwnPlaces(Steps, Flow);
    weigh();
    return std::move(Flow);
  }

private:
  MutableArrayRef<Step> Steps;
  const CodeFunction &Function;
  const CodeMap &Map;
  ControlFlow Flow;
  /// Offsets where blocks begin, sorted; the same number as blocks.
  std::vector<uint32_t> Leaders;
  /// What is jumped back to, which is aligned although other code runs into it.
  SmallDenseSet<uint32_t, 16> LoopStarts;
  /// Position in the current path of the search, from 1; 0 is "not on it".
  std::vector<uint32_t> PathPosition;

  std::optional<uint32_t> targetOf(const Step &S) const {
    if (S.Kind != StepKind::Jump && S.Kind != StepKind::Branch)
      return std::nullopt;
    uint64_t Offset = uint64_t(S.Spot.Disp) - Function.Range.Begin.Value;
    if (Offset >= Function.Bytes.size())
      return std::nullopt;
    return Offset;
  }

  bool isNoReturn(const Step &S) const {
    return (S.Kind == StepKind::Call || S.Kind == StepKind::CallThrough) &&
           (neverReturns(calleeOf(S, Map)) ||
            (S.PaddedTo && !LoopStarts.contains(S.PaddedTo)));
  }

  /// Compilers put a trap where a call does not come back, and where nothing is
  /// expected to come. What ends with a last call is of one instruction.
  bool isTrap(const Block &B) const {
    const Step &S = Steps[B.Last - 1];
    return S.Kind == StepKind::End && S.Dst == NoRegister &&
           (B.Last - B.First == 1 || Steps[B.Last - 2].Offset != S.Offset);
  }

  bool calls(const Block &B, bool (*Is)(StringRef Callee)) const {
    return any_of(Steps.slice(B.First, B.Last - B.First),
                  [&](const Step &S) { return Is(calleeOf(S, Map)); });
  }

  /// Whether the block ends with a look whether its last call gave EINTR, or
  /// left it in errno.
  bool asksForInterrupt(const Block &B) const {
    constexpr Register Result = 0; // rax and x0
    const Step *Call = nullptr, *Asked = nullptr;
    for (const Step &S : Steps.slice(B.First, B.Last - B.First)) {
      if (S.Kind == StepKind::Call || S.Kind == StepKind::CallThrough)
        Call = &S, Asked = nullptr;
      else if (S.Kind == StepKind::CompareValue)
        Asked = &S;
      else if (S.Kind == StepKind::Test || S.Kind == StepKind::Compare ||
               (definesDst(S.Kind) && S.Dst == Result))
        Asked = nullptr;
    }
    if (!Call || !Asked || Asked->Src != NoRegister ||
        Asked->Immediate != EINTR)
      return false;
    if (Asked->Dst == Result)
      return true;
    return Asked->Spot.Base == Result && Asked->Spot.Disp == 0 &&
           calleeOf(*Call, Map) == "__errno_location";
  }

  void findLeaders() {
    Leaders.push_back(0);
    for (const Step &S : Steps)
      if (std::optional<uint32_t> Target = targetOf(S);
          Target && *Target <= S.Offset)
        LoopStarts.insert(*Target);
    for (auto [I, S] : enumerate(Steps)) {
      if (std::optional<uint32_t> Target = targetOf(S))
        Leaders.push_back(*Target);
      // Steps of one instruction stay together.
      if ((endsBlock(S.Kind) || isNoReturn(S)) && I + 1 != Steps.size())
        Leaders.push_back(Steps[I + 1].Offset);
    }
    llvm::sort(Leaders);
    Leaders.erase(llvm::unique(Leaders), Leaders.end());
    size_t Position = 0;
    for (uint32_t Leader : Leaders) {
      while (Position != Steps.size() && Steps[Position].Offset < Leader)
        ++Position;
      if (!Flow.Blocks.empty())
        Flow.Blocks.back().Last = Position;
      Block B;
      B.First = B.Last = Position;
      Flow.Blocks.push_back(B);
    }
    Flow.Blocks.back().Last = Steps.size();
  }

  uint32_t blockAt(uint32_t Offset) const {
    return std::prev(llvm::upper_bound(Leaders, Offset)) - Leaders.begin();
  }

  void addEdge(uint32_t Source, uint32_t Target) {
    Block &B = Flow.Blocks[Source];
    if (is_contained(B.Successors, Target))
      return;
    B.Successors.push_back(Target);
    Flow.Blocks[Target].Predecessors.push_back(Source);
  }

  void connect() {
    SmallVector<uint32_t, 4> Switches;
    for (uint32_t I = 0; I != Flow.Blocks.size(); ++I) {
      Block &B = Flow.Blocks[I];
      bool FallsThrough = true;
      // A block can have no steps: nobody jumps out of it.
      if (B.First != B.Last) {
        const Step &S = Steps[B.Last - 1];
        if (std::optional<uint32_t> Target = targetOf(S))
          addEdge(I, blockAt(*Target));
        if (S.Kind == StepKind::IndirectJump)
          Switches.push_back(I);
        bool Returns = !isNoReturn(S) && !isTrap(B);
        FallsThrough =
            Returns && (!endsBlock(S.Kind) || S.Kind == StepKind::Branch);
        B.EndsProcess = !Returns;
        B.IsCold = !Returns || calls(B, facts::asksForFirst);
        B.WaitsForSignal = calls(B, facts::waitsForSignal);
        B.WaitsForTime = calls(B, facts::waitsForTime);
        if (S.Kind == StepKind::Branch && S.If != Condition::Other &&
            asksForInterrupt(B)) {
          if (S.If == Condition::NotZero)
            B.IfInterrupted = I + 1;
          else if (std::optional<uint32_t> Target = targetOf(S))
            B.IfInterrupted = blockAt(*Target);
        }
      }
      if (FallsThrough && I + 1 != Flow.Blocks.size())
        addEdge(I, I + 1);
    }
    for (uint32_t I = 0; I != Flow.Blocks.size(); ++I)
      Flow.Blocks[I].IsRoot = I == 0 || Flow.Blocks[I].Predecessors.empty();
    // Which case belongs to which switch is in tables of as many forms as there
    // are compilers. Cases of all switches of a function are taken together;
    // with many of both that would be quadratic, and the first switch stands
    // for all.
    if (!Switches.empty() && Switches.size() * Flow.Blocks.size() > 1 << 20)
      Switches.resize(1);
    for (uint32_t Case = 1; Case < Flow.Blocks.size(); ++Case)
      if (Flow.Blocks[Case].IsRoot && !Switches.empty()) {
        Flow.Blocks[Case].IsRoot = false;
        for (uint32_t Source : Switches) {
          Flow.Blocks[Source].Successors.push_back(Case);
          Flow.Blocks[Case].Predecessors.push_back(Source);
        }
      }
  }

  /// Weaves \p Header into the chain of headers around \p Owner, innermost
  /// first.
  void tagHeader(uint32_t Owner, std::optional<uint32_t> Header) {
    while (Header && Owner != *Header) {
      std::optional<uint32_t> &Around = Flow.Blocks[Owner].Loop;
      if (!Around) {
        Around = Header;
        return;
      }
      if (*Around == *Header)
        return;
      if (PathPosition[*Around] < PathPosition[*Header]) {
        uint32_t Outer = *Around;
        Around = Header;
        Owner = *Header;
        Header = Outer;
      } else {
        Owner = *Around;
      }
    }
  }

  void orderBlocks() {
    std::vector<Block> &Blocks = Flow.Blocks;
    PathPosition.assign(Blocks.size(), 0);
    std::vector<bool> Seen(Blocks.size());
    std::vector<uint32_t> PostOrder;
    struct Frame {
      uint32_t Block;
      uint32_t Next;
    };
    std::vector<Frame> Path;
    auto Enter = [&](uint32_t I) {
      Seen[I] = true;
      Path.push_back({I, 0});
      PathPosition[I] = Path.size();
    };
    auto Search = [&](uint32_t Source) {
      Enter(Source);
      while (!Path.empty()) {
        auto &[I, Next] = Path.back();
        if (Next == Blocks[I].Successors.size()) {
          PostOrder.push_back(I);
          PathPosition[I] = 0;
          std::optional<uint32_t> Loop = Blocks[I].Loop;
          Path.pop_back();
          if (!Path.empty())
            tagHeader(Path.back().Block, Loop);
          continue;
        }
        uint32_t Target = Blocks[I].Successors[Next++];
        if (!Seen[Target]) {
          Enter(Target);
        } else if (PathPosition[Target]) {
          Blocks[Target].IsHeader = true;
          tagHeader(I, Target);
        } else {
          // An edge into a loop that the search has left enters it beside its
          // header; the loops around it still hold the block.
          std::optional<uint32_t> Header = Blocks[Target].Loop;
          while (Header && !PathPosition[*Header])
            Header = Blocks[*Header].Loop;
          tagHeader(I, Header);
        }
      }
    };
    // From the last root: reverse post-order then begins with the entry, and
    // roots follow in the order of their addresses.
    for (uint32_t I = Blocks.size(); I-- != 0;)
      if (!Seen[I] && Blocks[I].IsRoot)
        Search(I);
    for (uint32_t I = Blocks.size(); I-- != 0;)
      if (!Seen[I]) // a cycle that nothing enters
        Search(I);
    Flow.Order.assign(PostOrder.rbegin(), PostOrder.rend());
    for (auto [Order, I] : enumerate(Flow.Order))
      Blocks[I].Order = Order;
  }

  bool isInLoop(uint32_t I, uint32_t Header) const {
    if (I == Header)
      return true;
    // Bounded: corrupt code can nest oddly, and a chain is as deep as loops.
    std::optional<uint32_t> Around = Flow.Blocks[I].Loop;
    for (unsigned Depth = 0; Around && Depth != 64; ++Depth) {
      if (*Around == Header)
        return true;
      Around = Flow.Blocks[*Around].Loop;
    }
    return false;
  }

  /// By header: whether any edge leaves the loop.
  std::vector<bool> findExits() const {
    ArrayRef<Block> Blocks = Flow.Blocks;
    std::vector<bool> HasExit(Blocks.size());
    for (uint32_t I = 0; I != Blocks.size(); ++I) {
      std::optional<uint32_t> Header = Blocks[I].IsHeader ? I : Blocks[I].Loop;
      for (unsigned Depth = 0; Header && Depth != 64; ++Depth) {
        if (any_of(Blocks[I].Successors,
                   [&](uint32_t Target) { return !isInLoop(Target, *Header); }))
          HasExit[*Header] = true;
        Header = Blocks[*Header].Loop;
      }
    }
    return HasExit;
  }

  /// How many loops the edge leaves. A way out of two at once is taken as often
  /// as the outer one ends.
  unsigned loopsLeft(uint32_t I, uint32_t Target) const {
    std::optional<uint32_t> Loop =
        Flow.Blocks[I].IsHeader ? I : Flow.Blocks[I].Loop;
    unsigned Left = 0;
    while (Loop && Left != 64 && !isInLoop(Target, *Loop)) {
      ++Left;
      Loop = Flow.Blocks[*Loop].Loop;
    }
    return Left;
  }

  /// Nothing runs into it from the block before.
  bool isOnlyJumpedTo(uint32_t I) const {
    return I != 0 && !Flow.Blocks[I].Predecessors.empty() &&
           !is_contained(Flow.Blocks[I].Predecessors, I - 1);
  }

  /// The last of the blocks from \p I that run into each other.
  uint32_t endOfRun(uint32_t I) const {
    while (I + 1 != Flow.Blocks.size() &&
           is_contained(Flow.Blocks[I].Successors, I + 1))
      ++I;
    return I;
  }

  /// Marks what stands behind an end of the function and all of whose ways out
  /// of its run go back before that end.
  void findOutOfLine() {
    std::optional<uint32_t> FunctionEnd;
    for (uint32_t I = 0; I != Flow.Blocks.size(); ++I) {
      Block &B = Flow.Blocks[I];
      if (FunctionEnd && isOnlyJumpedTo(I) && !B.IsRoot) {
        const Block &Last = Flow.Blocks[endOfRun(I)];
        auto IsBefore = [&](uint32_t Other) { return Other <= *FunctionEnd; };
        B.IsOutOfLine = all_of(B.Predecessors, IsBefore) &&
                        !Last.Successors.empty() &&
                        all_of(Last.Successors, IsBefore);
      }
      if (!FunctionEnd && B.Successors.empty() && !B.EndsProcess)
        FunctionEnd = I;
    }
  }

  /// What only leads to cold blocks is cold: compilers save registers between
  /// the test of a guard and the call that asks who is the first.
  void spreadCold() {
    for (uint32_t I : reverse(Flow.Order)) {
      Block &B = Flow.Blocks[I];
      B.IsCold |=
          !B.Successors.empty() && all_of(B.Successors, [&](uint32_t Target) {
            return Flow.Blocks[Target].Order > B.Order &&
                   Flow.Blocks[Target].IsCold;
          });
    }
  }

  /// Whether no turn of a loop avoids what waits for some time.
  bool isPaced(uint32_t Header) const {
    ArrayRef<Block> Blocks = Flow.Blocks;
    if (Blocks[Header].WaitsForTime)
      return true;
    std::vector<bool> Seen(Blocks.size());
    SmallVector<uint32_t, 16> Worklist{Header};
    while (!Worklist.empty())
      for (uint32_t Target : Blocks[Worklist.pop_back_val()].Successors) {
        if (Target == Header)
          return false;
        if (Seen[Target] || Blocks[Target].WaitsForTime ||
            !isInLoop(Target, Header))
          continue;
        Seen[Target] = true;
        Worklist.push_back(Target);
      }
    return true;
  }

  void slowPacedLoops() {
    std::vector<Block> &Blocks = Flow.Blocks;
    if (none_of(Blocks, [](const Block &B) { return B.WaitsForTime; }))
      return;
    for (uint32_t Header = 0; Header != Blocks.size(); ++Header) {
      if (!Blocks[Header].IsHeader || !isPaced(Header))
        continue;
      for (uint32_t I = 0; I != Blocks.size(); ++I)
        if (isInLoop(I, Header))
          Blocks[I].Frequency *= facts::PacedShare;
    }
  }

  /// Whether only a signal makes a block go on to \p Target: at once, or after
  /// a block that nothing else leads to.
  bool isForInterrupt(uint32_t I, uint32_t Target) const {
    const Block &B = Flow.Blocks[I];
    return B.IfInterrupted == Target ||
           (B.Predecessors.size() == 1 &&
            Flow.Blocks[B.Predecessors.front()].IfInterrupted == I);
  }

  /// Whether a loop goes round for other reasons than that a signal came.
  bool goesRound(uint32_t Header) const {
    return any_of(Flow.Blocks[Header].Predecessors, [&](uint32_t Last) {
      return isInLoop(Last, Header) && !isForInterrupt(Last, Header);
    });
  }

  void weigh() {
    std::vector<Block> &Blocks = Flow.Blocks;
    markOwnFlags(Steps, Flow);
    spreadCold();
    findOutOfLine();
    std::vector<bool> HasExit = findExits();
    for (uint32_t I : Flow.Order) {
      Block &B = Blocks[I];
      if (B.IsRoot)
        B.Frequency += I == 0 && !Function.IsCold ? 1 : ColdShare;
      if (B.IsHeader && HasExit[I] && goesRound(I))
        B.Frequency *= RoundsPerLoop;
      if (B.WaitsForSignal)
        B.Frequency *= ColdShare;
      B.Frequency = std::min(B.Frequency, MostOnTheWay);
      auto ShareOf = [&](uint32_t Target) {
        bool IsRare = Blocks[Target].IsCold || B.IfInterrupted == Target;
        return std::pow(1 / (RoundsPerLoop - 1), loopsLeft(I, Target)) *
               (IsRare                       ? ColdShare
                : Blocks[Target].IsOutOfLine ? OutOfLineShare
                                             : 1.0);
      };
      double Sum = 0;
      for (uint32_t Target : B.Successors)
        Sum += ShareOf(Target);
      for (uint32_t Target : B.Successors)
        // Executions that go back are in the header's rounds already.
        if (Blocks[Target].Order > B.Order)
          Blocks[Target].Frequency += B.Frequency * ShareOf(Target) / Sum;
    }
    for (Block &B : Blocks)
      B.Frequency = std::min(B.Frequency, MostExecutions);
    slowPacedLoops();
  }
};

} // namespace

bool neverReturns(const ControlFlow &Flow) {
  if (any_of(Flow.Blocks, [](const Block &B) { return B.IsHeader; }))
    return false;
  std::vector<bool> Seen(Flow.Blocks.size());
  SmallVector<uint32_t, 16> Worklist{0};
  Seen[0] = true;
  while (!Worklist.empty()) {
    const Block &B = Flow.Blocks[Worklist.pop_back_val()];
    if (B.Successors.empty() && !B.EndsProcess)
      return false;
    for (uint32_t Target : B.Successors)
      if (!Seen[Target]) {
        Seen[Target] = true;
        Worklist.push_back(Target);
      }
  }
  return true;
}

ControlFlow recoverControlFlow(MutableArrayRef<Step> Steps,
                               const CodeFunction &Function,
                               const CodeMap &Map) {
  return Builder(Steps, Function, Map).build();
}

} // namespace linesman::input
