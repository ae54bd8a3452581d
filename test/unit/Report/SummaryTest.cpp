// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What was measured, in words: nothing that was not.

#include "linesman/Report/Document.h"
#include "gtest/gtest.h"

using namespace linesman::report;

namespace {

TEST(CostText, SaysWhatWasMeasured) {
  FindingCost Cost;
  Cost.Metric = "ops";
  Cost.Before = 16;
  Cost.After = 45;
  EXPECT_EQ(costText(Cost), "ops 16 before, 45 after");
  Cost.Ratio = {2.8, 2.7, 2.9};
  EXPECT_EQ(costText(Cost), "apart it has 2.8 times the metric ops (2.7 to "
                            "2.9)");
  // Of a page on the other node.
  Cost.Explains = 0.97;
  EXPECT_EQ(costText(Cost), "it explains 97 % of the slow-down of ops");
}

} // namespace
