// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is done to a process is done to a child of the test.

#include "terminal/Startup.h"
#include "gtest/gtest.h"
#include <csignal>
#include <fcntl.h>
#include <functional>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace linesman::terminal;

/// How a child that does \p Work ends, as shells say it.
static int run(const std::function<int()> &Work) {
  int Child = ::fork();
  if (Child == 0)
    ::_exit(Work());
  int Status = 0;
  EXPECT_EQ(::waitpid(Child, &Status, 0), Child);
  return WIFSIGNALED(Status) ? 128 + WTERMSIG(Status) : WEXITSTATUS(Status);
}

TEST(Startup, AClosedStdoutIsNoFileThatIsOpenedLater) {
  EXPECT_EQ(run([] {
              ::close(STDOUT_FILENO);
              if (prepareStandardFiles())
                return 1;
              int File = ::open("/dev/null", O_WRONLY);
              if (File <= STDERR_FILENO)
                return 2;
              return ::write(STDOUT_FILENO, "x", 1) < 0 ? 0 : 3;
            }),
            0);
}

TEST(Startup, AnOpenStdoutStaysAsItIs) {
  EXPECT_EQ(run([] {
              if (prepareStandardFiles())
                return 1;
              return ::fcntl(STDOUT_FILENO, F_GETFD) < 0 ? 2 : 0;
            }),
            0);
}

TEST(Startup, WhatTheCallerIgnoresStaysIgnored) {
  EXPECT_EQ(run([] {
              ::signal(SIGHUP, SIG_IGN);
              ::signal(SIGTERM, SIG_DFL);
              IgnoredSignals Ignored;
              ::signal(SIGHUP, SIG_DFL);
              handleSignals(Ignored);
              ::raise(SIGHUP);
              return 7;
            }),
            7);
}

TEST(Startup, HowAChildEndedIsKnownWhereTheCallerIgnoresChildren) {
  EXPECT_EQ(run([] {
              ::signal(SIGCHLD, SIG_IGN);
              IgnoredSignals Ignored;
              handleSignals(Ignored);
              pid_t Child = ::fork();
              if (Child == 0)
                ::_exit(3);
              int Status = 0;
              return ::waitpid(Child, &Status, 0) == Child ? WEXITSTATUS(Status)
                                                           : 7;
            }),
            3);
}

TEST(Startup, SigquitEndsTheProcess) {
  EXPECT_EQ(run([] {
              ::signal(SIGQUIT, SIG_DFL);
              handleSignals(IgnoredSignals());
              ::raise(SIGQUIT);
              return 7;
            }),
            128 + SIGQUIT);
}

/// Reads from a mapped file after somebody has made it shorter.
static int readShorterFile() {
  int File = ::memfd_create("mapped", 0);
  if (File < 0 || ::ftruncate(File, 1) != 0)
    return 1;
  void *Mapped = ::mmap(nullptr, 1, PROT_READ, MAP_SHARED, File, 0);
  if (Mapped == MAP_FAILED || ::ftruncate(File, 0) != 0)
    return 1;
  return *static_cast<volatile char *>(Mapped);
}

TEST(Startup, AFileThatBecomesShorterIsAnError) {
  EXPECT_EQ(run([] {
              handleSignals(IgnoredSignals());
              return readShorterFile();
            }),
            Failure);
}

TEST(Startup, AnyOtherBusErrorIsACrash) {
  EXPECT_EQ(run([] {
              handleSignals(IgnoredSignals());
              ::raise(SIGBUS);
              return 7;
            }),
            128 + SIGBUS);
}
