// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What profilers write, taken apart into places and counts. Only where a thread
// was counts, not who called: a chain of calls is its innermost frame.
//
//     perf script               text, one sample a line or a line and its
//     frames CPUPROFILE of gperftools  64-bit words, then /proc/PID/maps
//     profile.proto of pprof    uncompressed

#ifndef LINESMAN_LIB_INPUT_SAMPLEFORMATS_H
#define LINESMAN_LIB_INPUT_SAMPLEFORMATS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>

namespace linesman::input {

/// Samples at one place.
struct SamplePlace {
  /// The file that the code is of, as the profiler has it; empty where it does
  /// not say.
  llvm::StringRef File;
  /// Of the function; empty where only the offset is known.
  llvm::StringRef Symbol;
  /// In the file.
  std::optional<uint64_t> FileOffset;
  /// Where it was in memory; 0 where the profiler does not say.
  uint64_t Address = 0;
  double Count = 1;
};

using SampleVisitor = llvm::function_ref<void(const SamplePlace &)>;

enum class SampleFormat : uint8_t {
  /// Linesman's own: a place and a count, one a line.
  Lines,
  PerfScript,
  Gperftools,
  Pprof,
  /// gzip's, which is not read.
  Compressed,
};

SampleFormat guessFormat(llvm::StringRef Bytes);

/// Each reads \p Bytes of its format; fails where they end too early or say
/// what can not be.
llvm::Error visitPerfScript(llvm::StringRef Bytes, SampleVisitor Visit);
llvm::Error visitGperftools(llvm::StringRef Bytes, SampleVisitor Visit);
llvm::Error visitPprof(llvm::StringRef Bytes, SampleVisitor Visit);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_SAMPLEFORMATS_H
