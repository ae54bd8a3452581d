// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AArch64 as an architecture: its calls, its relocations, and what its bytes
// say.

#include "AArch64Steps.h"
#include "Disassembler.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/TargetSelect.h"
#include <mutex>

using namespace llvm;
using support::endian::read32le;
using support::endian::read64le;

namespace linesman::input {

namespace {

class AArch64 : public Architecture {
public:
  ArrayRef<Register> arguments() const override {
    static constexpr Register Arguments[] = {0, 1, 2, 3, 4, 5, 6, 7};
    return Arguments;
  }
  unsigned registers() const override { return AArch64Registers; }
  Register result() const override { return 0; }
  Register stackPointer() const override { return StackPointer; }
  Register framePointer() const override { return 29; }
  uint32_t callerSaved() const override { return AArch64CallerSaved; }

  std::unique_ptr<StepDecoder>
  createDecoder(const CodeMap &Map) const override {
    std::call_once(Once, [&] {
      LLVMInitializeAArch64TargetInfo();
      LLVMInitializeAArch64TargetMC();
      LLVMInitializeAArch64Disassembler();
      Disassembler LLVM(AArch64Triple, AArch64Features);
      Tables.emplace(LLVM.instructions(), LLVM.names());
    });
    return createAArch64Decoder(*Tables, Map);
  }

  RelocationTypes relocations() const override {
    return {ELF::R_AARCH64_RELATIVE, ELF::R_AARCH64_GLOB_DAT,
            ELF::R_AARCH64_JUMP_SLOT, ELF::R_AARCH64_ABS64};
  }

  /// [bti c;] adrp x16, page; ldr x17, [x16, #low]
  std::optional<uint64_t> slotOf(ArrayRef<uint8_t> Entry,
                                 uint64_t Address) const override {
    size_t Position =
        Entry.size() >= 4 && read32le(Entry.data()) == 0xd503245f ? 4 : 0;
    if (Position + 8 > Entry.size())
      return std::nullopt;
    uint32_t Adrp = read32le(Entry.data() + Position);
    uint32_t Ldr = read32le(Entry.data() + Position + 4);
    if ((Adrp & 0x9f00001f) != 0x90000010 || (Ldr & 0xffc003ff) != 0xf9400211)
      return std::nullopt;
    return alignDown(Address + Position, AdrpBytes) +
           distance(Adrp) * AdrpBytes + (Ldr >> 10 & 0xfff) * 8;
  }

  /// sxtw x*, w0
  bool widensArgument(ArrayRef<uint8_t> Bytes) const override {
    for (size_t I = 0; I + 4 <= Bytes.size(); I += 4)
      if ((read32le(Bytes.data() + I) & 0xffffffe0) == 0x93407c00)
        return true;
    return false;
  }

  /// libgcc's outlined atomics (KnownCalls.h), which a stripped binary has too:
  ///     [bti c;] adrp x16, lse; ldrb w16, [x16, #low]; cbz w16, without;
  ///     ldadd w0, w0, [x1]
  std::optional<facts::Operand>
  operandOfHelper(ArrayRef<uint8_t> Bytes) const override {
    auto Word = [&](size_t I) {
      return Bytes.size() < 4 * (I + 1) ? 0 : read32le(Bytes.data() + 4 * I);
    };
    size_t Position = Word(0) == 0xd503245f ? 1 : 0;
    if ((Word(Position) & 0x9f00001f) != 0x90000010 ||
        (Word(Position + 1) & 0xffc003ff) != 0x39400210 ||
        (Word(Position + 2) & 0xff00001f) != 0x34000010)
      return std::nullopt;
    uint32_t Operation = Word(Position + 3);
    bool IsSwap = (Operation & 0x3fa07c00) == 0x08a07c00;  // cas
    bool IsPair = (Operation & 0xbfa07c00) == 0x08207c00;  // casp
    bool IsOther = (Operation & 0x3f200c00) == 0x38200000; // ldadd, swp
    if (!IsSwap && !IsPair && !IsOther)
      return std::nullopt;
    uint64_t Size =
        IsPair ? 8 << (Operation >> 30 & 1) : 1 << (Operation >> 30);
    return facts::Operand{uint8_t(Operation >> 5 & 31),
                          facts::AccessKind::Atomic, facts::Span::Fixed, Size};
  }

