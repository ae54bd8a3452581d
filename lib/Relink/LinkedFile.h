// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run of the linker.

#ifndef LINESMAN_LIB_RELINK_LINKEDFILE_H
#define LINESMAN_LIB_RELINK_LINKEDFILE_H

#include "ReadLink.h"

namespace linesman::relink {

/// Links speak of copies and temporary files, people of inputs and the output.
class MeantNames {
public:
  void add(std::string Said, std::string Meant) {
    Names.push_back({std::move(Said), std::move(Meant)});
  }
  /// \p Text with every name as it is meant.
  std::string in(llvm::StringRef Text) const;

private:
  std::vector<std::pair<std::string, std::string>> Names;
};

/// What a link made.
struct LinkedFile {
  std::string Path;
  /// What the linker printed though it did not fail.
  std::string Said;
  MeantNames Names;
};

/// Runs the linker of \p Link with the words of \p Command, which are its own
/// or copies of its inputs, into \p Path. \p Output is the file that the user
/// will have.
llvm::Expected<LinkedFile> linkTo(llvm::StringRef Path, const ReadLink &Link,
                                  llvm::ArrayRef<std::string> Command,
                                  llvm::StringRef Output,
                                  const ScratchFolder &Scratch);

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_LINKEDFILE_H
