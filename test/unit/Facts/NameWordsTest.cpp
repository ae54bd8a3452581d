// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Facts/NameWords.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace linesman;

namespace {

std::string wordsOf(llvm::StringRef Name) {
  std::string Joined;
  facts::visitWords(Name, llvm::isAlpha, [&](llvm::StringRef Word) {
    Joined += (Joined.empty() ? "" : " ") + Word.str();
  });
  return Joined;
}

TEST(NameWords, EndAtWhatIsNoLetter) {
  EXPECT_EQ(wordsOf("worker_id"), "worker id");
  EXPECT_EQ(wordsOf("__x2y__"), "x y");
  EXPECT_EQ(wordsOf(""), "");
}

TEST(NameWords, BeginWithCapitals) {
  EXPECT_EQ(wordsOf("workerId"), "worker Id");
  EXPECT_EQ(wordsOf("XMLParser"), "XML Parser");
  EXPECT_EQ(wordsOf("parseXML"), "parse XML");
  EXPECT_EQ(wordsOf("MAX_SIZE"), "MAX SIZE");
  EXPECT_EQ(wordsOf("aB"), "a B");
}

} // namespace
