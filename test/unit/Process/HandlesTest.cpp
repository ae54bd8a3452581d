// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Descriptors of this process and of children.

#include "linesman/Process/Handles.h"
#include "linesman/Process/Command.h"
#include "linesman/Process/ProcFiles.h"
#include "linesman/Process/ProcessGroup.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <cerrno>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::process;

namespace {

std::unique_ptr<Command> start(std::string Program) {
  const std::string Words[] = {std::move(Program)};
  return cantFail(Command::start({Words}));
}

/// A number that no process has.
constexpr ProcessId NoProcess = {0x7fffffff};

TEST(Handles, AProcessIsReadableWhenItHasEnded) {
  auto Child = start("/bin/true");
  Descriptor File = openProcess(Child->process());
  ASSERT_TRUE(File.isOpen());
  pollfd Poll = {File.get(), POLLIN, 0};
  EXPECT_EQ(::poll(&Poll, 1, 0), 0) << "it stands before its program";
  Child->release();
  EXPECT_EQ(::poll(&Poll, 1, -1), 1);
  EXPECT_FALSE(openProcess(NoProcess).isOpen());
  EXPECT_EQ(errno, ESRCH);
}

TEST(Handles, APagemapHasEightBytesForEachPage) {
  Descriptor Map = cantFail(openPagemap({::getpid()}));
  uint64_t Entry = 0;
  const uint64_t Page = reinterpret_cast<uint64_t>(&Entry) / ::getpagesize();
  ASSERT_EQ(::pread(Map.get(), &Entry, sizeof Entry, Page * sizeof Entry), 8);
  EXPECT_TRUE(Entry >> 63) << "the page of a variable that is in use is there";
  EXPECT_EQ(toString(openPagemap(NoProcess).takeError()),
            "there is no process 2147483647");
}

TEST(Handles, OpenFilesAreListedWithWhatTheyReferTo) {
  Descriptor Memory(::memfd_create("a name", MFD_CLOEXEC));
  std::error_code Problem;
  std::vector<OpenFile> Files =
      listOpenFiles(procPath({::getpid()}, "fd"), Problem);
  EXPECT_FALSE(Problem);
  auto Found = find_if(
      Files, [&](const OpenFile &F) { return F.Number == Memory.get(); });
  ASSERT_NE(Found, Files.end());
  EXPECT_EQ(Found->Target, "/memfd:a name (deleted)");
  EXPECT_TRUE(listOpenFiles(procPath(NoProcess, "fd"), Problem).empty());
  EXPECT_EQ(Problem, std::errc::no_such_file_or_directory);
}

TEST(ProcFiles, AFieldOfAStatusFile) {
  StringRef Status = "Name:\tTracerPid: 7\nTracerPid:\t42\n"
                     "SigIgn:\t0000000000001000\n";
  EXPECT_EQ(statusField(Status, "TracerPid"), 42U);
  EXPECT_EQ(statusField(Status, "SigIgn", 16), 0x1000U);
  EXPECT_EQ(statusField(Status, "Pid"), std::nullopt);
}

TEST(ProcessGroup, HasWhomItsLeaderHasStarted) {
  auto Leader = start("/bin/true"), Other = start("/bin/true");
  EXPECT_EQ(listGroup(Leader->process()),
            std::vector<ProcessId>{Leader->process()});
  EXPECT_TRUE(is_contained(listGroup({::getpgrp()}), ProcessId{::getpid()}));
  EXPECT_TRUE(listGroup(NoProcess).empty());
}

TEST(ProcessGroup, NobodyHasWaited) {
  ProcessGroup Group(NoProcess);
  for (int I = 0; I != 30; ++I)
    Group.sample();
  EXPECT_EQ(Group.waitSeconds(), 0);
  EXPECT_GT(busySeconds(), 0) << "the machine has started";
}

} // namespace
