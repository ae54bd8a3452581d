// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Children that become a program, and one that can not.

#include "linesman/Process/Execution.h"
#include "gtest/gtest.h"
#include <cerrno>
#include <sys/wait.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::process;

namespace {

struct Ending {
  int Failure, Code;
};

Ending execute(const char *Program) {
  ExecutionPipe Pipe = cantFail(ExecutionPipe::make());
  const std::string Text[] = {Program, "-c", "exit 5"};
  std::vector<char *> Words = wordsForExecution(Text);
  EXPECT_EQ(Words.size(), 4U);
  EXPECT_EQ(Words.back(), nullptr);
  pid_t Child = ::fork();
  if (Child == 0) {
    ::execv(Words[0], Words.data());
    Pipe.fail();
  }
  int Failure = Pipe.await(), Status = 0;
  ::waitpid(Child, &Status, 0);
  return {Failure, WEXITSTATUS(Status)};
}

TEST(Execution, AChildThatBecomesItsProgramSaysNothing) {
  Ending End = execute("/bin/sh");
  EXPECT_EQ(End.Failure, 0);
  EXPECT_EQ(End.Code, 5);
}

TEST(Execution, OneThatCanNotSaysWhy) {
  Ending End = execute("/nowhere/program");
  EXPECT_EQ(End.Failure, ENOENT);
  EXPECT_EQ(End.Code, 127);
  EXPECT_EQ(execute("/").Failure, EACCES);
}

} // namespace
