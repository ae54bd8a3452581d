// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x86-64 instructions to steps.

#include "X86Steps.h"
#include "Disassembler.h"
#include "Padding.h"
#include "StepBuilder.h"
#include "X86Opcodes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace linesman::input {

namespace {

/// Legacy prefixes, which stand in front of an instruction in any order.
bool isPrefix(uint8_t Byte) {
  return is_contained(
      {0x26, 0x2e, 0x36, 0x3e, 0x64, 0x65, 0x66, 0x67, 0xf0, 0xf2, 0xf3}, Byte);
}

class X86Decoder : public StepDecoder, StepBuilder {
public:
  explicit X86Decoder(const CodeMap &Map)
      : StepBuilder(Map, RSP), LLVM(X86Triple),
        Tables(LLVM.instructions(), LLVM.names()) {}

  void decode(ArrayRef<uint8_t> Bytes, uint64_t Address,
              std::vector<Step> &Steps, DecodeTrouble &Trouble) override {
    Made = &Steps;
    HasTest = HasSwap = false;
    Exchange.reset();
    Constant.reset();
    bool HasLock = false, HasRepeat = false;
    uint64_t PrefixBytes = 0;
    MCInst Inst;
    for (uint64_t Location = 0; Location < Bytes.size();) {
      Inst.clear();
      uint64_t Length = 0;
      auto Status = LLVM.decoder().getInstruction(Inst, Length,
                                                  Bytes.drop_front(Location),
                                                  Address + Location, nulls());
      if (Status == MCDisassembler::Fail) {
        ++Trouble.Undecodable;
        // Whatever it is, it can have changed everything.
        Exchange.reset();
        add(Location, StepKind::Clobber).Clobbers = (1 << X86Registers) - 1;
        ++Location;
        HasLock = HasRepeat = false;
        PrefixBytes = 0;
        continue;
      }
      Length = std::max<uint64_t>(Length, 1);
      const X86Opcode &Info = Tables.opcode(Inst.getOpcode());
      switch (Info.Kind) {
      case X86Kind::LockPrefix:
        HasLock = true;
        PrefixBytes += Length;
        break;
      case X86Kind::RepeatPrefix:
        HasRepeat = true;
        PrefixBytes += Length;
        break;
      case X86Kind::OtherPrefix:
        PrefixBytes += Length;
        break;
      default:
        // Of string operations, and behind another one, LLVM takes it in.
        for (uint8_t Byte :
             Bytes.slice(Location, Length).take_while(isPrefix)) {
          HasLock |= Byte == 0xf0;
          HasRepeat |= Byte == 0xf2 || Byte == 0xf3;
        }
        // A prefix is part of the instruction: that is where jumps go.
        visit(Inst, Info, Location - PrefixBytes, Address + Location + Length,
              HasLock, HasRepeat);
        HasLock = HasRepeat = false;
        PrefixBytes = 0;
        if (Info.Kind == X86Kind::Call || Info.Kind == X86Kind::CallThrough)
          if (uint64_t Padding = paddingAt(Bytes, Location + Length, Address))
            Steps.back().PaddedTo = Location + Length + Padding;
      }
      Location += Length;
    }
  }

private:
  Disassembler LLVM;
  X86Tables Tables;
  /// The flags are those of the last Test.
  bool HasTest = false, HasSwap = false;
  /// An atomic access by its number, and the register that has what was there;
  /// while nothing has used or overwritten that.
  struct ExchangedRegister {
    size_t Step;
    Register Has;
  };
  std::optional<ExchangedRegister> Exchange;
  /// The last register that a number went to, and the number, while it is
  /// there.
  std::optional<std::pair<Register, int64_t>> Constant;

