// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names for people: demangled, and with a file only where one is needed.

#include "linesman/Layout/Names.h"
#include "Literals.h"
#include "gtest/gtest.h"

using namespace linesman::layout;

namespace {

std::vector<std::string> ids(std::vector<Symbol> Symbols) {
  Image Program = buildImage({{data(".bss", 0, 0x100)},
                              std::move(Symbols),
                              {"", "a.c", "b.c", "ld-temp.o"}});
  ObjectNames Names(Program);
  std::vector<std::string> Result;
  for (uint32_t I = 0; I != Program.symbols().size(); ++I)
    Result.push_back(Names.id(I));
  return Result;
}

using Strings = std::vector<std::string>;

TEST(Names, FilesAreSplitOffAtSingleColons) {
  auto Read = [](llvm::StringRef Text) {
    std::string Result;
    for (auto [File, Name] : splitFile(Text))
      Result += (File + "|" + Name + " ").str();
    return Result;
  };
  EXPECT_EQ(Read("counter"), "");
  EXPECT_EQ(Read("store::Node::root"), "");
  EXPECT_EQ(Read("a.cpp:store::root"), "a.cpp|store::root ");
  EXPECT_EQ(Read("c:/a.c:hits"), "c|/a.c:hits c:/a.c|hits ");
  EXPECT_EQ(Read(":hits"), "");
  EXPECT_EQ(Read("hits:"), "");
}

TEST(Names, AreDemangled) {
  EXPECT_EQ(ids({object("_ZN5store4NodeImE8nil_rootE", 0, 8)}),
            Strings({"store::Node<unsigned long>::nil_root"}));
}

TEST(Names, LonelyLocalNeedsNoFile) {
  EXPECT_EQ(ids({local("counter", 0, 1)}), Strings({"counter"}));
}

TEST(Names, LocalNamesakesHaveTheirFiles) {
  EXPECT_EQ(ids({local("counter", 0, 1), local("counter", 8, 2),
                 local("other", 16, 2)}),
            Strings({"a.c:counter", "b.c:counter", "other"}));
}

TEST(Names, LocalNamesakeOfAGlobalHasItsFile) {
  EXPECT_EQ(ids({object("counter", 0, 8), local("counter", 8, 2)}),
            Strings({"counter", "b.c:counter"}));
}

TEST(Names, HashOfAUnitIsLeftOutWhereItIsAlone) {
  EXPECT_EQ(ids({object("counter.llvm.4711", 0, 8)}), Strings({"counter"}));
  EXPECT_EQ(ids({object("counter.llvm.47", 0, 8),
                 object("counter.llvm.11", 8, 8), local("other", 16, 1)}),
            Strings({"counter.llvm.47", "counter.llvm.11", "other"}));
  EXPECT_EQ(ids({object("counter.llvm.4711", 0, 8), object("counter", 8, 8)}),
            Strings({"counter.llvm.4711", "counter"}));
}

TEST(Names, UnknownFileIsLeftOut) {
  EXPECT_EQ(ids({local("counter", 0, 0), local("counter", 8, 2)}),
            Strings({"counter", "b.c:counter"}));
}

TEST(Names, UnitOfTheLinkerIsLeftOut) {
  EXPECT_EQ(ids({local("counter", 0, 3), local("counter", 8, 2)}),
            Strings({"counter", "b.c:counter"}));
  // But where it would be taken for somebody else.
  EXPECT_EQ(ids({object("counter", 0, 8), local("counter", 8, 3)}),
            Strings({"counter", "ld-temp.o:counter"}));
}

} // namespace
