// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file for several readers, and one that is cut while it is open.

#include "linesman/Process/FileBytes.h"
#include "../TemporaryFolder.h"
#include <gtest/gtest.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::process;

namespace {

class FileBytesTest : public testing::Test {
protected:
  TemporaryFolder Folder;

  /// A file of \p Size bytes 'x', open.
  FileBytes open(size_t Size) {
    Path = Folder.write("file", std::string(Size, 'x'));
    return std::move(*MemoryBuffer::getFile(Path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false));
  }
  void cut(size_t Size) { ASSERT_EQ(::truncate(Path.c_str(), Size), 0); }
  std::string Path;
  /// So large that it is mapped, with a last page that is not full.
  const size_t Large = 100'000;
};

TEST_F(FileBytesTest, EachReaderHasTheSameBytesForAsLongAsItLives) {
  FileBytes Open = open(Large);
  ASSERT_EQ(Open->getBufferKind(), MemoryBuffer::MemoryBuffer_MMap);
  std::unique_ptr<MemoryBuffer> One = cantFail(handOn(Open));
  std::unique_ptr<MemoryBuffer> Two = cantFail(handOn(Open));
  EXPECT_EQ(One->getBufferStart(), Two->getBufferStart());
  EXPECT_EQ(One->getBufferKind(), Open->getBufferKind());
  EXPECT_EQ(One->getBufferIdentifier(), Path);
  Open.reset();
  One.reset();
  EXPECT_EQ(Two->getBuffer(), std::string(Large, 'x'));
}

TEST_F(FileBytesTest, WhatWasCutIsNotTouched) {
  for (size_t Left : {0, 50'000}) {
    FileBytes Open = open(Large);
    cut(Left);
    EXPECT_EQ(toString(handOn(Open).takeError()),
              "'" + Path + "': became shorter since it was opened");
  }
}

TEST_F(FileBytesTest, AnotherFileAtItsPathIsNoReason) {
  FileBytes Open = open(Large);
  ASSERT_EQ(::unlink(Path.c_str()), 0);
  Folder.write("file", "short");
  EXPECT_EQ(cantFail(handOn(Open))->getBuffer(), std::string(Large, 'x'));
}

TEST_F(FileBytesTest, ASmallFileWasCopied) {
  FileBytes Open = open(100);
  ASSERT_NE(Open->getBufferKind(), MemoryBuffer::MemoryBuffer_MMap);
  cut(0);
  EXPECT_EQ(cantFail(handOn(Open))->getBuffer(), std::string(100, 'x'));
}

TEST_F(FileBytesTest, AnEmptyFileIsWhole) {
  EXPECT_EQ(cantFail(handOn(open(0)))->getBufferSize(), 0u);
}

} // namespace
