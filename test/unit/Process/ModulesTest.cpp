// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps, load biases, and this very program as a process with modules.

#include "linesman/Process/Modules.h"
#include "../TemporaryFolder.h"
#include "linesman/Process/State.h"
#include "llvm/BinaryFormat/Magic.h"
#include <gtest/gtest.h>
#include <unistd.h>

using namespace linesman::process;

namespace {

TEST(Mappings, AreParsed) {
  std::vector<Mapping> Maps =
      parseMappings("55d0-55d1 r--p 00000000 fe:00 12 /usr/bin/with blank\n"
                    "nonsense\n"
                    "7ffc00000000-7ffc00001000 rw-p 00002000 00:00 0 [stack]\n"
                    "10000-11000 ---p 00000000 00:00 0\n");
  ASSERT_EQ(Maps.size(), 3u);
  EXPECT_EQ(Maps[0].Path, "/usr/bin/with blank");
  EXPECT_EQ(Maps[0].FileId, "fe:00 12");
  EXPECT_TRUE(Maps[0].isFile());
  EXPECT_EQ(Maps[1].FileOffset, 0x2000u);
  EXPECT_EQ(Maps[1].Range.Begin.Value, 0x7ffc00000000u);
  EXPECT_FALSE(Maps[1].isFile());
  EXPECT_EQ(Maps[2].Permissions, "---p");
}

TEST(Mappings, SharedOnes) {
  std::vector<Mapping> Maps =
      parseMappings("10000-11000 rw-s 00000000 00:01 7 /dev/zero (deleted)\n"
                    "11000-12000 rw-p 00000000 00:00 0\n");
  EXPECT_FALSE(isShared(Maps, {0xffc0}));
  EXPECT_TRUE(isShared(Maps, {0x10000}));
  EXPECT_TRUE(isShared(Maps, {0x10fc0}));
  EXPECT_FALSE(isShared(Maps, {0x11000}));
}

TEST(Ranges, CommonPart) {
  RunRange A = {{0x1000}, {0x3000}}, B = {{0x2000}, {0x4000}};
  EXPECT_EQ(intersect(A, B), (RunRange{{0x2000}, {0x3000}}));
  EXPECT_EQ(intersect(A, RunRange{{0x3000}, {0x4000}}).size(), 0u);
  EXPECT_EQ(intersect(RunRange{{0x9000}, {0xa000}}, A).size(), 0u);
}

TEST(Modules, BiasBelongsToOneModule) {
  Module M{"prog", "prog", {0x10000}, {{{0x1000}, 0x500, 0x1000, 0x100}}};
  EXPECT_TRUE(M.contains({0x11000}));
  EXPECT_TRUE(M.contains({0x114ff}));
  EXPECT_FALSE(M.contains({0x11500}));
  // A line that begins before it, and one that ends before it.
  EXPECT_TRUE(M.holdsPartOf({0x10fe0}, 64));
  EXPECT_FALSE(M.holdsPartOf({0x10fc0}, 64));
  EXPECT_TRUE(M.holdsPartOf({0x114ff}, 64));
  EXPECT_FALSE(M.holdsPartOf({0x11500}, 64));
  EXPECT_EQ(M.Bias.toLink({0x11010}).Value, 0x1010u);
  EXPECT_EQ(M.Bias.toRun({0x1010}).Value, 0x11010u);
}

TEST(Modules, RelroIsNoPlace) {
  Module::Segment Relro{{0x1000}, 0x500, 0x1000, 0x100, true, true};
  EXPECT_FALSE((Module{"prog", "prog", {0}, {Relro}}.contains({0x1010})));
}

int OwnVariable = 1;

TEST(Modules, OfThisProcess) {
  llvm::Expected<ModuleMap> Map = ModuleMap::read({::getpid()});
  ASSERT_TRUE(bool(Map)) << llvm::toString(Map.takeError());
  llvm::Expected<std::string> Program = executablePath({::getpid()});
  ASSERT_TRUE(bool(Program)) << llvm::toString(Program.takeError());
  EXPECT_EQ(Map->modules().front().Path, *Program);
  auto Address = reinterpret_cast<uintptr_t>(&OwnVariable);
  EXPECT_EQ(Map->find({Address}), &Map->modules().front());
  auto Function = reinterpret_cast<uintptr_t>(&::getpid);
  const Module *Libc = Map->find({Function});
  ASSERT_NE(Libc, nullptr);
  EXPECT_EQ(Libc->Bias.toRun(Libc->Bias.toLink({Function})).Value, Function);
  int OnStack = 0;
  EXPECT_EQ(Map->find({reinterpret_cast<uintptr_t>(&OnStack)}), nullptr);
}

TEST(Modules, StayOpen) {
  TemporaryFolder Folder;
  const std::string Program = llvm::cantFail(executablePath({::getpid()}));
  const std::string Copy = Folder.file("copy");
  ASSERT_FALSE(llvm::sys::fs::copy_file(Program, Copy));
  std::vector<Mapping> Mappings = llvm::cantFail(readMappings({::getpid()}));
  llvm::erase_if(Mappings, [&](const Mapping &M) { return M.Path != Program; });
  auto build = [&](const ModuleMap &Known) {
    return ModuleMap::build(
        Mappings, Program, [&](const Mapping &) { return Copy; }, Known);
  };
  const ModuleMap First = build({});
  ASSERT_EQ(First.modules().size(), 1u);
  ASSERT_FALSE(llvm::sys::fs::remove(Copy));
  EXPECT_EQ(build({}).modules().size(), 0u);
  // What is open needs no path.
  const ModuleMap Again = build(First);
  ASSERT_EQ(Again.modules().size(), 1u);
  EXPECT_EQ(Again.modules()[0].Bytes, First.modules()[0].Bytes);
  EXPECT_EQ(llvm::identify_magic(Again.modules()[0].Bytes->getBuffer()),
            llvm::identify_magic(
                (*llvm::MemoryBuffer::getFile(Program))->getBuffer()));
  EXPECT_EQ(Again.find({reinterpret_cast<uintptr_t>(&OwnVariable)}),
            &Again.modules()[0]);
  // Another file has come to the same path.
  for (Mapping &M : Mappings)
    M.FileId = "00:00 0";
  EXPECT_EQ(build(First).modules().size(), 0u);
}

} // namespace