  Register registerOf(const MCOperand &Operand) const {
    unsigned R = Operand.getReg().id();
    return R < Tables.Registers.size() ? Tables.Registers[R] : NoRegister;
  }
  Register registerAt(const MCInst &Inst, unsigned I) const {
    return I < Inst.getNumOperands() && Inst.getOperand(I).isReg()
               ? registerOf(Inst.getOperand(I))
               : NoRegister;
  }
  /// The five operands of memory; nothing for an operand that is no number, or
  /// for a segment, unless that is all: a thread-local variable of a program.
  std::optional<Place> placeAt(const MCInst &Inst, int I, uint64_t Next) const {
    if (I < 0 || unsigned(I) + 5 > Inst.getNumOperands() ||
        !Inst.getOperand(I).isReg() || !Inst.getOperand(I + 1).isImm() ||
        !Inst.getOperand(I + 2).isReg() || !Inst.getOperand(I + 3).isImm() ||
        !Inst.getOperand(I + 4).isReg())
      return std::nullopt;
    MCRegister Base = Inst.getOperand(I).getReg();
    MCRegister Index = Inst.getOperand(I + 2).getReg();
    Place P;
    P.Disp = Inst.getOperand(I + 3).getImm();
    if (MCRegister Segment = Inst.getOperand(I + 4).getReg();
        Segment.isValid()) {
      // Variables are in front of where it points, what the C library keeps
      // for itself is behind; the first of that is the pointer itself.
      if (Base.isValid() && Constant &&
          Tables.Registers[Base.id()] == Constant->first) {
        P.Disp += Constant->second; // mov rax, -8; cmp fs:[rax], 0
        Base = MCRegister();
      }
      P.IsOwn = Segment.id() == Tables.Fs && !Base.isValid() &&
                !Index.isValid() && P.Disp <= 0;
      return P.IsOwn ? std::optional(P) : std::nullopt;
    }
    P.Shift = Log2_64(std::max<int64_t>(Inst.getOperand(I + 1).getImm(), 1));
    if (Base.id() == Tables.Rip) {
      P.IsAddress = true;
      P.Disp += Next;
      return P;
    }
    auto Known = [&](MCRegister R) -> Register {
      if (!R.isValid())
        return NoRegister;
      Register Number = Tables.Registers[R.id()];
      // EIZ and RIZ are no registers; vectors hold indices that differ.
      return Number == NoRegister ? UnknownRegister : Number;
    };
    P.Base = Known(Base);
    P.Index = Known(Index);
    P.IsAddress = Map.isAbsolute(P.Disp);
    return P;
  }

  /// The registers that it overwrites, a bit each.
  uint32_t definedBy(const MCInst &Inst, const X86Opcode &Info) const {
    uint32_t Mask = Info.ImplicitDefs;
    for (unsigned I = 0; I != Info.Defs; ++I)
      if (Register R = registerAt(Inst, I); R != NoRegister)
        Mask |= 1u << R;
    return Mask;
  }

