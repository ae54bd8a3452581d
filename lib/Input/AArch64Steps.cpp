// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AArch64 instructions to steps.
//
//     adrp x8, counter             Add     x8 = 0x11000 (an address)
//     add  x8, x8, :lo12:counter   Add     x8 = x8 + 0x40
//   1:ldaxr w9, [x8]               Access  atomic 4 at x8; Clobber w9
//     add  w9, w9, #1              Add     x9 = x9 + 1
//     stlxr w10, w9, [x8]          Clobber w10
//     cbnz w10, 1b                 nothing: the loop is the atomic operation
//
// A load and a store exclusive are one atomic operation, at the load. A load
// exclusive that no store follows is a read.

#include "AArch64Steps.h"
#include "Disassembler.h"
#include "StepBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using support::endian::read32le;

namespace linesman::input {

namespace {

/// What dc zva clears on all processors that we know of (DCZID_EL0 says).
constexpr uint32_t ZeroedBytes = 64;

class AArch64Decoder : public StepDecoder, StepBuilder {
public:
  AArch64Decoder(const AArch64Tables &Tables, const CodeMap &Map)
      : StepBuilder(Map, StackPointer), LLVM(AArch64Triple, AArch64Features),
        Tables(Tables) {}

  void decode(ArrayRef<uint8_t> Bytes, uint64_t Address,
              std::vector<Step> &Steps, DecodeTrouble &Trouble) override {
    Made = &Steps;
    Exclusive.reset();
    Retry.reset();
    HasCompare = false;
    MCInst Inst;
    for (uint64_t Location = 0; Location < Bytes.size();
         Location += InstructionSize) {
      Inst.clear();
      uint64_t Length = 0;
      auto Status = LLVM.decoder().getInstruction(Inst, Length,
                                                  Bytes.drop_front(Location),
                                                  Address + Location, nulls());
      if (Status == MCDisassembler::Fail) {
        Trouble.Undecodable +=
            std::min<uint64_t>(InstructionSize, Bytes.size() - Location);
        // Whatever it is, it can have changed everything.
        clobber(Location, (1u << AArch64Registers) - 1);
        continue;
      }
      visit(Inst, Tables.Opcodes[Inst.getOpcode()], Location,
            Address + Location);
    }
  }

private:
  Disassembler LLVM;
  const AArch64Tables &Tables;
  /// A load exclusive that waits for its store, and its access: of the stack
  /// there is none.
  struct WaitingLoad {
    std::optional<size_t> Access;
    uint64_t Instruction;
  };
  std::optional<WaitingLoad> Exclusive;
  /// Where a store exclusive says whether it failed, and where its load is.
  struct FailedStore {
    Register Status;
    uint64_t LoadAt;
  };
  std::optional<FailedStore> Retry;
  /// The flags are those of the last Compare or CompareValue.
  bool HasCompare = false;

  Register registerAt(const MCInst &Inst, unsigned I) const {
    if (I >= Inst.getNumOperands() || !Inst.getOperand(I).isReg())
      return UnknownRegister;
    unsigned R = Inst.getOperand(I).getReg().id();
    return R < Tables.Registers.size() ? Tables.Registers[R] : UnknownRegister;
  }
  static int64_t numberAt(const MCInst &Inst, unsigned I) {
    return I < Inst.getNumOperands() && Inst.getOperand(I).isImm()
               ? Inst.getOperand(I).getImm()
               : 0;
  }
  /// Distances in code count instructions.
  static uint64_t target(const MCInst &Inst, uint64_t Address) {
    return Address +
           numberAt(Inst, Inst.getNumOperands() - 1) * InstructionSize;
  }

  void clobberDefs(const MCInst &Inst, const AArch64Opcode &Info,
                   uint64_t Offset, unsigned First = 0) {
    uint32_t Mask = 0;
    for (unsigned I = First; I < Info.Defs; ++I)
      if (I < Inst.getNumOperands() && Inst.getOperand(I).isReg())
        Mask |= Tables.Masks[Inst.getOperand(I).getReg().id()];
    clobber(Offset, Mask);
  }

