// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What architectures tell from the bytes of code, without decoding it.

#include "MachineStep.h"
#include "llvm/BinaryFormat/ELF.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman::input;

namespace {

bool widens(uint16_t Machine, ArrayRef<uint8_t> Code) {
  return createArchitecture(Machine)->widensArgument(Code);
}

TEST(Architecture, RustsMainWidensHowManyArgumentsItHas) {
  EXPECT_TRUE(widens(ELF::EM_X86_64, {0x50,                // push %rax
                                      0x48, 0x89, 0xf1,    // mov %rsi, %rcx
                                      0x48, 0x63, 0xd7})); // movslq %edi, %rdx
  EXPECT_TRUE(widens(ELF::EM_X86_64, {0x4c, 0x63, 0xff})); // movslq %edi, %r15
  EXPECT_TRUE(widens(ELF::EM_AARCH64,
                     {0xfd, 0x7b, 0xbf, 0xa9,    // stp x29, x30, [sp, #-16]!
                      0x02, 0x7c, 0x40, 0x93})); // sxtw x2, w0
}

TEST(Architecture, OthersWidenNothingOrAnotherRegister) {
  EXPECT_FALSE(widens(ELF::EM_X86_64, {}));
  EXPECT_FALSE(widens(ELF::EM_X86_64, {0x48, 0x63}));       // is cut off
  EXPECT_FALSE(widens(ELF::EM_X86_64, {0x48, 0x63, 0xd6})); // movslq %esi, %rdx
  EXPECT_FALSE(
      widens(ELF::EM_X86_64, {0x48, 0x63, 0x17})); // movslq (%rdi), %rdx
  EXPECT_FALSE(
      widens(ELF::EM_AARCH64, {0x22, 0x7c, 0x40, 0x93}));    // sxtw x2, w1
  EXPECT_FALSE(widens(ELF::EM_AARCH64, {0x02, 0x7c, 0x40})); // is cut off
}

} // namespace
