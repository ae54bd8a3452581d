// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What clang-tidy found, as findings on the rung "suspected".

#ifndef LINESMAN_INPUT_READTIDY_H
#define LINESMAN_INPUT_READTIDY_H

#include "linesman/Layout/Suspected.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace linesman::input {

/// What was read, and what was passed over.
struct TidyResults {
  /// In the order of the file, each once: a header's warning comes from every
  /// unit that includes it.
  std::vector<layout::SuspectedFinding> Findings;
  /// Diagnostics of other checks.
  uint64_t OtherChecks = 0;
  /// Errors of the compiler: clang-tidy has not seen all of the code.
  uint64_t CompileErrors = 0;
  /// Why it may be that no check of ours ran; empty where nothing says so.
  std::string Blind;
};

/// Reads the file that clang-tidy --export-fixes wrote (YAML), or what
/// clang-tidy printed. Line numbers of the former come from the sources, where
/// they can be read. Fails on YAML that is something else, and
/// on what is no text.
llvm::Expected<TidyResults> readTidy(llvm::MemoryBufferRef File);

} // namespace linesman::input

#endif // LINESMAN_INPUT_READTIDY_H
