// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions of --at, and reading what they lead through.

#include "linesman/Watch/Expression.h"
#include "linesman/Watch/FindObject.h"
#include "linesman/Watch/WatchError.h"
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace linesman::process;
using namespace linesman::watch;

namespace {

/// The steps in one line; the message where there is an error.
std::string parsed(llvm::StringRef Text) {
  auto Result = parseExpression(Text);
  if (!Result)
    return llvm::toString(Result.takeError());
  std::string Out = Result->Root;
  for (const Step &S : Result->Steps)
    switch (S.Kind) {
    case StepKind::Dereference:
      Out += " *";
      break;
    case StepKind::Field:
      Out += " ." + S.Name;
      break;
    case StepKind::Element:
      Out += " [" + std::to_string(S.Index) + "]";
      break;
    }
  return Out;
}

TEST(Expression, Steps) {
  EXPECT_EQ(parsed("a"), "a");
  EXPECT_EQ(parsed(" a . b "), "a .b");
  EXPECT_EQ(parsed("a->b.c"), "a * .b .c");
  EXPECT_EQ(parsed("*a.b"), "a .b *");
  EXPECT_EQ(parsed("(*a).b"), "a * .b");
  EXPECT_EQ(parsed("**a"), "a * *");
  EXPECT_EQ(parsed("a[2][0x10]"), "a [2] [16]");
  EXPECT_EQ(parsed("((a))"), "a");
}

TEST(Expression, Names) {
  EXPECT_EQ(parsed("n::T<int, m::U<char>>::x->y"),
            "n::T<int, m::U<char>>::x * .y");
  EXPECT_EQ(parsed("(anonymous namespace)::x.y"),
            "(anonymous namespace)::x .y");
  EXPECT_EQ(parsed("n::(anonymous namespace)::x"),
            "n::(anonymous namespace)::x");
}

TEST(Expression, NamesWithTheirFile) {
  EXPECT_EQ(parsed("pool.c:table[1]"), "pool.c:table [1]");
  EXPECT_EQ(parsed("libx.so.1:n::table->next"), "libx.so.1:n::table * .next");
  EXPECT_EQ(parsed("*libx-2.so:pool.c:head"), "libx-2.so:pool.c:head *");
  EXPECT_EQ(parsed("(*pool.c:head).next"), "pool.c:head * .next");
  EXPECT_EQ(parsed("z\xc3\xa4hler.c:z\xc3\xa4hler"),
            "z\xc3\xa4hler.c:z\xc3\xa4hler");
  EXPECT_TRUE(llvm::StringRef(parsed("pool.c:")).contains("expected"));
}

TEST(Expression, TextOfSteps) {
  auto Result = parseExpression("(*a->b[1]).c");
  ASSERT_TRUE(bool(Result));
  ASSERT_EQ(Result->Steps.size(), 5u);
  EXPECT_EQ(Result->Steps[0].Text, "*a");
  EXPECT_EQ(Result->Steps[1].Text, "a->b");
  EXPECT_EQ(Result->Steps[2].Text, "a->b[1]");
  EXPECT_EQ(Result->Steps[3].Text, "*a->b[1]");
  EXPECT_EQ(Result->text(), "(*a->b[1]).c");
}

TEST(Expression, Errors) {
  EXPECT_EQ(parsed(""), "'': expected a name at the end");
  EXPECT_EQ(parsed("*"), "'*': expected a name at the end");
  EXPECT_EQ(parsed("a->"), "'a->': expected the name of a field at the end");
  EXPECT_EQ(parsed("a.1"),
            "'a.1': expected the name of a field at character 3 ('1')");
  EXPECT_EQ(parsed("a[x]"),
            "'a[x]': expected the number of an element at character 3 ('x')");
  EXPECT_EQ(parsed("a[1"), "'a[1': expected ']' at the end");
  EXPECT_EQ(parsed("(a"), "'(a': expected ')' at the end");
  EXPECT_EQ(parsed("a::"), "'a::': expected a name at the end");
  EXPECT_EQ(parsed("a<b"),
            "'a<b': expected a '>' that closes this at character 2 ('<')");
  EXPECT_EQ(parsed("a + 1"),
            "'a + 1': expected '.', '->' or '[' at character 3 ('+')");
  EXPECT_NE(parsed(std::string(100000, '*') + "a").find("fewer nested"),
            std::string::npos);
  EXPECT_NE(parsed(std::string(100000, '(') + "a").find("fewer nested"),
            std::string::npos);
}

TEST(Expression, Scopes) {
  using Parts = std::pair<std::string, std::string>;
  EXPECT_EQ(splitScope("x"), Parts("", "x"));
  EXPECT_EQ(splitScope("n::T::x"), Parts("n::T", "x"));
  EXPECT_EQ(splitScope("T<m::U>::x"), Parts("T<m::U>", "x"));
  EXPECT_EQ(splitScope("T<m::U>"), Parts("", "T<m::U>"));
}

Refusal reasonFor(ProcessId Process, uint64_t Address) {
  auto Value = readNumber(Process, {Address}, 8);
  if (Value)
    return Refusal::Other;
  llvm::Error Rest = llvm::Error::success();
  Refusal Reason = reasonOf(Value.takeError(), Rest);
  llvm::consumeError(std::move(Rest));
  return Reason;
}

TEST(ReadNumber, OfThisProcess) {
  volatile uint64_t Value = 0x1122334455667788;
  RunAddress Address{reinterpret_cast<uint64_t>(&Value)};
  auto Eight = readNumber({::getpid()}, Address, 8);
  ASSERT_TRUE(bool(Eight));
  EXPECT_EQ(*Eight, Value);
  auto Four = readNumber({::getpid()}, Address, 4);
  ASSERT_TRUE(bool(Four));
  EXPECT_EQ(*Four, 0x55667788u);
  EXPECT_EQ(reasonFor({::getpid()}, 64), Refusal::BadAddress);
}

TEST(ReadNumber, OfOthers) {
  pid_t Ended = ::fork();
  if (Ended == 0)
    ::_exit(0);
  ::waitpid(Ended, nullptr, 0);
  EXPECT_EQ(reasonFor({Ended}, 64), Refusal::Gone);

  // Nobody may read process 1 of the system but its owner.
  pid_t Stranger = ::fork();
  if (Stranger == 0) {
    if (::geteuid() == 0 && ::setuid(65534) != 0)
      ::_exit(2);
    ::_exit(reasonFor({1}, 64) == Refusal::NotPermitted ? 0 : 1);
  }
  int Status = 0;
  ::waitpid(Stranger, &Status, 0);
  EXPECT_EQ(Status, 0);
}

} // namespace
