// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Documents that strangers wrote: plans, locks, links, settings, reports.

#ifndef LINESMAN_GUARD_DOCUMENT_H
#define LINESMAN_GUARD_DOCUMENT_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace linesman::guard {

/// No document is longer, in bytes.
inline constexpr uint64_t MostBytes = uint64_t(256) << 20;
/// No document nests deeper.
inline constexpr unsigned MostDepth = 100;

enum class Source : uint8_t {
  File,
  /// "-" is standard input, whatever that is.
  FileOrStandardInput,
};

/// Whether \p Path is there and is a device, a pipe or a socket: opening it may
/// do something, and reading it may never end.
bool isStream(llvm::StringRef Path);

/// The contents of the regular file \p Path, read and not mapped: it may change
/// meanwhile. Fails, naming \p Path, for anything else (a device or a pipe may
/// never end) and for more than \p Most bytes.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readDocument(llvm::StringRef Path, Source Origin = Source::File,
             uint64_t Most = MostBytes);

/// The regular file \p Path, mapped: for binaries, which are large. Fails,
/// naming
/// \p Path, for anything else.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
mapFile(llvm::StringRef Path);

/// Fails where it is no JSON or nests deeper than MostDepth; the parser would
/// take a level of the stack for each.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef Text);

/// Both; the error names \p Path.
llvm::Expected<llvm::json::Value> readJson(llvm::StringRef Path,
                                           Source Origin = Source::File);

/// Fails where \p Text is no YAML ("line N: ...") or nests deeper than
/// MostDepth, so that LLVM's reader, which recurses, may read it.
llvm::Error checkYaml(llvm::StringRef Text);

} // namespace linesman::guard

#endif // LINESMAN_GUARD_DOCUMENT_H
