// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The static pages of this very program.

#include "linesman/Drive/StaticPages.h"
#include "../TemporaryFolder.h"
#include "linesman/Process/State.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <unistd.h>

using namespace llvm;
using namespace linesman::control;
using namespace linesman::drive;
using namespace linesman::process;

/// Three pages: two whole ones, and a part of the third with a neighbour.
extern "C" {
struct {
  alignas(4096) char Large[8192 + 64];
  char Small[64];
} LinesmanTestPages = {{1}, {1}};
}

namespace {

/// Knows modules, and moves nothing.
class Modules : public Actuator {
public:
  std::vector<StaticModule> Known;

  ProcessId process() const override { return {::getpid()}; }
  Expected<std::vector<StaticModule>> modules() override { return Known; }
  Expected<std::vector<PagePlace>> query(RunRange) override {
    return std::vector<PagePlace>();
  }
  Expected<std::vector<PagePlace>> place(RunRange, Placement,
                                         Preparation) override {
    return std::vector<PagePlace>();
  }
  Error prepare(RunRange) override { return Error::success(); }
  bool isInside() const override { return false; }
};

class StaticPagesTest : public testing::Test {
protected:
  StaticPages Pages = read();
  const RunAddress Begin{reinterpret_cast<uint64_t>(&LinesmanTestPages)};
  const uint64_t Size = pageSize();

  static StaticPages read() {
    Modules Loaded;
    Loaded.Known = staticModules(cantFail(ModuleMap::read({::getpid()})));
    return cantFail(StaticPages::read(Loaded));
  }
  /// The only range that \p Selector names.
  RunRange range(const Twine &Selector) {
    Expected<std::vector<RunRange>> Ranges = Pages.select(Selector.str());
    if (!Ranges) {
      ADD_FAILURE() << toString(Ranges.takeError());
      return {};
    }
    EXPECT_EQ(Ranges->size(), 1U);
    return Ranges->empty() ? RunRange() : Ranges->front();
  }
  std::string problem(StringRef Selector) {
    Expected<std::vector<RunRange>> Ranges = Pages.select(Selector);
    return Ranges ? "" : toString(Ranges.takeError());
  }
  /// How the file has the address of byte \p Offset.
  std::string linked(uint64_t Offset) {
    return "0x" +
           utohexstr(
               Pages.moduleOf(Begin)->Loaded.Bias.toLink(Begin + Offset).Value);
  }
};

TEST_F(StaticPagesTest, ASymbolHasEveryPageWithAByteOfIt) {
  RunRange Range = range("LinesmanTestPages");
  EXPECT_EQ(Range.Begin.Value, Begin.Value & -Size);
  EXPECT_EQ(Range.End.Value,
            alignTo(Begin.Value + sizeof LinesmanTestPages, Size));
}

TEST_F(StaticPagesTest, AnAddressHasItsPageAndARangeAllOfIts) {
  RunRange Page = range("page:" + linked(4097));
  EXPECT_TRUE(Page.contains(Begin + 4097));
  EXPECT_EQ(Page.size(), Size);
  EXPECT_EQ(range(linked(4097) + "-" + linked(4098)), Page);
  EXPECT_EQ(range(linked(0) + "-" + linked(sizeof LinesmanTestPages)),
            range("LinesmanTestPages"));
}

TEST_F(StaticPagesTest, ASectionAndAModuleHoldTheirObjects) {
  std::string Name =
      sys::path::filename(Pages.modules().front().Loaded.Path).str();
  for (std::string Selector :
       {std::string(".data"), Name + "!.data", Name + "!all"}) {
    std::vector<RunRange> Ranges = cantFail(Pages.select(Selector));
    EXPECT_TRUE(any_of(Ranges, [&](RunRange R) { return R.contains(Begin); }))
        << Selector;
  }
  EXPECT_LT(cantFail(Pages.select(Name + "!all")).size(),
            cantFail(Pages.select("all")).size())
      << "libraries have static pages, too";
}

TEST_F(StaticPagesTest, WhatIsNotThereIsNamed) {
  EXPECT_EQ(problem("LinesmanTestPagse").find("no object 'LinesmanTestPagse'"),
            0U);
  EXPECT_NE(problem("LinesmanTestPagse").find("did you mean"),
            std::string::npos);
  EXPECT_EQ(problem(".date").find("no writable section '.date'"), 0U);
  EXPECT_EQ(problem(".text").find("no writable section '.text'"), 0U);
  EXPECT_EQ(problem("libnone.so!all").find("no module 'libnone.so'"), 0U);
  EXPECT_EQ(problem("page:x").find("'page:x': expected page:ADDRESS"), 0U);
  EXPECT_EQ(problem("0x20-0x10").find("'0x20-0x10': expected BEGIN-END"), 0U);
  EXPECT_NE(problem("page:0x0").find("has no writable static page"),
            std::string::npos);
}

TEST_F(StaticPagesTest, PagesNameTheirLargestObjectFirst) {
  NamedModule *Module = Pages.moduleOf(Begin);
  ASSERT_EQ(Module, &Pages.modules().front());
  std::vector<std::string> Names =
      Pages.symbolsIn(*Module, range("LinesmanTestPages"));
  ASSERT_FALSE(Names.empty());
  EXPECT_EQ(Names.front(), "LinesmanTestPages");
  int OnStack;
  EXPECT_EQ(Pages.moduleOf({reinterpret_cast<uint64_t>(&OnStack)}), nullptr);
}

TEST_F(StaticPagesTest, WithoutItsFileAModuleStillHasPages) {
  Modules Loaded;
  StaticModule Gone = Pages.modules().front().Loaded;
  Gone.Bytes = nullptr;
  Loaded.Known = {Gone};
  StaticPages Left = cantFail(StaticPages::read(Loaded));
  EXPECT_EQ(cantFail(Left.select("all")), Gone.Ranges);
  EXPECT_TRUE(
      Left.symbolsIn(Left.modules().front(), Gone.Ranges.front()).empty());
  EXPECT_TRUE(errorToBool(Left.select("LinesmanTestPages").takeError()));
}

TEST_F(StaticPagesTest, AFileThatBecameShorterHasNoNames) {
  TemporaryFolder Folder;
  std::string File = Folder.write("file", std::string(100'000, 'x'));
  Modules Loaded;
  StaticModule Cut = Pages.modules().front().Loaded;
  Cut.Bytes = std::move(*MemoryBuffer::getFile(
      File, /*IsText=*/false, /*RequiresNullTerminator=*/false));
  Loaded.Known = {Cut};
  ASSERT_EQ(::truncate(File.c_str(), 0), 0);
  StaticPages Left = cantFail(StaticPages::read(Loaded));
  EXPECT_TRUE(
      Left.symbolsIn(Left.modules().front(), Cut.Ranges.front()).empty());
  EXPECT_NE(toString(Left.select("LinesmanTestPages").takeError())
                .find("became shorter"),
            std::string::npos);
}

TEST(StaticPages, AProcessWithoutModulesHasNone) {
  Modules None;
  Expected<StaticPages> Pages = StaticPages::read(None);
  ASSERT_FALSE(bool(Pages));
  EXPECT_NE(toString(Pages.takeError()).find("has no writable static pages"),
            std::string::npos);
}

TEST(StaticPages, AtMostThreeNamesAreTold) {
  EXPECT_EQ(shorten({}), "");
  EXPECT_EQ(shorten({"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(shorten({"a", "b", "c", "d", "e"}), "a, b, c, +2");
}

} // namespace
