// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OpenDwarf.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "gtest/gtest.h"
#include <csignal>

using namespace linesman;

namespace {

TEST(OpenDwarf, SurvivesWhatEnds) {
  int Reads = 0;
  EXPECT_TRUE(input::survives([&] { ++Reads; }));
  EXPECT_EQ(Reads, 1);
}

#if !LLVM_ADDRESS_SANITIZER_BUILD && !LLVM_THREAD_SANITIZER_BUILD
TEST(OpenDwarf, SurvivesACrash) {
  llvm::CrashRecoveryContext::Enable();
  int Reads = 0;
  EXPECT_FALSE(input::survives([&] {
    ++Reads;
    std::raise(SIGSEGV);
    ++Reads;
  }));
  EXPECT_EQ(Reads, 1);
  // The next one is as good as the first.
  EXPECT_TRUE(input::survives([&] { ++Reads; }));
  EXPECT_EQ(Reads, 2);
  llvm::CrashRecoveryContext::Disable();
}
#else
// A sanitizer looks for what a recovery would hide.
TEST(OpenDwarfDeathTest, SurvivesNoCrashUnderASanitizer) {
  llvm::CrashRecoveryContext::Enable();
  EXPECT_DEATH((void)input::survives([] { std::raise(SIGSEGV); }), "Sanitizer");
  llvm::CrashRecoveryContext::Disable();
}
#endif

} // namespace
