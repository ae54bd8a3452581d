// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From steps to blocks and loops; BlockFrequencies.cpp weighs them.
//
// Loops: one depth-first search that finds the innermost header of each block,
// also of irreducible loops (Wei, Mao, Zou, Chen: "A New Algorithm for
// Identifying Loops in Decompilation", SAS 2007).

#include "ControlFlow.h"
#include "BlockFrequencies.h"
#include "CallOutcomes.h"
#include "OwnFlags.h"
#include "SwitchTables.h"
#include "linesman/Facts/KnownThreads.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace linesman::input {

namespace {

/// Of one function: each is a walk over its steps. Where there are more, the
/// function is an interpreter's or damaged.
constexpr size_t MostSwitches = 256;
/// Of all switches of a function.
constexpr size_t MostCases = 1 << 16;

bool endsBlock(StepKind Kind) {
  return Kind == StepKind::Jump || Kind == StepKind::Branch ||
         Kind == StepKind::IndirectJump || Kind == StepKind::End;
}

/// Names that are called when there is no way back.
bool neverReturns(StringRef Name) {
  static constexpr StringLiteral Names[] = {
      "_Exit",
      "_Unwind_Resume",
      "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE",
      "_ZSt9terminatev",
      "__assert",
      "__assert_fail",
      "__assert_perror_fail",
      "__chk_fail",
      "__clang_call_terminate",
      "__cxa_bad_cast",
      "__cxa_bad_typeid",
      "__cxa_pure_virtual",
      "__cxa_rethrow",
      "__cxa_throw",
      "__cxa_throw_bad_array_new_length",
      "__longjmp_chk",
      "__stack_chk_fail",
      "_exit",
      "abort",
      "exit",
      "g_abort",
      "g_assertion_message",
      "g_assertion_message_cmpnum",
      "g_assertion_message_cmpstr",
      "g_assertion_message_error",
      "g_assertion_message_expr",
      "g_thread_exit",
      "longjmp",
      "pthread_exit",
      "quick_exit",
      "siglongjmp",
      "thrd_exit"};
  return is_contained(Names, Name) ||
         (Name.starts_with("_ZSt") && Name.contains("__throw_"));
}

/// The same of a library's functions; a program may have one of its own that is
/// called so.
bool libraryNeverReturns(StringRef Name) {
  return StringSwitch<bool>(Name)
      .Cases({"err", "errx", "verr", "verrx"}, true)
      .Default(false);
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
    weighBlocks(Steps, Flow, Function.IsCold);
    return std::move(Flow);
  }

private:
  MutableArrayRef<Step> Steps;
  const CodeFunction &Function;
  const CodeMap &Map;
  ControlFlow Flow;
  /// Offsets where blocks begin, sorted; the same number as blocks.
  std::vector<uint32_t> Leaders;
  /// Of switches, by the position of their jump: where the cases begin.
  SmallDenseMap<size_t, SmallVector<uint32_t, 8>, 4> Cases;
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

  bool isOfLibrary(const Step &S) const { return !ownCalleeOf(S, Map); }

