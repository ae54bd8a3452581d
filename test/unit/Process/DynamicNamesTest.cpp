// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This program's own libraries, and what is damaged.

#include "linesman/Process/DynamicNames.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/MemoryBuffer.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace linesman::process;

namespace {

constexpr char Self[] = "/proc/self/exe";

TEST(DynamicNames, OfThisProgram) {
  DynamicNames Names = readDynamicNamesOfFile(Self);
  EXPECT_EQ(Names.Soname, "");
  EXPECT_TRUE(is_contained(Names.Needed, "libc.so.6"));
}

TEST(DynamicNames, OfWhatIsNoProgram) {
  EXPECT_TRUE(readDynamicNames("no program").Needed.empty());
  EXPECT_TRUE(readDynamicNames("").Needed.empty());
  EXPECT_TRUE(readDynamicNamesOfFile("/nowhere").Needed.empty());
}

TEST(DynamicNames, OfACutProgram) {
  auto File = MemoryBuffer::getFile(Self, false, false);
  ASSERT_TRUE(bool(File));
  StringRef Bytes = (*File)->getBuffer();
  const DynamicNames Whole = readDynamicNames(Bytes);
  for (size_t Size = 0; Size < Bytes.size(); Size += Bytes.size() / 64 + 1)
    for (const std::string &Name :
         readDynamicNames(Bytes.take_front(Size)).Needed)
      EXPECT_TRUE(is_contained(Whole.Needed, Name));
}

TEST(DynamicNames, OfASegmentThatIsLongerThanTheFile) {
  auto File = MemoryBuffer::getFile(Self, false, false);
  ASSERT_TRUE(bool(File));
  std::string Bytes = (*File)->getBuffer().str();
  auto Elf = object::ELFFile<object::ELF64LE>::create(Bytes);
  ASSERT_TRUE(bool(Elf));
  unsigned Damaged = 0;
  for (const auto &Segment : cantFail(Elf->program_headers()))
    if (Segment.p_type == ELF::PT_DYNAMIC) {
      const_cast<object::ELF64LE::Phdr &>(Segment).p_filesz = uint64_t(1) << 62;
      ++Damaged;
    }
  ASSERT_EQ(Damaged, 1u);
  EXPECT_TRUE(readDynamicNames(Bytes).Needed.empty());
}

} // namespace
