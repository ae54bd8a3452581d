// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Guard/Suggest.h"
#include "gtest/gtest.h"

using namespace linesman::guard;

namespace {

std::string nearest(llvm::StringRef Typed,
                    std::initializer_list<llvm::StringRef> Known) {
  Suggestion Meant(Typed);
  for (llvm::StringRef Word : Known)
    Meant.considerSymbol(Word);
  return Meant.word().str();
}

TEST(Suggest, TakesTheNearest) {
  EXPECT_EQ(nearest("formt", {"from", "format", "for"}), "format");
  EXPECT_EQ(nearest("LAYOUT", {"lock", "layout"}), "layout");
}

TEST(Suggest, NeedsNoNamespace) {
  EXPECT_EQ(nearest("nil_rot", {"_ZN5store8nil_rootE", "other"}),
            "store::nil_root");
  EXPECT_EQ(nearest("store::nil_rot", {"_ZN5store8nil_rootE"}),
            "store::nil_root");
}

TEST(Suggest, TakesBeginnings) {
  EXPECT_EQ(nearest("sentinel", {"sentinel-write", "settings"}),
            "sentinel-write");
}

TEST(Suggest, SaysNothingOfOtherWords) {
  EXPECT_EQ(nearest("x", {"y"}), "");
  EXPECT_EQ(nearest("frobnicate", {"format", "filter"}), "");
  EXPECT_EQ(nearest("", {"format"}), "");
  EXPECT_EQ(Suggestion("x").text(), "");
}

} // namespace
