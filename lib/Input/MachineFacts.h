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
  /// See layout::GraphNode.
  bool NeverReturns = false;
  bool LeavesLock = false;
  /// See layout::OwnFlag.
  llvm::SmallVector<uint64_t, 0> OwnFlagsSet = {};
};

/// Bytes of code of a library that are decoded for who calls whom.
inline constexpr uint64_t MostLibraryCode = 8 << 20;

/// Where facts go.
struct CodeVisitor {
  llvm::function_ref<void(const facts::Fact &)> Fact;
  /// Not called for a program without main or without a way to start a thread,
  /// and for a library of more than MostLibraryCode: then who runs what can not
  /// be told, and most functions need not be decoded.
  llvm::function_ref<void(const FunctionCalls &)> Calls = nullptr;
  /// A function that other modules can call, by its address.
  llvm::function_ref<void(layout::LinkAddress)> Export = nullptr;
  /// The functions whose addresses initialised data holds; once, at the end.
  llvm::function_ref<void(llvm::ArrayRef<facts::CallEdge>)> Tables = nullptr;
  /// What functions do with pointers that may be to an object; at the end.
  llvm::function_ref<void(const facts::PointerFacts &)> Pointers = nullptr;
  /// All that functions do with pointers, of those that are wanted, by their
  /// addresses; at the end.
  llvm::function_ref<bool(layout::LinkAddress)> WantsUses = nullptr;
  llvm::function_ref<void(const facts::PointerFacts &)> Uses = nullptr;
  Unreached DeadCode = Unreached::Skip;
  /// Functions that nothing leads to, by address, where they are known already;
  /// or null.
  const llvm::DenseSet<uint64_t> *Dead = nullptr;
};

/// Reads the code of \p Elf and calls \p Visit for each fact, in the order of
/// addresses, whatever the number of threads. \p HasFacts says which functions
/// to leave out; it is called by several threads at once. Names are those of
/// \p Symbols, and of \p Mini, if it is not null. Pages of \p File, which \p
/// Elf reads, are given back to the system as soon as they have been read.
llvm::Error
readMachineFacts(const ElfFile &Elf, const ElfFile &Symbols,
                 const ElfFile *Mini, const llvm::MemoryBuffer &File,
                 const layout::Image &Owner,
                 llvm::function_ref<bool(layout::LinkAddress)> HasFacts,
                 CodeVisitor Visit, CodeCounts &Counts);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_MACHINEFACTS_H
