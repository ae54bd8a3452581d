// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of the objects that were used is watched.

#include "linesman/Watch/CatchPointers.h"
#include "gtest/gtest.h"

using namespace linesman::watch;

namespace {

CaughtPointer by(int Thread, uint64_t Address) { return {{Thread}, {Address}}; }

TEST(CatchPointers, WhatMostThreadsUseIsMostShared) {
  // One thread has its own, often.
  EXPECT_EQ(mostShared({by(1, 0x10), by(1, 0x10), by(1, 0x10), by(1, 0x20),
                        by(2, 0x20)})
                .Value,
            0x20u);
}

TEST(CatchPointers, OfEqualsTheOneThatIsUsedMostOften) {
  EXPECT_EQ(mostShared({by(1, 0x10), by(2, 0x20), by(2, 0x20)}).Value, 0x20u);
}

TEST(CatchPointers, NobodyComesToAProcessThatIsGone) {
  auto Caught =
      catchPointers({0x7ffffff0}, {{{0x1000}}}, 0.01, [] { return false; });
  ASSERT_TRUE(bool(Caught)) << llvm::toString(Caught.takeError());
  EXPECT_TRUE(Caught->empty());
}

} // namespace
