// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/AppliedEdits.h"
#include "gtest/gtest.h"

using namespace linesman;
using namespace linesman::drive;

static std::string written(plan::EditKind Kind, uint64_t Bytes,
                           std::vector<relink::Placed> Symbols) {
  relink::AppliedEdit Applied;
  Applied.Change.Kind = Kind;
  Applied.Change.Bytes = Bytes;
  Applied.Change.Section = ".bss";
  Applied.Symbols = std::move(Symbols);
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  writeApplied(Applied, OS);
  return Text;
}

TEST(AppliedEdits, SayWhereEachSymbolIs) {
  using plan::EditKind;
  EXPECT_EQ(written(EditKind::Isolate, 64, {{"a", {0x40}, 8, {}}}),
            "a: alone on its line, at 0x40\n");
  EXPECT_EQ(written(EditKind::Isolate, 64, {{"a", {0x40}, 80, {}}}),
            "a: alone on its lines, at 0x40\n");
  EXPECT_EQ(written(EditKind::Group, 64,
                    {{"a", {0x40}, 8, {}}, {"b", {0x48}, 8, {"c", "d"}}}),
            "a: in a group of 2, at 0x40\n"
            "b: in a group of 2, at 0x48, with its unit: c d\n");
  EXPECT_EQ(written(EditKind::Pad, 8, {{"a", {0x48}, 8, {}}}),
            "a: 8 free bytes before it, at 0x48\n");
  EXPECT_EQ(written(EditKind::Shift, 8, {{"a", {0x48}, 8, {}}}),
            "a: first of .bss, 8 free bytes before it, at 0x48\n");
  EXPECT_EQ(written(EditKind::Explode, 4096, {{"a", {0x1000}, 8, {}}}),
            "a: alone on its page, at 0x1000\n");
}
