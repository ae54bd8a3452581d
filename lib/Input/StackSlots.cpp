// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk over the blocks says where in the frame the stack and the frame
// pointer are; a second one over the accesses there, which slots are whole.

#include "StackSlots.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace llvm;

namespace linesman::input {

namespace {

constexpr int64_t SlotSize = 8;

/// Distances from the stack pointer at the entry; nothing where not known.
struct Frame {
  std::optional<int64_t> Stack, Pointer;

  friend bool operator==(const Frame &, const Frame &) = default;
};

class Namer {
public:
  Namer(MutableArrayRef<Step> Steps, const ControlFlow &Flow,
        const Architecture &Arch, const CodeMap &Map)
      : Steps(Steps), Flow(Flow), Map(Map), Stack(Arch.stackPointer()),
        FramePointer(Arch.framePointer()), CallerSaved(Arch.callerSaved()) {}

  unsigned run() {
    // Most functions only save registers for their callers.
    auto IsOwn = [&](Register R) {
      return R < MostRegisters && CallerSaved >> R & 1;
    };
    bool MayHaveSlots = any_of(Steps, [&](const Step &S) {
      return S.Kind == StepKind::Reload ? IsOwn(S.Dst)
             : S.Kind == StepKind::Spill
                 ? IsOwn(S.Src) && S.Size == SlotSize
                 : S.Kind == StepKind::Load && S.Spot.Base == FramePointer;
    });
    if (MayHaveSlots) {
      follow();
      forEach([&](Step &S, const Frame &F) { look(S, F); });
      choose();
    }
    if (Count)
      forEach([&](Step &S, const Frame &F) { rewrite(S, F); });
    return Count;
  }

private:
  MutableArrayRef<Step> Steps;
  const ControlFlow &Flow;
  const CodeMap &Map;
  const Register Stack, FramePointer;
  const uint32_t CallerSaved;
  /// By block; nothing of those that the entry does not reach.
  std::vector<std::optional<Frame>> AtStart;

  struct Slot {
    bool IsStored = false, IsLoaded = false;
    /// Saves one register for the caller: the same that is loaded.
    std::optional<Register> Saves;
    bool IsSave = true;
    Register Number = NoRegister;
  };
  std::map<int64_t, Slot> Slots;
  /// Stores that are no plain ones, by begin and end.
  SmallVector<std::pair<int64_t, int64_t>, 8> Others;
  /// The lowest address that is taken: what is above may be reached from it.
  int64_t LowestTaken = INT64_MAX;
  unsigned Count = 0;

  std::optional<int64_t> baseOf(Register R, const Frame &F) const {
    if (R == Stack)
      return F.Stack;
    if (R == FramePointer)
      return F.Pointer;
    return std::nullopt;
  }
  std::optional<int64_t> addressOf(const Place &Spot, const Frame &F) const {
    std::optional<int64_t> Start = baseOf(Spot.Base, F);
    if (!Start || Spot.IsAddress)
      return std::nullopt;
    return *Start + Spot.Disp;
  }

  void move(const Step &S, Frame &F) const {
    if (S.Kind == StepKind::SetStack) {
      F.Stack =
          S.Spot.Index == NoRegister ? addressOf(S.Spot, F) : std::nullopt;
      return;
    }
    if (S.Kind == StepKind::Add && S.Dst == FramePointer) {
      F.Pointer = S.Spot.Base == Stack && S.Spot.Index == NoRegister
                      ? addressOf(S.Spot, F)
                      : std::nullopt;
      return;
    }
    bool Changes = S.Kind == StepKind::Load || S.Kind == StepKind::Reload ||
                   S.Kind == StepKind::Select;
    if ((Changes && S.Dst == FramePointer) ||
        (S.Kind == StepKind::Clobber && S.Clobbers >> FramePointer & 1))
      F.Pointer.reset();
  }

  ArrayRef<Step> stepsOf(const Block &B) const {
    return Steps.slice(B.First, B.Last - B.First);
  }

  void follow() {
    AtStart.resize(Flow.Blocks.size());
    AtStart[0] = Frame{0, std::nullopt};
    // Callers come first but for loops, which leave the frame as it is.
    SmallVector<uint32_t, 16> Worklist{0};
    while (!Worklist.empty()) {
      uint32_t I = Worklist.pop_back_val();
      Frame F = *AtStart[I];
      for (const Step &S : stepsOf(Flow.Blocks[I]))
        move(S, F);
      for (uint32_t Target : Flow.Blocks[I].Successors) {
        std::optional<Frame> &Known = AtStart[Target];
        Frame Common = Known.value_or(F);
        if (Common.Stack != F.Stack)
          Common.Stack.reset();
        if (Common.Pointer != F.Pointer)
          Common.Pointer.reset();
        if (Known == Common)
          continue;
        Known = Common;
        Worklist.push_back(Target);
      }
    }
  }