  void visit(const MCInst &Inst, const X86Opcode &Info, uint64_t Offset,
             uint64_t Next, bool HasLock, bool HasRepeat);
  void visitMemory(const MCInst &Inst, const X86Opcode &Info, uint64_t Offset,
                   uint64_t Next, bool HasLock);
  void followExchanged(const MCInst &Inst, const X86Opcode &Info);
  void visitTest(const MCInst &Inst, const X86Opcode &Info, uint64_t Offset,
                 uint64_t Next);
  void compareValue(const MCInst &Inst, const X86Opcode &Info, uint64_t Offset,
                    uint64_t Next);
  void nameStored(Step &Store, const MCOperand &Value) const;
  void visitString(const X86Opcode &Info, uint64_t Offset, bool HasRepeat);
  void visitFlow(const MCInst &Inst, const X86Opcode &Info, uint64_t Offset,
                 uint64_t Next);
};

void X86Decoder::visitMemory(const MCInst &Inst, const X86Opcode &Info,
                             uint64_t Offset, uint64_t Next, bool HasLock) {
  if (Info.Memory < 0 || (!Info.Reads && !Info.Writes))
    return;
  std::optional<Place> Spot = placeAt(Inst, Info.Memory, Next);
  if (!Spot)
    return;
  using facts::AccessKind;
  if (HasLock || Info.Locks) {
    Step *S = addAccess(Offset, AccessKind::Atomic, *Spot, Info.Size);
    if (S && Info.Locks) {
      S->Src = registerAt(Inst, 0);
      Exchange = {Made->size() - 1, S->Src};
    }
    addSpill(Offset, *Spot, Info.Size);
    return;
  }
  if (Info.Reads)
    if (Step *S = addAccess(Offset, AccessKind::Read, *Spot, Info.Size);
        S && Info.IsLoad)
      S->Dst = registerAt(Inst, 0);
  if (!Info.Writes)
    return;
  Step *S = addAccess(Offset, AccessKind::Write, *Spot, Info.Size);
  if (S && Info.IsStore)
    nameStored(*S, Inst.getOperand(Info.Memory + 5));
  Register Src = Info.IsStore ? registerAt(Inst, Info.Memory + 5) : NoRegister;
  addSpill(Offset, *Spot, Info.Size, Src == NoRegister ? UnknownRegister : Src);
}

/// A store that all threads see in one order is an exchange, too: one whose
/// result the next one to name the register overwrites.
void X86Decoder::followExchanged(const MCInst &Inst, const X86Opcode &Info) {
  const Register Has = Exchange->Has;
  const MCInstrDesc &Is = LLVM.instructions().get(Inst.getOpcode());
  bool IsRead =
      any_of(seq<unsigned>(Info.Defs, Inst.getNumOperands()),
             [&](unsigned I) { return registerAt(Inst, I) == Has; }) ||
      any_of(Is.implicit_uses(), [&](MCPhysReg R) {
        return R < Tables.Registers.size() && Tables.Registers[R] == Has;
      });
  bool IsLost = definedBy(Inst, Info) >> Has & 1;
  switch (Info.Kind) {
  case X86Kind::Call:
  case X86Kind::CallRegister:
  case X86Kind::CallThrough:
    IsRead |= Has != RAX && Has != R10 && Has != R11;
    IsLost = true;
    break;
  case X86Kind::Return:
    IsRead |= Has == RAX || Has == RDX;
    IsLost = true;
    break;
  case X86Kind::Branch:
    // Who wants to know looks before it decides where to go on.
    break;
  default:
    // Elsewhere it may be used.
    IsRead |= Info.Kind > X86Kind::Call;
  }
  if (!IsRead && IsLost)
    (*Made)[Exchange->Step].IsStore = true;
  if (IsRead || IsLost)
    Exchange.reset();
}

void X86Decoder::nameStored(Step &Store, const MCOperand &Value) const {
  if (Value.isImm()) {
    Store.Src = NoRegister;
    Store.Immediate = Value.getImm();
  } else if (Value.isReg() && registerOf(Value) != NoRegister) {
    Store.Src = registerOf(Value);
  }
}

/// Flags that say whether something is zero: test rax, rax; cmp [x], 0.
void X86Decoder::visitTest(const MCInst &Inst, const X86Opcode &Info,
                           uint64_t Offset, uint64_t Next) {
  HasTest = false;
  if (!Info.MayTestZero || !Inst.getNumOperands())
    return;
  const MCOperand &Last = Inst.getOperand(Inst.getNumOperands() - 1);
  bool IsZero = Last.isImm() && Last.getImm() == 0;
  if (Info.ComparesPointer && !IsZero) {
    Step &C = add(Offset, StepKind::Compare);
    C.Dst = Inst.getNumOperands() > 1 ? registerAt(Inst, 0) : Register(RAX);
    C.Spot = Last.isImm() ? constant(Last.getImm()) : in(registerOf(Last));
    HasTest = true;
    return;
  }
  bool IsSame = Info.Memory < 0 && Inst.getNumOperands() == 2 && Last.isReg() &&
                Inst.getOperand(0).isReg() &&
                Last.getReg() == Inst.getOperand(0).getReg();
  // Only cmp has a use for zero, and only test for the same register.
  if (!IsZero && !IsSame) {
    if (Info.IsCompare)
      compareValue(Inst, Info, Offset, Next);
    return;
  }
  Step T;
  T.Kind = StepKind::Test;
  T.Offset = Offset;
  if (Info.Memory >= 0) {
    std::optional<Place> Spot = placeAt(Inst, Info.Memory, Next);
    if (!Spot)
      return;
    T.Spot = *Spot;
  } else if (T.Dst = registerAt(Inst, 0); T.Dst == NoRegister) {
    return;
  }
  Made->push_back(T);
  HasTest = true;
}

/// cmp [x], edx; cmp eax, [x]; cmp eax, edx; cmp [x], 5.
void X86Decoder::compareValue(const MCInst &Inst, const X86Opcode &Info,
                              uint64_t Offset, uint64_t Next) {
  Step C;
  C.Kind = StepKind::CompareValue;
  C.Offset = Offset;
  unsigned Last = Inst.getNumOperands() - 1;
  if (Info.Memory >= 0) {
    std::optional<Place> Spot = placeAt(Inst, Info.Memory, Next);
    if (!Spot)
      return;
    C.Spot = *Spot;
    nameStored(C, Inst.getOperand(Info.Memory == 0 ? Last : 0));
  } else if (C.Dst = Last ? registerAt(Inst, 0) : Register(RAX);
             C.Dst == NoRegister) {
    return;
  } else {
    nameStored(C, Inst.getOperand(Last));
  }
  Made->push_back(C);
  HasTest = true;
}

void X86Decoder::visitString(const X86Opcode &Info, uint64_t Offset,
                             bool HasRepeat) {
  using facts::AccessKind;
  Register Count = HasRepeat ? Register(RCX) : NoRegister;
  bool UsesSource = Info.Kind == X86Kind::StringMove ||
                    Info.Kind == X86Kind::StringLoad ||
                    Info.Kind == X86Kind::StringCompare;
  bool Stores =
      Info.Kind == X86Kind::StringMove || Info.Kind == X86Kind::StringStore;
  uint32_t Changed = HasRepeat ? 1 << RCX : 0;
  if (UsesSource) {
    addAccess(Offset, AccessKind::Read, in(RSI), Info.Size, Count);
    Changed |= 1 << RSI;
  }
  if (Info.Kind == X86Kind::StringLoad) {
    Changed |= 1 << RAX;
  } else {
    addAccess(Offset, Stores ? AccessKind::Write : AccessKind::Read, in(RDI),
              Info.Size, Count);
    Changed |= 1 << RDI;
  }
  add(Offset, StepKind::Clobber).Clobbers = Changed;
}

void X86Decoder::visitFlow(const MCInst &Inst, const X86Opcode &Info,
                           uint64_t Offset, uint64_t Next) {
  auto Target = [&] {
    Place P;
    if (Inst.getNumOperands() && Inst.getOperand(0).isImm()) {
      P.IsAddress = true;
      P.Disp = Inst.getOperand(0).getImm() + Next;
    }
    return P;
  };
  auto AddCall = [&](StepKind Kind) {
    Step &S = add(Offset, Kind);
    S.Clobbers = CallerSaved;
    if (std::optional<Place> Spot = placeAt(Inst, 0, Next))
      S.Spot = *Spot;
  };
  switch (Info.Kind) {
  case X86Kind::Call:
  case X86Kind::CallRegister: {
    Step &S = add(Offset, StepKind::Call);
    S.Clobbers = CallerSaved;
    S.Spot = Target();
    if (Info.Kind == X86Kind::CallRegister)
      S.Dst = registerAt(Inst, 0);
    break;
  }
  case X86Kind::CallThrough:
    visitMemory(Inst, Info, Offset, Next, /*HasLock=*/false);
    AddCall(StepKind::CallThrough);
    break;
  case X86Kind::Jump:
    add(Offset, StepKind::Jump).Spot = Target();
    break;
  case X86Kind::Branch: {
    Step &S = add(Offset, StepKind::Branch);
    S.Spot = Target();
    if ((HasTest || HasSwap) && Inst.getNumOperands() == 2 &&
        Inst.getOperand(1).isImm()) {
      const int64_t Code = Inst.getOperand(1).getImm();
      (HasTest ? S.If : S.IfSwapped) = x86Condition(Code);
      if (HasTest)
        S.IfSign = x86SignCondition(Code);
    }
    break;
  }
  case X86Kind::JumpThrough:
    visitMemory(Inst, Info, Offset, Next, /*HasLock=*/false);
    if (std::optional<Place> Spot = placeAt(Inst, 0, Next);
        Spot && Spot->Index == NoRegister && Spot->IsAddress) {
      // A tail call of a library's function.
      AddCall(StepKind::CallThrough);
      add(Offset, StepKind::End);
    } else {
      Step &S = add(Offset, StepKind::IndirectJump);
      if (Spot)
        S.Spot = *Spot;
    }
    break;
  case X86Kind::JumpRegister:
    add(Offset, StepKind::IndirectJump).Dst = registerAt(Inst, 0);
    break;
  case X86Kind::Return:
    add(Offset, StepKind::End).Dst = RAX;
    break;
  default:
    add(Offset, StepKind::End);
  }
}

void X86Decoder::visit(const MCInst &Inst, const X86Opcode &Info,
                       uint64_t Offset, uint64_t Next, bool HasLock,
                       bool HasRepeat) {
  auto Immediate = [&]() -> std::optional<int64_t> {
    unsigned Last = Inst.getNumOperands() - 1;
    if (!Inst.getNumOperands() || !Inst.getOperand(Last).isImm())
      return std::nullopt;
    return Inst.getOperand(Last).getImm();
  };
  if (Info.SetsFlags) {
    HasTest = false;
    HasSwap = HasLock && Info.Swaps;
  }
  if (Exchange)
    followExchanged(Inst, Info);
  // add rax, imm32 names no register.
  Register Dst = registerAt(Inst, 0);
  if (Dst == NoRegister && Info.Memory < 0)
    Dst = RAX;

  // What runs behind a call or a jump may have come another way.
  if (Constant && (Info.Kind >= X86Kind::Call ||
                   definedBy(Inst, Info) >> Constant->first & 1))
    Constant.reset();
  switch (Info.Kind) {
  case X86Kind::Lea:
    if (std::optional<Place> Spot = placeAt(Inst, Info.Memory, Next)) {
      assign(Offset, StepKind::Add, Dst, *Spot);
      return;
    }
    break;
  case X86Kind::Move:
    if (Register Src = registerAt(Inst, 1); Src != NoRegister) {
      assign(Offset, StepKind::Add, Dst, in(Src));
      return;
    }
    break;
  case X86Kind::MoveLowPart:
    if (Register Src = registerAt(Inst, 1);
        Src != NoRegister && Dst != NoRegister && Dst != RSP) {
      Step &S = add(Offset, StepKind::Clobber);
      S.Clobbers = 1u << Dst;
      S.Src = Src;
      return;
    }
    break;
  case X86Kind::MoveImmediate:
    if (std::optional<int64_t> Number = Immediate()) {
      assign(Offset, StepKind::Add, Dst, constant(*Number));
      if (Dst < MostRegisters)
        Constant = {Dst, *Number};
      return;
    }
    break;
  case X86Kind::AddMemory:
    if (std::optional<Place> Spot = placeAt(Inst, Info.Memory, Next);
        Spot && Spot->IsAddress && Spot->Base == NoRegister &&
        Spot->Index == NoRegister && Map.isConstant(Spot->Disp))
      if (std::optional<uint64_t> Pointer = Map.pointerAt(Spot->Disp)) {
        Place P = in(Dst, *Pointer);
        P.IsAddress = true;
        assign(Offset, StepKind::Add, Dst, P);
        return;
      }
    break;
  case X86Kind::Load:
    if (std::optional<Place> Spot = placeAt(Inst, Info.Memory, Next)) {
      visitMemory(Inst, Info, Offset, Next, HasLock);
      assign(Offset, StepKind::Load, Dst, *Spot);
      return;
    }
    break;
  case X86Kind::ConditionalMove:
    if (Register Src = registerAt(Inst, 2); Src != NoRegister) {
      assign(Offset, StepKind::Select, Dst, in(Src));
      return;
    }
    break;
  case X86Kind::AddImmediate:
  case X86Kind::SubImmediate:
    if (std::optional<int64_t> Number = Immediate()) {
      Place Sum = Info.Kind == X86Kind::AddImmediate
                      ? constant(*Number)
                      : in(Dst, int64_t(-uint64_t(*Number)));
      Sum.Base = Dst;
      assign(Offset, StepKind::Add, Dst, Sum);
      return;
    }
    break;
  case X86Kind::AddRegister:
  case X86Kind::SubRegister:
    if (Register Src = registerAt(Inst, 2); Src != NoRegister) {
      Place Sum{.Base = Dst, .Index = Src};
      Info.Kind == X86Kind::AddRegister
          ? assign(Offset, StepKind::Add, Dst, Sum)
          : subtract(Offset, Dst, Sum);
      return;
    }
    break;
  case X86Kind::Pause:
    add(Offset, StepKind::Pause);
    return;
  case X86Kind::ShiftLeft:
    if (uint64_t Step = Immediate().value_or(1); Step < MostShift) {
      Place Product;
      Product.Index = Dst;
      Product.Shift = Step;
      assign(Offset, StepKind::Add, Dst, Product);
      return;
    }
    break;
  case X86Kind::Multiply:
    if (int64_t Step = Immediate().value_or(0);
        Step > 0 && Step < 1 << MostShift) {
      Place Product;
      Product.Index = registerAt(Inst, 1);
      Product.Times = Step;
      assign(Offset, StepKind::Add, Dst, Product);
      return;
    }
    break;
  case X86Kind::Push: {
    visitMemory(Inst, Info, Offset, Next, HasLock);
    Register Src = Info.Memory < 0 ? registerAt(Inst, 0) : NoRegister;
    // Others are saved for the caller.
    if (Src == NoRegister || CallerSaved >> Src & 1)
      addSpill(Offset, in(RSP, -8), 8,
               Src == NoRegister ? UnknownRegister : Src);
    setStack(Offset, in(RSP, -8));
    return;
  }
  case X86Kind::Pop:
    assign(Offset, StepKind::Load, Dst, in(RSP));
    setStack(Offset, in(RSP, 8));
    return;
  case X86Kind::Leave:
    setStack(Offset, in(RBP, 8));
    add(Offset, StepKind::Clobber).Clobbers = 1 << RBP;
    return;
  case X86Kind::Zero:
    if (Dst != NoRegister && Dst == registerAt(Inst, 2)) {
      assign(Offset, StepKind::Add, Dst, constant(0));
      return;
    }
    break;
  case X86Kind::Increment:
    assign(Offset, StepKind::Add, Dst, in(Dst, 1));
    return;
  case X86Kind::Decrement:
    assign(Offset, StepKind::Add, Dst, in(Dst, -1));
    return;
  case X86Kind::StringMove:
  case X86Kind::StringStore:
  case X86Kind::StringLoad:
  case X86Kind::StringCompare:
  case X86Kind::StringScan:
    visitString(Info, Offset, HasRepeat);
    return;
  default:
    if (Info.Kind >= X86Kind::Call) {
      visitFlow(Inst, Info, Offset, Next);
      return;
    }
  }
  visitMemory(Inst, Info, Offset, Next, HasLock);
  if (std::optional<Place> Spot = Info.IsLoad && Dst != NoRegister
                                      ? placeAt(Inst, Info.Memory, Next)
                                      : std::nullopt;
      Spot && Spot->Base != RSP) {
    // A number, which may be a thread's.
    assign(Offset, StepKind::Load, Dst, *Spot);
    Made->back().Size = Info.Size;
  } else {
    clobber(Offset, definedBy(Inst, Info));
  }
  if (Info.SetsFlags)
    visitTest(Inst, Info, Offset, Next);
}

} // namespace

std::unique_ptr<StepDecoder> createX86Decoder(const CodeMap &Map) {
  return std::make_unique<X86Decoder>(Map);
}

} // namespace linesman::input
