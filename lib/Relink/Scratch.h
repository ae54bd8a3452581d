// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A folder for the copies of one relink.

#ifndef LINESMAN_LIB_RELINK_SCRATCH_H
#define LINESMAN_LIB_RELINK_SCRATCH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace linesman::relink {

/// A folder that goes when the relink is over.
class ScratchFolder {
public:
  static llvm::Expected<ScratchFolder> create();
  ScratchFolder(ScratchFolder &&Other) : Path(std::move(Other.Path)) {
    Other.Path.clear();
  }
  ~ScratchFolder();

  const std::string &path() const { return Path; }
  std::string file(const llvm::Twine &Name) const {
    return (Path + "/" + Name).str();
  }

private:
  explicit ScratchFolder(llvm::StringRef Path) : Path(Path) {}
  std::string Path;
};

/// Puts the file \p New into the place of \p Old, if there is one, in one step:
/// whoever looks sees one of them, whole.
llvm::Error replaceFile(llvm::StringRef Old, llvm::StringRef New);

llvm::Error writeFile(llvm::StringRef Path,
                      llvm::function_ref<void(llvm::raw_ostream &)> Write);
llvm::Error writeFile(llvm::StringRef Path, llvm::ArrayRef<char> Bytes);

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_SCRATCH_H
