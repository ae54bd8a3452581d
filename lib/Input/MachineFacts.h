// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts from machine code, for functions that have none of a compiler:
//
//     readCodeFunctions ─▶ mayTouchData ─▶ StepDecoder ─▶ recoverControlFlow
//                      (most end        │ Steps        │ Blocks
//                       here)           ▼              ▼
//                              followRegisters ─▶ FoundAccess ─▶ facts::Fact

#ifndef LINESMAN_LIB_INPUT_MACHINEFACTS_H
#define LINESMAN_LIB_INPUT_MACHINEFACTS_H

#include "CodeMap.h"
#include "linesman/Facts/Facts.h"

namespace linesman::input {

/// What a function calls.
struct FunctionCalls {
  facts::Calls Calls;
  llvm::StringRef Caller;
  /// The caller runs before or after main only, by its name.
  bool IsInitializer = false;
};

/// Where facts go.
struct CodeVisitor {
  llvm::function_ref<void(const facts::Fact &)> Fact;
  /// Not called for a binary without main or without a way to start a thread:
  /// then who runs what can not be told, and most functions need not be
  /// decoded.
  llvm::function_ref<void(const FunctionCalls &)> Calls = nullptr;
};

/// Reads the code of \p Elf and calls \p Visit for each fact, in the order of
/// addresses, whatever the number of threads. \p HasFacts says which functions
/// to leave out; it is called by several threads at once. Names are those of
/// \p Symbols. Pages of \p File, which \p Elf reads, are given back to the
/// system as soon as they have been read.
llvm::Error
readMachineFacts(const ElfFile &Elf, const ElfFile &Symbols,
                 const llvm::MemoryBuffer &File, const layout::Image &Of,
                 llvm::function_ref<bool(layout::LinkAddress)> HasFacts,
                 CodeVisitor Visit, CodeCounts &Counts);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_MACHINEFACTS_H
