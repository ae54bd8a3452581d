// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an x86-64 opcode of LLVM does, by its name: LLVM's own tables have no
// size of the memory operand, and its headers for the rest are not installed.

#ifndef LINESMAN_LIB_INPUT_X86OPCODES_H
#define LINESMAN_LIB_INPUT_X86OPCODES_H

#include "MachineStep.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include <cstdint>
#include <memory>
#include <vector>

namespace linesman::input {

enum class X86Kind : uint8_t {
  /// Clobbers what it defines, and accesses its memory operand.
  Other,
  Lea,
  /// Dst = Src.
  Move,
  /// Dst = the low byte or word of Src.
  MoveLowPart,
  MoveImmediate,
  /// Dst = memory, Dst += memory: of a GOT slot that is a known pointer.
  Load,
  AddMemory,
  ConditionalMove,
  AddImmediate,
  SubImmediate,
  AddRegister,
  SubRegister,
  /// Dst <<= immediate, Dst = Src * immediate.
  ShiftLeft,
  Multiply,
  Push,
  Pop,
  Leave,
  /// xor eax, eax
  Zero,
  Increment,
  Decrement,
  Pause,
  StringMove,
  StringStore,
  StringLoad,
  StringCompare,
  StringScan,
  /// lock: of the instruction that follows.
  LockPrefix,
  RepeatPrefix,
  /// Bytes that belong to the next instruction, or do nothing.
  OtherPrefix,
  Call,
  /// A call or a jump through memory, and through a register.
  CallThrough,
  CallRegister,
  Jump,
  Branch,
  JumpThrough,
  JumpRegister,
  Return,
  /// A trap.
  End,
};

struct X86Opcode {
  X86Kind Kind = X86Kind::Other;
  /// Where the five operands of memory begin; -1 without memory.
  int8_t Memory = -1;
  uint8_t Defs = 0;
  bool Reads = false, Writes = false;
  /// xchg with memory locks by itself.
  bool Locks = false;
  /// A compare-exchange.
  bool Swaps = false;
  /// Bytes in memory; 0 when it is not known.
  uint8_t Size = 0;
  bool SetsFlags = false;
  /// Of a comparison whose flags say whether something is zero: test with
  /// itself, cmp with 0.
  bool MayTestZero = false;
  /// Compares a register of 64 bits with another one, or with a number.
  bool ComparesPointer = false;
  /// Compares numbers of any size: cmp.
  bool IsCompare = false;
  /// Stores what operand Memory + 5 is, and does nothing else.
  bool IsStore = false;
  /// Loads into operand 0, and does nothing else.
  bool IsLoad = false;
  /// Registers that it changes without naming them.
  uint32_t ImplicitDefs = 0;
};

/// What a branch asks of a test, by the processor's number of its condition,
/// which is LLVM's.
Condition x86Condition(int64_t Code);
SignCondition x86SignCondition(int64_t Code);

/// Of one decoder, which it learns as it goes: a program has some hundred of
/// LLVM's 23,000 opcodes, whose names alone take longer to read than many a
/// program.
class X86Tables {
public:
  /// By LLVM's register: the number in the encoding of the 64-bit register that
  /// holds it, or NoRegister.
  std::vector<uint8_t> Registers;
  /// LLVM's number of RIP.
  unsigned Rip = 0;
  /// The same of FS, which points to the thread.
  unsigned Fs = 0;

  /// Both must outlive it.
  X86Tables(const llvm::MCInstrInfo &Instructions,
            const llvm::MCRegisterInfo &Names);

  const X86Opcode &opcode(unsigned Opcode) {
    std::unique_ptr<X86Opcode> &Known = Opcodes[Opcode];
    if (!Known)
      Known = std::make_unique<X86Opcode>(describe(Opcode));
    return *Known;
  }

private:
  const llvm::MCInstrInfo &Instructions;
  const llvm::MCRegisterInfo &Names;
  /// By LLVM's opcode.
  std::vector<std::unique_ptr<X86Opcode>> Opcodes;

  X86Opcode describe(unsigned Opcode) const;
};

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_X86OPCODES_H
