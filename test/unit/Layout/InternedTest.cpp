// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values by their numbers, beside a map.

#include "linesman/Layout/Interned.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace linesman::layout;

namespace {

struct Word {
  uint64_t Value;
  friend bool operator==(const Word &, const Word &) = default;
  /// Bad on purpose: most values meet.
  friend llvm::hash_code hash_value(const Word &W) { return W.Value % 61; }
};

TEST(Interned, NumbersAreThoseOfTheFirstTime) {
  Interned<Word> Words;
  std::map<uint64_t, uint32_t> Known;
  std::mt19937_64 Random(1);
  for (unsigned I = 0; I != 5000; ++I) {
    Word W{Random() % 1000};
    EXPECT_EQ(Words.contains(W), Known.count(W.Value) == 1);
    auto It = Known.try_emplace(W.Value, Words.size()).first;
    ASSERT_EQ(Words.intern(W), It->second);
    EXPECT_EQ(Words[It->second].Value, W.Value);
  }
  EXPECT_EQ(Words.size(), Known.size());
}

TEST(Interned, WhatIsAppendedIsNotFound) {
  Interned<Word> Words;
  EXPECT_FALSE(Words.contains({7}));
  EXPECT_EQ(Words.append({7}), 0u);
  EXPECT_FALSE(Words.contains({7}));
  EXPECT_EQ(Words.intern({7}), 1u);
  // Also when the table has grown since.
  for (uint64_t I = 100; I != 300; ++I)
    Words.intern({I});
  EXPECT_EQ(Words.intern({7}), 1u);
  EXPECT_EQ(Words.size(), 202u);
}

} // namespace
