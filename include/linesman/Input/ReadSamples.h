// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a sampling profiler saw, as text: a place and a count, one a line.
//
//     worker+0x1f 1200       the linker's or the demangled name
//     0x401a3c 7             a link-time address
//     # a comment

#ifndef LINESMAN_INPUT_READSAMPLES_H
#define LINESMAN_INPUT_READSAMPLES_H

#include "linesman/Input/ReadBinary.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"

namespace linesman::input {

/// Samples by function.
struct Samples {
  /// By the function's link-time address.
  llvm::DenseMap<uint64_t, double> OfFunction;
  /// Samples at places that no function of the binary has: of other binaries
  /// and the kernel.
  double Elsewhere = 0;
};

/// Reads \p Path, of a run of \p File. Fails with a message that names the file
/// and the line: it can not be read, a line has no count, or its place is
/// neither an address nor SYMBOL+0xOFFSET.
llvm::Expected<Samples> readSamples(llvm::StringRef Path, const Binary &File);

} // namespace linesman::input

#endif // LINESMAN_INPUT_READSAMPLES_H
