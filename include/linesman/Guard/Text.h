// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that strangers wrote, for people: a symbol or a file may be called
// anything, and what prints it must not obey it.

#ifndef LINESMAN_GUARD_TEXT_H
#define LINESMAN_GUARD_TEXT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace linesman::guard {

/// \p Mangled as the source has it: Itanium, Rust and D names, others as they
/// are. A name that is too long, or whose demangled form would be, stays
/// mangled: substitutions double with each level, and nesting costs stack.
/// Control characters are escaped.
std::string demangle(llvm::StringRef Mangled);

/// \p Text without what brackets enclose, and without them.
std::string withoutBrackets(llvm::StringRef Text, char Open, char Close);

/// \p Text on one line without anything that a terminal or another tool could
/// obey: control characters, also those of Unicode, marks that turn the
/// direction of writing, and bytes that are no UTF-8 become \n, \t, \xNN and
/// \uNNNN.
std::string printable(llvm::StringRef Text);

/// \p Word as a shell reads it back: in quotes where it would obey it.
std::string quoteForShell(llvm::StringRef Word);

/// Several words, with a blank between them.
std::string quoteCommand(llvm::ArrayRef<std::string> Words);

/// Writes to another stream what printable makes of it, line by line: newlines
/// and tabs stay. Names that are printed have been escaped before. JSON stays
/// the same value, as its writer escapes what is below a space.
class PrintableStream : public llvm::raw_ostream {
public:
  explicit PrintableStream(llvm::raw_ostream &Stream) : Stream(Stream) {}
  ~PrintableStream() override;

private:
  llvm::raw_ostream &Stream;
  /// The beginning of a character whose end has not been written yet.
  llvm::SmallString<4> Begun;
  uint64_t Written = 0;

  void write_impl(const char *Bytes, size_t Size) override;
  uint64_t current_pos() const override { return Written; }
};

} // namespace linesman::guard

#endif // LINESMAN_GUARD_TEXT_H
