// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one instruction does to registers that may hold addresses, and to
// memory: the part of machine code that facts need, the same for every
// architecture.
//
//     lea  rax, [rip + table]     Add     rax = 0x4040 (an address)
//     mov  edx, [rax + 8*rcx]     Access  read 4 at rax + (rcx << 3)
//                                 Clobber edx
//     jne  .loop                  Branch  to .loop
//
// An instruction may be several steps (rep movs reads and writes), and most are
// none: nobody asks what arithmetic does to a value that is no address.

#ifndef LINESMAN_LIB_INPUT_MACHINESTEP_H
#define LINESMAN_LIB_INPUT_MACHINESTEP_H

#include "CodeMap.h"
#include "linesman/Facts/KnownCalls.h"
#include <memory>
#include <vector>

namespace linesman::input {

inline constexpr uint32_t PointerSize = 8;
/// What is multiplied by more is no index of an element.
inline constexpr unsigned MostShift = 20;

/// A general register by its number in the encoding; 31 is AArch64's stack
/// pointer, which is not followed. Its zero register is NoRegister.
using Register = uint8_t;
inline constexpr Register NoRegister = 0xff;
/// A register that is there, but is not followed (a vector of indices).
inline constexpr Register UnknownRegister = 0xfe;
inline constexpr unsigned MostRegisters = 32;
/// Slots of the stack that are followed like registers; their numbers come
/// behind those.
inline constexpr Register FirstSlot = MostRegisters;
inline constexpr unsigned MostSlots = 32, MostValues = FirstSlot + MostSlots;

enum class StepKind : uint8_t {
  /// The registers of the mask hold something unknown: no address. The low part
  /// of Src, where that is a register. Where Dst is one, it is the place's base
  /// minus its index (see Multiples.h).
  Clobber,
  /// Dst = the place's address; also constants and copies.
  Add,
  /// Dst is either what it was or the place's address.
  Select,
  /// Dst = the pointer in the GOT slot at the place; unknown for any other
  /// memory. With a Size other than 0 and 8 it is a number.
  Load,
  /// A store to the stack at the place, and a load of 8 bytes from there. What
  /// they become is StackSlots' work.
  Spill,
  Reload,
  /// The stack pointer = the place's address; of a base that is not known, it
  /// is not followed any more.
  SetStack,
  /// Memory at the place. A plain load into a register names it in Dst.
  Access,
  /// Compares memory at the place, or the register Dst, with zero, for the
  /// branch that follows in the block.
  Test,
  /// Compares the register Dst with the place's address, for that branch.
  Compare,
  /// Compares memory at the place, or the register Dst, with what Src or
  /// Immediate is, for that branch.
  CompareValue,
  /// To the place, if it is an address; the mask is what callees may change.
  Call,
  /// The same through the GOT slot at the place.
  CallThrough,
  Jump,
  Branch,
  /// The processor is asked to wait a moment, as in a loop that spins.
  Pause,
  /// To a place that is not known: a switch's table.
  IndirectJump,
  /// Execution ends: a return, which has the result in Dst, or a trap.
  End,
};

/// Whether a step of this kind gives its register Dst a value.
constexpr bool definesDst(StepKind Kind) {
  switch (Kind) {
  case StepKind::Add:
  case StepKind::Select:
  case StepKind::Load:
  case StepKind::Reload:
  case StepKind::Access:
    return true;
  default:
    return false;
  }
}

/// Base + (Index * Times << Shift) + Disp.
struct Place {
  Register Base = NoRegister;
  Register Index = NoRegister;
  /// Also multiplies Index, where it is a register; Times is 1 then.
  Register Factor = NoRegister;
  uint8_t Shift = 0;
  /// Disp is an address of the binary, not a number.
  bool IsAddress = false;
  /// Memory of each thread's own, Disp from where the thread pointer points;
  /// such a place has no registers. Of AArch64 none is known.
  bool IsOwn = false;
  uint32_t Times = 1;
  int64_t Disp = 0;
};

/// When a branch is taken, as far as the last Test or Compare decides: of a
/// Compare, zero is equal.
enum class Condition : uint8_t { Other, Zero, NotZero };

/// The same, of a Test that asks whether a number is below zero.
enum class SignCondition : uint8_t { Other, Below, NotBelow };

struct Step {
  StepKind Kind = StepKind::Clobber;
  Register Dst = NoRegister;
  /// What a plain store, or a Spill, writes, or CompareValue looks for: this
  /// register, or Immediate, where it is NoRegister; not known where it is
  /// UnknownRegister.
  Register Src = UnknownRegister;
  Condition If = Condition::Other;
  /// Of a branch right behind a compare-exchange: Zero where it is taken if
  /// that was done, NotZero if another thread was faster. Of x86-64 only.
  Condition IfSwapped = Condition::Other;
  SignCondition IfSign = SignCondition::Other;
  facts::AccessKind Access = facts::AccessKind::Read;
  /// Of an atomic access: it stores Src, and nobody looks at what was there.
  bool IsStore = false;
  /// The bytes are Size times what this register holds (rep movs).
  Register Count = NoRegister;
  /// Of the instruction, in bytes from the function's start.
  uint32_t Offset = 0;
  /// Of a call: where padding behind it ends, from the function's start (see
  /// Padding.h); 0 for none.
  uint32_t PaddedTo = 0;
  /// Bytes of an access; 0 when it is not known.
  uint32_t Size = 0;
  uint32_t Clobbers = 0;
  int32_t Immediate = 0;
  Place Spot;
};

/// What the decoder met in one function.
struct DecodeTrouble {
  /// Bytes that are no instruction.
  uint64_t Undecodable = 0;
};

/// Turns bytes into steps. One for each thread: LLVM's contexts are not shared.
class StepDecoder {
public:
  virtual ~StepDecoder() = default;
  /// Appends the steps of a function, in address order.
  virtual void decode(llvm::ArrayRef<uint8_t> Bytes, uint64_t Address,
                      std::vector<Step> &Steps, DecodeTrouble &Trouble) = 0;
};

/// The dynamic relocations that fill in pointers.
struct RelocationTypes {
  uint32_t Relative, Slot, Jump, Absolute;
};

/// What the data flow must know about an architecture, and tables that all its
/// decoders share.
class Architecture {
public:
  virtual ~Architecture() = default;
  /// Registers that pass the first integer arguments of a call.
  virtual llvm::ArrayRef<Register> arguments() const = 0;
  virtual unsigned registers() const = 0;
  /// What a call leaves its result in.
  virtual Register result() const = 0;
  virtual Register stackPointer() const = 0;
  virtual Register framePointer() const = 0;
  /// What a callee may change, as a mask.
  virtual uint32_t callerSaved() const = 0;
  virtual RelocationTypes relocations() const = 0;
  /// The GOT slot that an entry of the PLT jumps through.
  virtual std::optional<uint64_t> slotOf(llvm::ArrayRef<uint8_t> Entry,
                                         uint64_t Address) const = 0;
  /// What a function without a name does to its arguments, if its bytes say
  /// that it is one that compilers call for that.
  virtual std::optional<facts::Operand>
  operandOfHelper(llvm::ArrayRef<uint8_t> /*Bytes*/) const {
    return std::nullopt;
  }
  /// Whether code makes 64 bits of its first argument, which has 32 and a sign.
  /// Rust's main does so with how many arguments it has, before all else; C's
  /// has no reason to. Looks at bytes, of the first few instructions.
  virtual bool widensArgument(llvm::ArrayRef<uint8_t> Bytes) const = 0;
  virtual std::unique_ptr<StepDecoder>
  createDecoder(const CodeMap &Map) const = 0;
  /// Whether a function with these bytes may form an address of data. Looks at
  /// bytes, not at instructions: most functions are done with here.
  virtual bool mayTouchData(llvm::ArrayRef<uint8_t> Bytes, uint64_t Address,
                            const CodeMap &Map) const = 0;
  /// Visits what bytes that look like calls and jumps lead to: an address of
  /// code, or the slot that they go through. Looks at bytes, too; some are no
  /// calls, and lead anywhere.
  virtual void visitCalls(
      llvm::ArrayRef<uint8_t> Bytes, uint64_t Address,
      llvm::function_ref<void(uint64_t Target, bool IsSlot)> Visit) const = 0;
  /// Visits each address in \p Code that bytes of code may name: by a call, a
  /// jump, or as a number, which is an address where \p IsFixed. Looks at
  /// bytes as well, and finds too many rather than too few.
  virtual void
  visitNames(llvm::ArrayRef<uint8_t> Bytes, uint64_t Address,
             layout::AddressRange Code, bool IsFixed,
             llvm::function_ref<void(uint64_t Target)> Visit) const = 0;
};

/// Null for a machine whose code is not read.
std::unique_ptr<Architecture> createArchitecture(uint16_t ElfMachine);
std::unique_ptr<Architecture> createX86();
std::unique_ptr<Architecture> createAArch64();

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_MACHINESTEP_H
