// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// At the first instruction of a library's function, the return address is all
// that lies on the stack.

#include "Unwinder.h"
#include "gtest/gtest.h"
#include <asm/perf_regs.h>
#include <dlfcn.h>
#include <unistd.h>

using namespace linesman::process;
using namespace linesman::watch;

namespace {

#if defined(__x86_64__)

class UnwinderTest : public testing::Test {
protected:
  ModuleMap Modules = llvm::cantFail(ModuleMap::read({::getpid()}));
  static constexpr uint64_t Top = 0x7fff0000;

  /// Of the C library's own: a sanitizer puts others in front of some.
  static uint64_t libraryFunction(const char *Name) {
    return reinterpret_cast<uint64_t>(
        ::dlsym(::dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD), Name));
  }
  const uint64_t Called = libraryFunction("getppid"),
                 Calling = libraryFunction("getpgrp");

  std::optional<RunAddress> callOf(uint64_t Instruction,
                                   std::vector<uint64_t> Stack) {
    KernelRegisters Registers = {};
    Registers[PERF_REG_X86_SP] = Top;
    Unwinder Frames(Modules);
    return Frames.callFromOutside(
        {{Instruction},
         Registers,
         llvm::ArrayRef(reinterpret_cast<const uint8_t *>(Stack.data()),
                        Stack.size() * sizeof(uint64_t))});
  }
};

void ownFunction() {}
const uint64_t Return = reinterpret_cast<uint64_t>(&ownFunction) + 1;

TEST_F(UnwinderTest, TheCallerIsOutsideOfTheLibrary) {
  std::optional<RunAddress> Call = callOf(Called, {Return});
  ASSERT_TRUE(Call);
  EXPECT_EQ(Call->Value, Return - 1);
}

TEST_F(UnwinderTest, AFrameOfTheLibraryIsPassedOver) {
  // As if the first instruction of a function of the library called another
  // one; its own caller is next.
  std::optional<RunAddress> Call = callOf(Called, {Calling + 1, Return});
  ASSERT_TRUE(Call);
  EXPECT_EQ(Call->Value, Return - 1);
}

TEST_F(UnwinderTest, WhatIsNotOnTheSampleIsNotKnown) {
  EXPECT_FALSE(callOf(Called, {}));
  EXPECT_FALSE(callOf(Called, {0}));
  // Neither what is in no module.
  EXPECT_FALSE(callOf(Called, {16}));
  EXPECT_FALSE(callOf(16, {Return}));
}

#endif

} // namespace
