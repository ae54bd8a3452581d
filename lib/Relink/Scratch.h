// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folders for what one relink makes before it is done. Each is locked while its
// process lives, so that the next run can tell what a killed one left behind.

#ifndef LINESMAN_LIB_RELINK_SCRATCH_H
#define LINESMAN_LIB_RELINK_SCRATCH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <utility>

namespace linesman::relink {

/// A folder that goes when the relink is over. Making one collects those that
/// killed relinks left at the same place.
class ScratchFolder {
public:
  /// In the folder for temporary files.
  static llvm::Expected<ScratchFolder> create();
  /// "FILE.XXXXXXXX.linesman": what is made there can be renamed to \p File.
  static llvm::Expected<ScratchFolder> createBeside(llvm::StringRef File);
  ScratchFolder(ScratchFolder &&Other)
      : Path(std::move(Other.Path)), Lock(std::exchange(Other.Lock, -1)) {
    Other.Path.clear();
  }
  ~ScratchFolder();

  const std::string &path() const { return Path; }
  std::string file(const llvm::Twine &Name) const {
    return (Path + "/" + Name).str();
  }

private:
  ScratchFolder(std::string Path, int Lock)
      : Path(std::move(Path)), Lock(Lock) {}
  static llvm::Expected<ScratchFolder> make(const llvm::Twine &Prefix,
                                            llvm::StringRef Suffix);
  std::string Path;
  /// The open folder.
  int Lock = -1;
};

/// Puts the file \p New into the place of \p Old, if there is one, in one step:
/// whoever looks sees one of them, whole.
llvm::Error replaceFile(llvm::StringRef Old, llvm::StringRef New);

llvm::Error writeFile(llvm::StringRef Path,
                      llvm::function_ref<void(llvm::raw_ostream &)> Write);
llvm::Error writeFile(llvm::StringRef Path, llvm::ArrayRef<char> Bytes);

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_SCRATCH_H