  /// b and bl.
  void visitCalls(ArrayRef<uint8_t> Bytes, uint64_t Address,
                  function_ref<void(uint64_t, bool)> Visit) const override {
    for (size_t I = 0; I + InstructionSize <= Bytes.size();
         I += InstructionSize) {
      uint32_t Word = read32le(Bytes.data() + I);
      if ((Word & 0x7c000000) == 0x14000000)
        Visit(Address + I + SignExtend64<26>(Word & 0x3ffffff) * 4, false);
    }
  }

  /// An address begins with a page (adrp), or is near (adr), or stands in the
  /// code (a literal load). The margin is for pointers that start beside their
  /// object.
  bool mayTouchData(ArrayRef<uint8_t> Bytes, uint64_t Address,
                    const CodeMap &Map) const override {
    auto IsNear = [&](uint64_t Address, uint64_t Margin) {
      auto IsIn = [&](layout::AddressRange R) {
        return R.size() && Address + Margin >= R.Begin.Value &&
               Address < R.End.Value + Margin;
      };
      return IsIn(Map.data()) || IsIn(Map.slots());
    };
    for (size_t I = 0; I + InstructionSize <= Bytes.size();
         I += InstructionSize) {
      uint32_t Word = read32le(Bytes.data() + I);
      uint64_t Location = Address + I;
      if ((Word & 0x9f000000) == 0x90000000) {
        if (IsNear(alignDown(Location, AdrpBytes) + distance(Word) * AdrpBytes,
                   AdrpBytes))
          return true;
      } else if ((Word & 0x9f000000) == 0x10000000) {
        if (IsNear(Location + distance(Word), AdrpBytes))
          return true;
      } else if ((Word & 0x3b000000) == 0x18000000) {
        uint64_t Literal = Location + SignExtend64<19>(Word >> 5 & 0x7ffff) * 4;
        std::optional<uint64_t> Value = Map.literalAt(Literal);
        if (Value ? Map.isAbsolute(*Value) : IsNear(Literal, 0))
          return true;
      }
    }
    return false;
  }

  /// A page (adrp) goes with any distance that the same bytes add to a
  /// register. Numbers of 64 bits stand between functions.
  void visitNames(ArrayRef<uint8_t> Bytes, uint64_t Address,
                  layout::AddressRange Code, bool IsFixed,
                  function_ref<void(uint64_t)> Visit) const override {
    SmallSetVector<uint64_t, 4> Pages, Distances;
    auto Name = [&](uint64_t Target) {
      if (Target - Code.Begin.Value < Code.size())
        Visit(Target);
    };
    for (size_t I = 0; I + InstructionSize <= Bytes.size();
         I += InstructionSize) {
      uint32_t Word = read32le(Bytes.data() + I);
      uint64_t Location = Address + I;
      if ((Word & 0x7c000000) == 0x14000000) // b, bl
        Name(Location + SignExtend64<26>(Word & 0x3ffffff) * 4);
      else if ((Word & 0xff000000) == 0x54000000 || // b.cond
               (Word & 0x7e000000) == 0x34000000)   // cbz, cbnz
        Name(Location + SignExtend64<19>(Word >> 5 & 0x7ffff) * 4);
      else if ((Word & 0x7e000000) == 0x36000000) // tbz, tbnz
        Name(Location + SignExtend64<14>(Word >> 5 & 0x3fff) * 4);
      else if ((Word & 0x9f000000) == 0x10000000) // adr
        Name(Location + distance(Word));
      else if ((Word & 0x9f000000) == 0x90000000) // adrp
        Pages.insert(alignDown(Location, AdrpBytes) +
                     distance(Word) * AdrpBytes);
      else if ((Word & 0xffc00000) == 0x91000000) // add
        Distances.insert(Word >> 10 & 0xfff);
      if (IsFixed && Location % 8 == 0 && I + 8 <= Bytes.size())
        Name(read64le(Bytes.data() + I));
    }
    for (uint64_t Page : Pages)
      if (Page + AdrpBytes - Code.Begin.Value < Code.size() + AdrpBytes)
        for (uint64_t Distance : Distances)
          Name(Page + Distance);
  }

private:
  /// What adr and adrp add.
  static int64_t distance(uint32_t Word) {
    return SignExtend64<21>((Word >> 5 & 0x7ffff) << 2 | (Word >> 29 & 3));
  }

  mutable std::once_flag Once;
  mutable std::optional<AArch64Tables> Tables;
};

} // namespace

std::unique_ptr<Architecture> createAArch64() {
  return std::make_unique<AArch64>();
}

} // namespace linesman::input
