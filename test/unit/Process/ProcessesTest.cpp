// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What /proc says of processes, and programs that this one starts and ends.

#include "linesman/Process/Descriptor.h"
#include "linesman/Process/Family.h"
#include "linesman/Process/Launch.h"
#include "linesman/Process/ProcFiles.h"
#include "linesman/Process/State.h"
#include "llvm/ADT/STLExtras.h"
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace linesman::process;

namespace {

ProcessId self() { return {::getpid()}; }

/// No process has this number: it is above the kernel's limit.
constexpr ProcessId Nobody = {1 << 30};

std::error_code codeOf(llvm::Error E) {
  return llvm::errorToErrorCode(std::move(E));
}

TEST(ProcFiles, NamesMayHoldAnything) {
  auto Fields = statFields("12 (a ) R 1 (b) S 7 12 12 0\n");
  ASSERT_GE(Fields.size(), 3u);
  EXPECT_EQ(Fields[0], "S");
  EXPECT_EQ(Fields[1], "7");
  EXPECT_TRUE(statFields("").empty());
}

TEST(State, OfThisProcess) {
  EXPECT_EQ(stateOf(self()), ProcessState::Live);
  EXPECT_FALSE(bool(checkReadable(self())));
  EXPECT_TRUE(llvm::is_contained(listThreads(self()), ThreadId{::gettid()}));
  EXPECT_TRUE(isRunning(self(), {::gettid()}));
  EXPECT_EQ(tracerOf({::gettid()}).Value, 0);
  EXPECT_EQ(parentOf(self()), ProcessId{::getppid()});
}

TEST(State, OfNobody) {
  EXPECT_EQ(stateOf(Nobody), ProcessState::Gone);
  EXPECT_EQ(codeOf(checkReadable(Nobody)), std::errc::no_such_process);
  EXPECT_EQ(codeOf(executablePath(Nobody).takeError()),
            std::errc::no_such_process);
  EXPECT_TRUE(listThreads(Nobody).empty());
  EXPECT_EQ(parentOf(Nobody), std::nullopt);
}

TEST(State, OnlyTheGoneAreIgnored) {
  EXPECT_FALSE(bool(ignoreGone(checkReadable(Nobody))));
  EXPECT_FALSE(bool(ignoreGone(llvm::Error::success())));
  EXPECT_EQ(llvm::toString(ignoreGone(llvm::createStringError("other"))),
            "other");
}

TEST(Descriptor, HasOneOwner) {
  Descriptor First(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  int Number = First.get();
  Descriptor Second(std::move(First));
  EXPECT_FALSE(First.isOpen());
  EXPECT_EQ(Second.get(), Number);
  Second.reset();
  EXPECT_EQ(::fcntl(Number, F_GETFD), -1);
}

TEST(Launch, EndsWhatItStarted) {
  ProcessId Started;
  {
    llvm::Expected<Child> Sleeper = launch({"sleep", "1000"}, Begin::AtOnce);
    ASSERT_TRUE(bool(Sleeper)) << llvm::toString(Sleeper.takeError());
    Started = Sleeper->process();
    EXPECT_EQ(stateOf(Started), ProcessState::Live);
    EXPECT_TRUE(llvm::is_contained(readDescendants(self()), Started));
  }
  EXPECT_EQ(stateOf(Started), ProcessState::Gone);
}

TEST(Launch, SaysWhyItCannot) {
  llvm::Expected<Child> None = launch({"/nonexistent/program"}, Begin::AtOnce);
  ASSERT_FALSE(bool(None));
  EXPECT_NE(llvm::toString(None.takeError()).find("/nonexistent/program"),
            std::string::npos);
}

TEST(Family, AnotherProgramIsNone) {
  llvm::Expected<Child> Sleeper = launch({"sleep", "1000"}, Begin::AtOnce);
  ASSERT_TRUE(bool(Sleeper)) << llvm::toString(Sleeper.takeError());
  EXPECT_EQ(Family(self()).members(), std::vector{self()});
}

TEST(Family, ForkedOnesBelongToIt) {
  pid_t Forked = ::fork();
  if (Forked == 0) {
    while (true)
      ::pause();
  }
  EXPECT_EQ(Family(self()).members(), (std::vector{self(), {Forked}}));
  EXPECT_EQ(endProcesses({{Forked}}), 1u);
  EXPECT_EQ(stateOf({Forked}), ProcessState::Gone);
}

} // namespace