  void visit(const MCInst &Inst, const AArch64Opcode &Info, uint64_t Offset,
             uint64_t Address);
  bool visitArithmetic(const MCInst &Inst, const AArch64Opcode &Info,
                       uint64_t Offset, uint64_t Address);
  bool visitMemory(const MCInst &Inst, const AArch64Opcode &Info,
                   uint64_t Offset, uint64_t Address);
  void nameStored(Step &Store, const MCInst &Inst, unsigned I) const;
  void visitStack(const MCInst &Inst, const AArch64Opcode &Info,
                  uint64_t Offset, const Place &Spot, unsigned First);
  bool visitExclusive(const MCInst &Inst, const AArch64Opcode &Info,
                      uint64_t Offset);
  bool visitFlow(const MCInst &Inst, const AArch64Opcode &Info, uint64_t Offset,
                 uint64_t Address);
  void visitJump(const MCInst &Inst, const AArch64Opcode &Info, uint64_t Offset,
                 uint64_t Address);
};

/// What gives a register an address or a number.
bool AArch64Decoder::visitArithmetic(const MCInst &Inst,
                                     const AArch64Opcode &Info, uint64_t Offset,
                                     uint64_t Address) {
  Register Dst = registerAt(Inst, 0);
  auto Assign = [&](const Place &Spot) {
    assign(Offset, StepKind::Add, Dst, Spot);
    return true;
  };
  switch (Info.Kind) {
  case AArch64Kind::Adrp:
    return Assign(
        address(alignDown(Address, AdrpBytes) + numberAt(Inst, 1) * AdrpBytes));
  case AArch64Kind::Adr:
    return Assign(address(Address + numberAt(Inst, 1)));
  case AArch64Kind::AddImmediate:
  case AArch64Kind::SubImmediate: {
    int64_t Number = numberAt(Inst, 2) << numberAt(Inst, 3);
    if (Info.SetsFlags && Dst == NoRegister) {
      Step &C = add(Offset, StepKind::CompareValue);
      C.Dst = registerAt(Inst, 1);
      C.Src = NoRegister;
      C.Immediate = Info.Kind == AArch64Kind::AddImmediate ? -Number : Number;
      HasCompare = true;
      return true;
    }
    return Assign(in(registerAt(Inst, 1), Info.Kind == AArch64Kind::AddImmediate
                                              ? Number
                                              : -Number));
  }
  case AArch64Kind::AddShifted:
  case AArch64Kind::AddExtended: {
    // Kinds of shifts other than to the left have higher numbers, extensions
    // are in the bits above the amount.
    int64_t Shift = numberAt(Inst, 3);
    if (Info.Kind == AArch64Kind::AddExtended)
      Shift &= 7;
    if (Shift > 63)
      return false;
    Place Sum = in(registerAt(Inst, 1));
    Sum.Index = registerAt(Inst, 2);
    Sum.Shift = Shift;
    return Assign(Sum);
  }
  case AArch64Kind::SubShifted: {
    Place Difference = in(registerAt(Inst, 1));
    Difference.Index = registerAt(Inst, 2);
    Difference.Shift = numberAt(Inst, 3);
    // Kinds of shifts other than to the left have higher numbers.
    if (numberAt(Inst, 3) >= MostShift)
      return false;
    subtract(Offset, Dst, Difference);
    return true;
  }
  case AArch64Kind::BitField: {
    // lsl and its kin put bits behind zeros; sxtw and uxtw keep the low ones.
    int64_t Rotated = numberAt(Inst, 2), Last = numberAt(Inst, 3);
    if (Last < Rotated) {
      Place Product;
      Product.Index = registerAt(Inst, 1);
      Product.Shift = 64 - Rotated;
      return Product.Shift < MostShift && Assign(Product);
    }
    return Rotated == 0 && Last == 31 && Assign(in(registerAt(Inst, 1)));
  }
  case AArch64Kind::Compare: {
    if (Dst != NoRegister || numberAt(Inst, 3))
      return false;
    Step &C = add(Offset, StepKind::Compare);
    C.Dst = registerAt(Inst, 1);
    C.Spot = in(registerAt(Inst, 2));
    HasCompare = true;
    return true;
  }
  case AArch64Kind::AddProduct: {
    Place Sum = in(registerAt(Inst, 3));
    Sum.Index = registerAt(Inst, 1);
    Sum.Factor = registerAt(Inst, 2);
    if (Sum.Index == NoRegister || Sum.Factor == NoRegister)
      return false;
    return Assign(Sum);
  }
  case AArch64Kind::Or:
    if (registerAt(Inst, 1) != NoRegister || numberAt(Inst, 3))
      return false;
    return Assign(in(registerAt(Inst, 2)));
  case AArch64Kind::MoveWide:
    return Assign(in(NoRegister, numberAt(Inst, 1) << numberAt(Inst, 2)));
  case AArch64Kind::MoveWideNot:
    return Assign(in(NoRegister, ~(numberAt(Inst, 1) << numberAt(Inst, 2))));
  case AArch64Kind::MoveKeep:
    // What it replaces is zero: compilers begin with movz.
    return Assign(
        in(registerAt(Inst, 1), numberAt(Inst, 2) << numberAt(Inst, 3)));
  case AArch64Kind::Select:
    if (Register Other = registerAt(Inst, 2); Other == Dst) {
      assign(Offset, StepKind::Select, Dst, in(registerAt(Inst, 1)));
    } else {
      assign(Offset, StepKind::Add, Dst, in(registerAt(Inst, 1)));
      assign(Offset, StepKind::Select, Dst, in(Other));
    }
    return true;
  default:
    return false;
  }
}

bool AArch64Decoder::visitMemory(const MCInst &Inst, const AArch64Opcode &Info,
                                 uint64_t Offset, uint64_t Address) {
  const unsigned Count = Inst.getNumOperands();
  Place Spot;
  std::optional<Place> Moved;
  switch (Info.Kind) {
  case AArch64Kind::Memory:
  case AArch64Kind::MemoryPre:
  case AArch64Kind::MemoryPost: {
    Register Base = registerAt(Inst, Count - 2);
    int64_t Disp = numberAt(Inst, Count - 1) * Info.Scale;
    Spot = in(Base, Info.Kind == AArch64Kind::MemoryPost ? 0 : Disp);
    if (Info.Kind != AArch64Kind::Memory)
      Moved = in(Base, Disp);
    break;
  }
  case AArch64Kind::MemoryIndexed:
    Spot = in(registerAt(Inst, Count - 4));
    Spot.Index = registerAt(Inst, Count - 3);
    Spot.Shift = numberAt(Inst, Count - 1) ? Log2_32(Info.Scale) : 0;
    break;
  case AArch64Kind::VectorPost:
    Spot = in(registerAt(Inst, Count - 2));
    Moved = Spot;
    if (Register Index = registerAt(Inst, Count - 1); Index == NoRegister)
      Moved->Disp = Info.Size;
    else
      Moved->Index = Index;
    break;
  case AArch64Kind::MemoryBase:
  case AArch64Kind::Atomic:
    Spot = in(registerAt(Inst, Count - 1));
    break;
  case AArch64Kind::Literal:
    Spot = address(target(Inst, Address));
    break;
  case AArch64Kind::System:
    // dc zva
    if (numberAt(Inst, 0) != 3 || numberAt(Inst, 1) != 7 ||
        numberAt(Inst, 2) != 4 || numberAt(Inst, 3) != 1)
      return false;
    addAccess(Offset, facts::AccessKind::Write, in(registerAt(Inst, 4)),
              ZeroedBytes);
    return true;
  default:
    return false;
  }
  using facts::AccessKind;
  // What is loaded or stored comes behind the base that moves.
  unsigned FirstLoaded = Moved ? 1 : 0;
  if (Spot.Base == StackPointer) {
    visitStack(Inst, Info, Offset, Spot, FirstLoaded);
    if (Moved)
      setStack(Offset, *Moved);
    return true;
  }
  // Of a pair of pointers each is a store.
  const unsigned Stores =
      Info.Writes ? std::max<unsigned>(Info.Pointers, 1) : 1;
  Step *S = nullptr;
  Place Own = Spot;
  for (unsigned I = 0; I != Stores; ++I, Own.Disp += Info.Size / Stores) {
    S = addAccess(Offset,
                  Info.Kind == AArch64Kind::Atomic ? AccessKind::Atomic
                  : Info.Writes                    ? AccessKind::Write
                                                   : AccessKind::Read,
                  Own, Info.Size / Stores);
    if (S && Info.Writes && (Info.Pointers || Info.IsSingle))
      nameStored(*S, Inst, FirstLoaded + I);
  }
  if (S && Info.Reads && !Info.Writes && Info.IsSingle)
    S->Dst = registerAt(Inst, FirstLoaded);
  Register Dst = registerAt(Inst, FirstLoaded);
  std::optional<uint64_t> Literal;
  if (Info.Kind == AArch64Kind::Literal)
    Literal = Map.literalAt(Spot.Disp);
  if (Info.LoadsPointer && Literal)
    assign(Offset, StepKind::Add, Dst, constant(*Literal));
  else if (Info.LoadsPointer)
    assign(Offset, StepKind::Load, Dst, Spot);
  else
    clobberDefs(Inst, Info, Offset, FirstLoaded);
  if (Moved)
    assign(Offset, StepKind::Add, registerAt(Inst, 0), *Moved);
  return true;
}

void AArch64Decoder::nameStored(Step &Store, const MCInst &Inst,
                                unsigned I) const {
  if (Register Src = registerAt(Inst, I); Src < MostRegisters) {
    Store.Src = Src;
  } else if (I < Inst.getNumOperands() && Inst.getOperand(I).isReg() &&
             is_contained(Tables.Zeros, Inst.getOperand(I).getReg().id())) {
    Store.Src = NoRegister;
    Store.Immediate = 0;
  }
}

void AArch64Decoder::visitStack(const MCInst &Inst, const AArch64Opcode &Info,
                                uint64_t Offset, const Place &Spot,
                                unsigned First) {
  if (!Info.Pointers) {
    if (Info.Writes || Info.Kind == AArch64Kind::Atomic)
      addSpill(Offset, Spot, Info.Size);
    clobberDefs(Inst, Info, Offset, First);
    return;
  }
  Place Own = Spot;
  for (unsigned I = First; I != First + Info.Pointers; ++I) {
    Register R = registerAt(Inst, I);
    if (Info.Writes)
      addSpill(Offset, Own, PointerSize,
               R < MostRegisters ? R : UnknownRegister);
    else
      assign(Offset, StepKind::Load, R, Own);
    Own.Disp += PointerSize;
  }
}

bool AArch64Decoder::visitExclusive(const MCInst &Inst,
                                    const AArch64Opcode &Info,
                                    uint64_t Offset) {
  Place Spot = in(registerAt(Inst, Inst.getNumOperands() - 1));
  if (Info.Kind == AArch64Kind::LoadExclusive) {
    size_t Next = Made->size();
    addAccess(Offset, facts::AccessKind::Read, Spot, Info.Size);
    Exclusive = {Made->size() != Next ? std::optional(Next) : std::nullopt,
                 Offset};
  } else if (Info.Kind == AArch64Kind::StoreExclusive && Exclusive) {
    if (Exclusive->Access)
      (*Made)[*Exclusive->Access].Access = facts::AccessKind::Atomic;
    Retry = {registerAt(Inst, 0), Exclusive->Instruction};
    Exclusive.reset();
  } else if (Info.Kind == AArch64Kind::StoreExclusive) {
    addAccess(Offset, facts::AccessKind::Atomic, Spot, Info.Size);
  } else {
    return false;
  }
  clobberDefs(Inst, Info, Offset);
  return true;
}

void AArch64Decoder::visitJump(const MCInst &Inst, const AArch64Opcode &Info,
                               uint64_t Offset, uint64_t Address) {
  bool IfZero = Info.Kind == AArch64Kind::BranchZero ||
                Info.Kind == AArch64Kind::BranchBitZero;
  bool IsOfBit = Info.Kind == AArch64Kind::BranchBitZero ||
                 Info.Kind == AArch64Kind::BranchBitNotZero;
  bool IsOfRegister =
      IfZero || IsOfBit || Info.Kind == AArch64Kind::BranchNotZero;
  bool IsBranch = Info.Kind == AArch64Kind::Branch || IsOfRegister;
  // A bool is 0 or 1, and clang asks for its lowest bit. The highest one is a
  // number's sign.
  const int64_t Bit = IsOfBit ? numberAt(Inst, 1) : 0;
  const bool IsOfSign = Bit == 31 || Bit == 63;
  Register Tested =
      IsOfRegister && (Bit == 0 || IsOfSign) ? registerAt(Inst, 0) : NoRegister;
  if (Tested < MostRegisters)
    add(Offset, StepKind::Test).Dst = Tested;
  Step &S = add(Offset, IsBranch ? StepKind::Branch : StepKind::Jump);
  if (Tested < MostRegisters && IsOfSign)
    S.IfSign = IfZero ? SignCondition::NotBelow : SignCondition::Below;
  else if (Tested < MostRegisters)
    S.If = IfZero ? Condition::Zero : Condition::NotZero;
  S.Spot = address(target(Inst, Address));
  // Of flags; other branches look at a register.
  if (!HasCompare || !IsBranch || !Inst.getOperand(0).isImm())
    return;
  constexpr int64_t Equal = 0, NotEqual = 1, Minus = 4, Plus = 5, NotLess = 10,
                    Less = 11;
  const int64_t Code = Inst.getOperand(0).getImm();
  if (Code == Equal || Code == NotEqual)
    S.If = Code == Equal ? Condition::Zero : Condition::NotZero;
  if (Code == Minus || Code == Less)
    S.IfSign = SignCondition::Below;
  if (Code == Plus || Code == NotLess)
    S.IfSign = SignCondition::NotBelow;
}

bool AArch64Decoder::visitFlow(const MCInst &Inst, const AArch64Opcode &Info,
                               uint64_t Offset, uint64_t Address) {
  switch (Info.Kind) {
  case AArch64Kind::Call:
  case AArch64Kind::CallRegister: {
    Step &S = add(Offset, StepKind::Call);
    S.Clobbers = AArch64CallerSaved;
    if (Info.Kind == AArch64Kind::Call)
      S.Spot = address(target(Inst, Address));
    else
      S.Dst = registerAt(Inst, 0);
    return true;
  }
  case AArch64Kind::Branch:
  case AArch64Kind::BranchZero:
  case AArch64Kind::BranchNotZero:
  case AArch64Kind::BranchBitZero:
  case AArch64Kind::BranchBitNotZero:
    if (Retry && registerAt(Inst, 0) == Retry->Status &&
        target(Inst, Address) == Address - Offset + Retry->LoadAt) {
      Retry.reset();
      return true;
    }
    [[fallthrough]];
  case AArch64Kind::Jump:
    visitJump(Inst, Info, Offset, Address);
    return true;
  case AArch64Kind::JumpRegister:
    add(Offset, StepKind::IndirectJump).Dst = registerAt(Inst, 0);
    return true;
  case AArch64Kind::Return:
    add(Offset, StepKind::End).Dst = 0;
    return true;
  case AArch64Kind::End:
    add(Offset, StepKind::End);
    return true;
  case AArch64Kind::Hint: {
    constexpr int64_t Yield = 1, WaitForEvent = 2;
    if (int64_t Use = Inst.getOperand(0).getImm();
        Use == Yield || Use == WaitForEvent)
      add(Offset, StepKind::Pause);
    return true;
  }
  case AArch64Kind::Barrier:
    add(Offset, StepKind::Pause);
    return true;
  default:
    return false;
  }
}

void AArch64Decoder::visit(const MCInst &Inst, const AArch64Opcode &Info,
                           uint64_t Offset, uint64_t Address) {
  HasCompare &= !Info.SetsFlags;
  if (!visitArithmetic(Inst, Info, Offset, Address) &&
      !visitMemory(Inst, Info, Offset, Address) &&
      !visitExclusive(Inst, Info, Offset) &&
      !visitFlow(Inst, Info, Offset, Address))
    clobberDefs(Inst, Info, Offset);
}

} // namespace

std::unique_ptr<StepDecoder> createAArch64Decoder(const AArch64Tables &Tables,
                                                  const CodeMap &Map) {
  return std::make_unique<AArch64Decoder>(Tables, Map);
}

} // namespace linesman::input
