// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Input/TypeName.h"
#include "gtest/gtest.h"

using linesman::input::comparableTypeName;

namespace {

void expectSame(const char *Dwarf, const char *Demangled) {
  EXPECT_EQ(comparableTypeName(Dwarf), comparableTypeName(Demangled))
      << Dwarf << " and " << Demangled;
}

TEST(TypeName, SpellingsOfOneType) {
  expectSame("list<ring<int> >", "list<ring<int>>");
  expectSame("ring<int, 64UL>", "ring<int, 64ul>");
  expectSame("ring<int, 4096>", "ring<int, 4096ul>");
  expectSame("set<const int>", "set<int const>");
  expectSame("set<const char *, const volatile long &>",
             "set<char const*, long const volatile&>");
  expectSame("map<int, const std::pair<const int, int> *>",
             "map<int, std::pair<int const, int> const*>");
  expectSame("call<void (const char *, int)>", "call<void (char const*, int)>");
}

TEST(TypeName, DifferentTypes) {
  EXPECT_NE(comparableTypeName("set<const int *>"),
            comparableTypeName("set<int *const>"));
  EXPECT_NE(comparableTypeName("set<int>"),
            comparableTypeName("set<const int>"));
  EXPECT_NE(comparableTypeName("ring<int, 64UL>"),
            comparableTypeName("ring<int, 6UL>"));
  // A number at the end of a name has no suffix.
  EXPECT_NE(comparableTypeName("pool8u"), comparableTypeName("pool8"));
  EXPECT_NE(comparableTypeName("constant<int>"), comparableTypeName("<int>"));
}

TEST(TypeName, Damaged) {
  EXPECT_EQ(comparableTypeName(""), "");
  EXPECT_EQ(comparableTypeName("a>>>b<<"), "a>>>b<<");
  EXPECT_EQ(comparableTypeName("const"), "const");
}

} // namespace
