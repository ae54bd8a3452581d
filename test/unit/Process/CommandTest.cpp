// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Commands in groups of their own.

#include "linesman/Process/Command.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "gtest/gtest.h"
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>

using namespace llvm;
using namespace linesman::process;

namespace {

/// A shell that writes into a file without a name.
struct Shell {
  Descriptor Output{::memfd_create("output", MFD_CLOEXEC)};
  std::unique_ptr<Command> Process;

  explicit Shell(std::string Text) {
    const std::string Words[] = {"/bin/sh", "-c", std::move(Text)};
    auto Started = Command::start({Words, Output.get(), Output.get()});
    Process = cantFail(std::move(Started));
  }
  /// Until it says that it is up.
  void start() {
    Process->release();
    for (int Left = 1000; Left && text() != "up\n"; --Left)
      Process->hasEnded(10);
    EXPECT_EQ(text(), "up\n");
  }
  std::string text() const {
    char Bytes[256];
    ssize_t Size = ::pread(Output.get(), Bytes, sizeof Bytes, 0);
    return std::string(Bytes, std::max<ssize_t>(Size, 0));
  }
};

TEST(Command, ItsOutputAndItsEnd) {
  Shell S("read line; echo one; echo two >&2; exit 3");
  S.Process->release();
  CommandEnd End = S.Process->wait();
  ASSERT_TRUE(WIFEXITED(End.Status));
  EXPECT_EQ(WEXITSTATUS(End.Status), 3);
  EXPECT_EQ(S.text(), "one\ntwo\n");
}

TEST(Command, ItStandsStillUntilItsRelease) {
  Shell S("echo done");
  EXPECT_FALSE(S.Process->hasEnded(20));
  EXPECT_EQ(S.text(), "");
  S.Process->release();
  S.Process->wait();
  EXPECT_EQ(S.text(), "done\n");
}

TEST(Command, AProgramThatIsNotThereEndsWith127) {
  const std::string Words[] = {"/nowhere/program"};
  auto Started = cantFail(Command::start({Words}));
  Started->release();
  EXPECT_EQ(WEXITSTATUS(Started->wait().Status), 127);
}

TEST(Command, ASignalToItsGroupReachesWhatItHasStarted) {
  Shell S("trap : TERM; echo up; sleep 1000; echo $?");
  S.start();
  // The shell may not have started it yet.
  for (int Left = 1000; Left && !S.Process->hasEnded(10); --Left)
    S.Process->askGroup(SIGTERM);
  ASSERT_TRUE(S.Process->hasEnded(0));
  S.Process->wait();
  // The shell may also say that its child was terminated.
  EXPECT_TRUE(StringRef(S.text()).ends_with("143\n")) << S.text();
}

TEST(Command, NothingOfItsGroupIsLeft) {
  int Pipe[2];
  ASSERT_EQ(::pipe2(Pipe, 0), 0);
  {
    // Who has the end for writing lives.
    Shell S("sleep 1000 & echo up; sleep 1000");
    S.start();
    ::close(Pipe[1]);
  }
  char Byte;
  EXPECT_EQ(::read(Pipe[0], &Byte, 1), 0);
  ::close(Pipe[0]);
}

} // namespace
