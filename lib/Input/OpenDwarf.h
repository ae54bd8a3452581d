// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens the DWARF of a binary, from wherever it is.

#ifndef LINESMAN_LIB_INPUT_OPENDWARF_H
#define LINESMAN_LIB_INPUT_OPENDWARF_H

#include "linesman/Input/ReadBinary.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ObjectFile.h"
#include <functional>

namespace linesman::input {

struct OpenedDwarf {
  std::unique_ptr<llvm::object::ObjectFile> Object;
  /// Null without DWARF, and for a file that LLVM's general reader refuses.
  std::unique_ptr<llvm::DWARFContext> Context;
};

/// \p File must outlive the result. \p Complain is told what is damaged.
OpenedDwarf openDwarf(const Binary &File,
                      std::function<void(llvm::Error)> Complain);

/// Runs \p Read and says whether it came to its end: LLVM's reader crashes on
/// some damaged tables (see LineTableNames.h for one that is known). What it
/// worked on is then in no state to be used, nor to be destroyed. Works where
/// the tool has enabled llvm::CrashRecoveryContext; elsewhere, and in builds
/// with a sanitizer or for a fuzzer, a crash is a crash.
[[nodiscard]] bool survives(llvm::function_ref<void()> Read);

/// Said wherever something was survived.
inline constexpr llvm::StringLiteral CrashReport =
    "a defect of LLVM; please report it there with this binary and what "
    "llvm-dwarfdump --verify says of it";

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_OPENDWARF_H