  template <typename Visitor> void forEach(Visitor Visit) {
    for (auto [I, B] : enumerate(Flow.Blocks)) {
      Frame F;
      if (I < AtStart.size() && AtStart[I])
        F = *AtStart[I];
      for (Step &S : Steps.slice(B.First, B.Last - B.First)) {
        // A rewritten step moves nothing any more.
        Frame Before = F;
        move(S, F);
        Visit(S, Before);
      }
    }
  }

  void take(const Place &Spot, const Frame &F) {
    for (Register R : {Spot.Base, Spot.Index})
      if (std::optional<int64_t> Start = baseOf(R, F))
        LowestTaken = std::min(LowestTaken, *Start + Spot.Disp);
  }

  void store(const Step &S, int64_t Offset) {
    // A spill names a register, where it stores one.
    bool IsNumber = S.Kind == StepKind::Access && S.Src == NoRegister;
    if (S.Size != SlotSize || (S.Src >= MostRegisters && !IsNumber)) {
      Others.push_back({Offset, S.Size ? Offset + S.Size : INT64_MAX});
      return;
    }
    Slot &Known = Slots[Offset];
    Known.IsStored = true;
    Known.IsSave &= !IsNumber && (!Known.Saves || *Known.Saves == S.Src) &&
                    !(CallerSaved >> S.Src & 1);
    Known.Saves = S.Src;
    // The frame's address is somewhere else from now on.
    if (S.Src == Stack)
      LowestTaken = INT64_MIN;
  }

  void look(const Step &S, const Frame &F) {
    std::optional<int64_t> Offset = addressOf(S.Spot, F);
    switch (S.Kind) {
    case StepKind::Spill:
    case StepKind::Access:
      if (S.Spot.Index != NoRegister)
        take(S.Spot, F);
      else if (Offset && (S.Kind == StepKind::Spill ||
                          S.Access != facts::AccessKind::Read))
        store(S, *Offset);
      break;
    case StepKind::Reload:
    case StepKind::Load:
      if (S.Spot.Index == NoRegister && Offset &&
          (!S.Size || S.Size == SlotSize)) {
        Slot &Known = Slots[*Offset];
        Known.IsLoaded = true;
        Known.IsSave &= !Known.Saves || *Known.Saves == S.Dst;
        Known.Saves = S.Dst;
      }
      break;
    case StepKind::Add:
    case StepKind::Select:
      if (!(S.Dst == FramePointer && S.Spot.Base == Stack))
        take(S.Spot, F);
      break;
    default:
      break;
    }
  }

  void choose() {
    for (auto &[Word, Known] : Slots) {
      bool IsPart =
          any_of(Others, [Word = Word](std::pair<int64_t, int64_t> O) {
            return O.first < Word + SlotSize && Word < O.second;
          });
      auto Next = Slots.upper_bound(Word);
      auto Same = Slots.find(Word);
      bool IsWhole =
          !IsPart && Word < LowestTaken &&
          (Next == Slots.end() || Next->first >= Word + SlotSize) &&
          (Same == Slots.begin() || std::prev(Same)->first + SlotSize <= Word);
      if (IsWhole && Known.IsStored && Known.IsLoaded && !Known.IsSave &&
          Count != MostSlots)
        Known.Number = FirstSlot + Count++;
    }
  }

  Register slotAt(const Place &Spot, const Frame &F) const {
    std::optional<int64_t> Address = addressOf(Spot, F);
    if (!Address || Spot.Index != NoRegister)
      return NoRegister;
    auto It = Slots.find(*Address);
    return It == Slots.end() ? NoRegister : It->second.Number;
  }

  void copy(Step &S, Register Dst, Register Src) const {
    S.Kind = StepKind::Add;
    S.Dst = Dst;
    S.Spot = Place();
    S.Spot.Base = Src;
    if (Src == NoRegister) {
      S.Spot.Disp = S.Immediate;
      S.Spot.IsAddress = Map.isAbsolute(S.Spot.Disp);
    }
  }

  void rewrite(Step &S, const Frame &F) const {
    bool Stores =
        S.Kind == StepKind::Spill ||
        (S.Kind == StepKind::Access && S.Access != facts::AccessKind::Read);
    bool Loads = S.Kind == StepKind::Reload ||
                 (S.Kind == StepKind::Load && (!S.Size || S.Size == SlotSize));
    Register Named = Stores || Loads ? slotAt(S.Spot, F) : NoRegister;
    if (Stores && Named != NoRegister)
      return copy(S, Named, S.Src);
    if (Loads && Named != NoRegister)
      copy(S, S.Dst, Named);
  }
};

} // namespace

unsigned nameStackSlots(MutableArrayRef<Step> Steps, const ControlFlow &Flow,
                        const Architecture &Arch, const CodeMap &Map) {
  return Namer(Steps, Flow, Arch, Map).run();
}

} // namespace linesman::input
