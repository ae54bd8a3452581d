// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What people type, and what they are told.

#include "linesman/Report/Explain.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman::report;

namespace {

constexpr StringLiteral Glossary = R"(# Glossary

| word | meaning |
|---|---|
| true sharing | the same bytes |
| reader, readers of a line | who reads; `perhaps` says that it may be another object |
)";

const CheckPage Checks[] = {{"global-write", "# linesman-global-write\n"},
                            {"thread-slot", "# linesman-thread-slot\n"}};

std::string explained(StringRef Typed) {
  std::string Text;
  raw_string_ostream OS(Text);
  if (Error E = Explanations(Checks, Glossary).explain(Typed, OS))
    return "error: " + toString(std::move(E));
  return Text;
}

TEST(Explain, ChecksWithAndWithoutTheirPrefix) {
  EXPECT_EQ(explained("global-write"), "# linesman-global-write\n");
  EXPECT_EQ(explained("linesman-Thread-Slot"), "# linesman-thread-slot\n");
}

TEST(Explain, WordsAsReportsPrintThem) {
  for (StringRef Typed : {"true sharing", "true-sharing", "True Sharing"})
    EXPECT_EQ(explained(Typed), "true sharing: the same bytes\n");
  StringRef Reader = "reader, readers of a line: who reads; `perhaps` says "
                     "that it may be another object\n";
  EXPECT_EQ(explained("readers"), Reader) << "a plural";
  EXPECT_EQ(explained("perhaps"), Reader) << "within a row";
}

TEST(Explain, WhatIsUnknownMayBeMistyped) {
  EXPECT_EQ(explained("global-wite"),
            "error: nothing is known about 'global-wite'; did you mean "
            "'global-write'?; 'linesman explain' lists all checks and words");
  EXPECT_EQ(explained("meaning"),
            "error: nothing is known about 'meaning'; 'linesman explain' lists "
            "all checks and words");
  EXPECT_EQ(explained("word").find("error: nothing is known"), 0u)
      << "the head of the table is no row";
}

TEST(Explain, ListsAll) {
  std::string Text;
  raw_string_ostream OS(Text);
  Explanations(Checks, Glossary).list(OS);
  EXPECT_EQ(Text, "checks:\n  global-write\n  thread-slot\n\nwords:\n"
                  "  true sharing\n  reader, readers of a line\n");
}

} // namespace
