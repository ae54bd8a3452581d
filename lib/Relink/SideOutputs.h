// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a link writes beside its output: maps, dependencies. A relink links more
// than once, with names that will not be there, and may fail: so they go into
// the scratch folder first.

#ifndef LINESMAN_LIB_RELINK_SIDEOUTPUTS_H
#define LINESMAN_LIB_RELINK_SIDEOUTPUTS_H

#include "Scratch.h"
#include "linesman/Relink/Link.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace linesman::relink {

class SideOutputs {
public:
  SideOutputs() = default;
  /// Changes the words of the linker's command \p Original that name them.
  SideOutputs(Link &Original, const ScratchFolder &Scratch);

  /// The dependencies are those of the link that has run: the inputs of
  /// \p Next are temporary.
  void keepDependencies(Link &Next) const;

  /// Writes what the last link made to where its command wanted it.
  llvm::Error
  write(llvm::function_ref<std::string(llvm::StringRef)> Rename) const;

private:
  struct SideOutput {
    bool IsDependencies = false;
    std::string Made, Wanted;
  };
  std::vector<SideOutput> All;
};

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_SIDEOUTPUTS_H
