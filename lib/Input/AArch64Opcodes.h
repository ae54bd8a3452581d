// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an AArch64 opcode of LLVM does, by its name (X86Opcodes.h says why).

#ifndef LINESMAN_LIB_INPUT_AARCH64OPCODES_H
#define LINESMAN_LIB_INPUT_AARCH64OPCODES_H

#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include <cstdint>
#include <vector>

namespace linesman::input {

enum class AArch64Kind : uint8_t {
  /// Clobbers what it defines.
  Other,
  Adrp,
  Adr,
  AddImmediate,
  SubImmediate,
  /// Plus a register that is shifted, or extended and shifted; minus one.
  AddShifted,
  AddExtended,
  SubShifted,
  /// Moves bits: shifts to the left, or extends 32 of them.
  BitField,
  /// subs of registers; it compares when the result goes nowhere.
  Compare,
  /// Plus a product of registers.
  AddProduct,
  /// orr with the zero register copies.
  Or,
  MoveWide,
  MoveWideNot,
  MoveKeep,
  Select,
  /// [base, #offset], before or after which the base moves, or does not.
  Memory,
  MemoryPre,
  MemoryPost,
  /// [base, index, extend]
  MemoryIndexed,
  /// [base]
  MemoryBase,
  /// [base], index or #size
  VectorPost,
  /// In the code, relative to the instruction.
  Literal,
  LoadExclusive,
  StoreExclusive,
  /// One instruction that reads, changes and writes.
  Atomic,
  System,
  Call,
  CallRegister,
  Jump,
  Branch,
  /// cbz, cbnz
  BranchZero,
  BranchNotZero,
  /// tbz, tbnz
  BranchBitZero,
  BranchBitNotZero,
  JumpRegister,
  Return,
  /// A trap.
  End,
  /// Of many uses; yield and wfe are waits.
  Hint,
  /// isb: Rust's way to wait a moment.
  Barrier,
};

struct AArch64Opcode {
  AArch64Kind Kind = AArch64Kind::Other;
  uint8_t Defs = 0;
  bool Reads = false, Writes = false;
  /// Loads one general register of 64 bits: perhaps a pointer.
  bool LoadsPointer = false;
  /// It loads or stores one register, of whichever size.
  bool IsSingle = false;
  /// General registers of 64 bits that it loads or stores: one or a pair.
  uint8_t Pointers = 0;
  bool SetsFlags = false;
  /// What an offset counts, in bytes.
  uint8_t Scale = 1;
  /// Bytes in memory; 0 when it is not known.
  uint8_t Size = 0;
};

struct AArch64Tables {
  /// By LLVM's opcode.
  std::vector<AArch64Opcode> Opcodes;
  /// By LLVM's register: its number in the encoding, 31 for the stack pointer,
  /// or NoRegister: for the zero register and for vectors.
  std::vector<uint8_t> Registers;
  /// By LLVM's register: the general registers that it is or that are in it,
  /// as the pairs of casp.
  std::vector<uint32_t> Masks;
  /// LLVM's registers for the zero register, of 32 and of 64 bits.
  llvm::SmallVector<unsigned, 2> Zeros;

  AArch64Tables(const llvm::MCInstrInfo &Instructions,
                const llvm::MCRegisterInfo &Names);
};

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_AARCH64OPCODES_H
