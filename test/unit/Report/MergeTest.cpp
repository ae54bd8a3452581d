// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Report/Merge.h"
#include "gtest/gtest.h"

using namespace linesman::report;

namespace {

TEST(PlainIdentity, IsOneForAllWaysToNameAVariable) {
  EXPECT_EQ(plainIdentity("ns::hits"), "ns::hits");
  EXPECT_EQ(plainIdentity("file.cpp:hits"), "hits");
  EXPECT_EQ(plainIdentity("hits+0x8"), "hits");
  EXPECT_EQ(plainIdentity("int f<int>(int)::count"), "f::count");
}

TEST(PlainIdentity, IsOneForAllWaysToNameAFunctionsLocal) {
  EXPECT_EQ(plainIdentity("query.once"), plainIdentity("query::once"));
  EXPECT_EQ(plainIdentity("file.c:query.once"), plainIdentity("query::once"));
}

TEST(PlainIdentity, IsOneForAllWaysToNameAField) {
  EXPECT_EQ(plainIdentity("Slot[].lock"), plainIdentity("Slot::lock"));
  EXPECT_EQ(plainIdentity("Slot[2].lock"), plainIdentity("Slot::lock"));
}

TEST(PlainIdentity, KeepsApartWhatIsNotOne) {
  EXPECT_NE(plainIdentity("a::once"), plainIdentity("b::once"));
  EXPECT_EQ(plainIdentity(""), "");
}

} // namespace
