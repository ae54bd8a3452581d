// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One link: what was run, and where.

#ifndef LINESMAN_RELINK_LINK_H
#define LINESMAN_RELINK_LINK_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/FileUtilities.h"
#include <string>
#include <vector>

namespace linesman::relink {

struct Link {
  /// The program and its arguments, response files expanded.
  std::vector<std::string> Command;
  /// Where it ran; empty is here.
  std::string Folder;
  /// "NAME=value": what GCC's driver tells its linker plugin.
  std::vector<std::string> Environment;

  /// A file of the command, seen from here.
  std::string path(llvm::StringRef File) const;
};

/// Whether a program's name is a linker's ("ld.lld", "/usr/bin/x-ld", "mold")
/// and not a compiler driver's.
enum class ProgramKind : uint8_t { Linker, Driver };
ProgramKind kindOfProgram(llvm::StringRef Program);

/// The output that a command names, the last one; "a.out" if none.
std::string outputOf(llvm::ArrayRef<std::string> Command);

/// \p Command with the words of its "@FILE"s in their place.
llvm::Expected<std::vector<std::string>>
expandResponseFiles(llvm::ArrayRef<std::string> Command,
                    llvm::StringRef Folder);

/// \p Command, or where it is too long to be run, its program and "@PATH" with
/// the words in this new file, which \p Remover removes.
llvm::Expected<std::vector<std::string>>
shortenCommand(std::vector<std::string> Command, llvm::StringRef Path,
               llvm::FileRemover &Remover);

} // namespace linesman::relink

#endif // LINESMAN_RELINK_LINK_H
