// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder that goes with its test.

#ifndef LINESMAN_TEST_TEMPORARYFOLDER_H
#define LINESMAN_TEST_TEMPORARYFOLDER_H

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

class TemporaryFolder {
public:
  TemporaryFolder() {
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("linesman-test", Path));
  }
  ~TemporaryFolder() { llvm::sys::fs::remove_directories(Path); }

  std::string file(llvm::StringRef Name) const {
    llvm::SmallString<128> Whole = Path;
    llvm::sys::path::append(Whole, Name);
    return Whole.str().str();
  }
  std::string write(llvm::StringRef Name, llvm::StringRef Text) const {
    std::error_code EC;
    llvm::raw_fd_ostream OS(file(Name), EC);
    EXPECT_FALSE(EC);
    OS << Text;
    return file(Name);
  }
  std::string read(llvm::StringRef Name) const {
    auto Buffer = llvm::MemoryBuffer::getFile(file(Name));
    return Buffer ? (*Buffer)->getBuffer().str() : "(missing)";
  }

private:
  llvm::SmallString<128> Path;
};

#endif // LINESMAN_TEST_TEMPORARYFOLDER_H
