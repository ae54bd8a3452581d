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

/// Reads the code of \p Elf and calls \p Visit for each fact, in the order of
/// addresses, whatever the number of threads. \p HasFacts says which functions
/// to leave out; it is called by several threads at once.
llvm::Error
readMachineFacts(const ElfFile &Elf, const layout::Image &Of,
                 llvm::function_ref<bool(const CodeFunction &)> HasFacts,
                 llvm::function_ref<void(const facts::Fact &)> Visit,
                 CodeCounts &Counts);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_MACHINEFACTS_H
