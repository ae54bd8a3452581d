// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// x86-64 as an architecture: its calls, its relocations, and what its bytes
// say.

#include "X86Steps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/TargetSelect.h"
#include <mutex>

using namespace llvm;
using support::endian::read32le;

namespace linesman::input {

namespace {

class X86 : public Architecture {
public:
  ArrayRef<Register> arguments() const override {
    static constexpr Register Arguments[] = {RDI, RSI, RDX, RCX, R8, R9};
    return Arguments;
  }
  unsigned registers() const override { return X86Registers; }
  Register result() const override { return RAX; }
  Register stackPointer() const override { return RSP; }
  Register framePointer() const override { return RBP; }
  uint32_t callerSaved() const override { return CallerSaved; }

  std::unique_ptr<StepDecoder>
  createDecoder(const CodeMap &Map) const override {
    std::call_once(Once, [&] {
      LLVMInitializeX86TargetInfo();
      LLVMInitializeX86TargetMC();
      LLVMInitializeX86Disassembler();
    });
    return createX86Decoder(Map);
  }

  RelocationTypes relocations() const override {
    return {ELF::R_X86_64_RELATIVE, ELF::R_X86_64_GLOB_DAT,
            ELF::R_X86_64_JUMP_SLOT, ELF::R_X86_64_64};
  }

  /// Behind endbr64, bnd or notrack: jmp *disp(%rip)
  std::optional<uint64_t> slotOf(ArrayRef<uint8_t> Entry,
                                 uint64_t Address) const override {
    size_t Position = 0;
    if (Entry.size() >= 4 && read32le(Entry.data()) == 0xfa1e0ff3)
      Position = 4;
    if (Position < Entry.size() &&
        (Entry[Position] == 0xf2 || Entry[Position] == 0x3e))
      ++Position;
    if (Position + 6 > Entry.size() || Entry[Position] != 0xff ||
        Entry[Position + 1] != 0x25)
      return std::nullopt;
    return Address + Position + 6 +
           int32_t(read32le(Entry.data() + Position + 2));
  }

  /// movslq %edi, whatever register takes it.
  bool widensArgument(ArrayRef<uint8_t> Bytes) const override {
    for (size_t I = 0; I + 3 <= Bytes.size(); ++I)
      if ((Bytes[I] & 0xfb) == 0x48 && Bytes[I + 1] == 0x63 &&
          (Bytes[I + 2] & 0xc7) == 0xc7)
        return true;
    return false;
  }

  /// An address is 4 bytes that are an absolute address, or that are relative
  /// to the instruction's end: behind them there are at most 4 bytes of an
  /// immediate. The margin is for pointers that start beside their object.
  bool mayTouchData(ArrayRef<uint8_t> Bytes, uint64_t Address,
                    const CodeMap &Map) const override {
    constexpr uint64_t Margin = 4096;
    auto Widen = [](layout::AddressRange R, uint64_t Step) {
      return std::pair(R.Begin.Value - Step, R.size() + 2 * Step);
    };
    auto [DataBegin, DataSize] = Widen(Map.data(), Margin);
    auto [SlotsBegin, SlotsSize] = Widen(Map.slots(), 8);
    bool IsFixed = Map.isFixed();
    for (size_t I = 0; I + 4 <= Bytes.size(); ++I) {
      int64_t Number = int32_t(read32le(Bytes.data() + I));
      uint64_t End = Address + I + 4 + Number;
      if (End - DataBegin < DataSize || End - SlotsBegin < SlotsSize ||
          (IsFixed && uint64_t(Number) - DataBegin < DataSize))
        return true;
    }
    return false;
  }

  /// call and jmp with a distance (e8, e9), or through a slot (ff 15, ff 25).
  void visitCalls(ArrayRef<uint8_t> Bytes, uint64_t Address,
                  function_ref<void(uint64_t, bool)> Visit) const override {
    for (size_t I = 0; I + 5 <= Bytes.size(); ++I) {
      bool IsSlot = Bytes[I] == 0xff && (Bytes[I + 1] | 0x30) == 0x35;
      if (!IsSlot && (Bytes[I] | 1) != 0xe9)
        continue;
      size_t Position = I + 1 + IsSlot;
      if (Position + 4 <= Bytes.size())
        Visit(Address + Position + 4 +
                  int32_t(read32le(Bytes.data() + Position)),
              IsSlot);
    }
  }

  /// Distances and numbers of 32 bits end their instruction, where they are of
  /// code. A jump of two bytes has one of 8 bits. Padding ends in zeros, which
  /// are no distance to the function behind it.
  void visitNames(ArrayRef<uint8_t> Bytes, uint64_t Address,
                  layout::AddressRange Code, bool IsFixed,
                  function_ref<void(uint64_t)> Visit) const override {
    constexpr uint8_t ShortJump = 0xeb, ShortBranch = 0x70, Jump = 0xe9;
    auto Name = [&](uint64_t Target) {
      if (Target - Code.Begin.Value < Code.size())
        Visit(Target);
    };
    for (size_t I = 0; I + 2 <= Bytes.size(); ++I) {
      if (Bytes[I] == ShortJump || (Bytes[I] & 0xf0) == ShortBranch)
        Name(Address + I + 2 + int8_t(Bytes[I + 1]));
      if (I + 4 > Bytes.size())
        continue;
      uint32_t Number = read32le(Bytes.data() + I);
      if (Number || (I && (Bytes[I - 1] | 1) == Jump))
        Name(Address + I + 4 + int32_t(Number));
      if (IsFixed)
        Name(Number);
    }
  }

private:
  /// For the first decoder: where compiler facts speak for all that names
  /// data, nobody needs it.
  mutable std::once_flag Once;
};

} // namespace

std::unique_ptr<Architecture> createX86() { return std::make_unique<X86>(); }

} // namespace linesman::input