  bool isNoReturn(const Step &S) const {
    return (S.Kind == StepKind::Call || S.Kind == StepKind::CallThrough) &&
           (neverReturns(calleeOf(S, Map)) ||
            (isOfLibrary(S) && libraryNeverReturns(calleeOf(S, Map))) ||
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

  /// Also in a function that only does that.
  bool waitsForTime(const Block &B) const {
    return any_of(Steps.slice(B.First, B.Last - B.First), [&](const Step &S) {
      if (S.Kind != StepKind::Call && S.Kind != StepKind::CallThrough)
        return false;
      std::optional<uint64_t> Own = ownCalleeOf(S, Map);
      return facts::waitsForTime(calleeOf(S, Map)) || (Own && Map.sleeps(*Own));
    });
  }

  bool pauses(const Block &B) const {
    return any_of(Steps.slice(B.First, B.Last - B.First),
                  [](const Step &S) { return S.Kind == StepKind::Pause; });
  }

  bool namesStderr(const Block &B) const {
    return any_of(Steps.slice(B.First, B.Last - B.First), [&](const Step &S) {
      return S.Spot.IsAddress && S.Spot.Base == NoRegister &&
             S.Spot.Index == NoRegister &&
             (S.Kind == StepKind::Access || S.Kind == StepKind::Add ||
              S.Kind == StepKind::Load) &&
             Map.variableAt(S.Spot.Disp).split('@').first == "stderr";
    });
  }

  void findLeaders() {
    Leaders.push_back(0);
    for (const Step &S : Steps)
      if (std::optional<uint32_t> Target = targetOf(S);
          Target && *Target <= S.Offset)
        LoopStarts.insert(*Target);
    size_t CaseCount = 0;
    for (auto [I, S] : enumerate(Steps)) {
      if (std::optional<uint32_t> Target = targetOf(S))
        Leaders.push_back(*Target);
      if (S.Kind == StepKind::IndirectJump && Cases.size() != MostSwitches &&
          CaseCount < MostCases) {
        Cases[I] = readSwitch(Steps, I, Function, Map);
        append_range(Leaders, Cases[I]);
        CaseCount += Cases[I].size();
      }
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

  /// For an edge that is not there yet.
  void link(uint32_t Source, uint32_t Target) {
    Flow.Blocks[Source].Successors.push_back(Target);
    Flow.Blocks[Target].Predecessors.push_back(Source);
  }

  /// A bug report's end: kill(getpid(), SIGSEGV).
  bool signalsItself(const Block &B) const {
    const bool Raises =
        any_of(Steps.slice(B.First, B.Last - B.First), [&](const Step &S) {
          return facts::raisesSignal(calleeOf(S, Map)) && isOfLibrary(S);
        });
    return Raises ||
           (calls(B, facts::sendsSignal) && calls(B, facts::asksForProcess));
  }

  void addEdge(uint32_t Source, uint32_t Target) {
    if (!is_contained(Flow.Blocks[Source].Successors, Target))
      link(Source, Target);
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
        if (S.Kind == StepKind::IndirectJump) {
          // They differ: nothing has to be looked for among thousands.
          ArrayRef<uint32_t> Known = Cases[B.Last - 1];
          for (uint32_t Case : Known)
            link(I, blockAt(Case));
          B.Cases = Known.size();
          if (Known.empty())
            Switches.push_back(I);
        }
        bool Returns = !isNoReturn(S) && !isTrap(B);
        FallsThrough =
            Returns && (!endsBlock(S.Kind) || S.Kind == StepKind::Branch);
        B.EndsProcess = !Returns;
        B.SignalsItself = signalsItself(B);
        B.IsCold = !Returns || B.SignalsItself || calls(B, facts::asksForFirst);
        B.WaitsForSignal = calls(B, facts::waitsForSignal);
        B.WaitsForTime = waitsForTime(B);
        B.Spins = pauses(B) || calls(B, facts::yields);
        B.ReportsError = calls(B, facts::reportsError) ||
                         (calls(B, facts::writesToStream) && namesStderr(B));
        auto SuccessorIf = [&](bool IsTaken) -> std::optional<uint32_t> {
          std::optional<uint32_t> Target = targetOf(S);
          return !IsTaken ? I + 1 : Target ? blockAt(*Target) : Target;
        };
        const ArrayRef<Step> OfBlock = Steps.slice(B.First, B.Last - B.First);
        if (std::optional<bool> IsTaken = isTakenIfInterrupted(OfBlock, Map))
          B.IfInterrupted = SuccessorIf(*IsTaken);
        if (std::optional<bool> IsTaken = isTakenIfFailed(OfBlock, Map))
          B.IfFailed = SuccessorIf(*IsTaken);
        if (S.Kind == StepKind::Branch && S.IfSwapped != Condition::Other)
          B.IfContended = SuccessorIf(S.IfSwapped == Condition::NotZero);
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
        for (uint32_t Source : Switches)
          link(Source, Case);
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
    if (B.SignalsItself)
      continue;
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
