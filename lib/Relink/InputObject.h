// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objects of a link command and the data that they define.

#ifndef LINESMAN_LIB_RELINK_INPUTOBJECT_H
#define LINESMAN_LIB_RELINK_INPUTOBJECT_H

#include "llvm/Object/ELF.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <string>
#include <vector>

namespace linesman::relink {

using Elf = llvm::object::ELF64LE;

enum class DefinitionBinding : uint8_t { Global, Weak, Local };

/// The same division as layout::SectionKind, before the link.
enum class DefinitionKind : uint8_t { ReadOnly, Writable, Relro, ThreadLocal };

/// A data symbol in an input object.
struct Definition {
  llvm::StringRef Name;
  /// The source file of a local symbol.
  llvm::StringRef File;
  /// Index of the section; nothing for a common symbol.
  std::optional<uint32_t> Section;
  /// Position in the symbol table.
  uint32_t SymbolIndex = 0;
  /// From the section's start; 0 for a common symbol.
  uint64_t Offset = 0;
  uint64_t Size = 0;
  /// Of the section, or of the common symbol.
  uint64_t Alignment = 1;
  DefinitionBinding Binding = DefinitionBinding::Global;
  DefinitionKind Kind = DefinitionKind::ReadOnly;
};

/// A relocatable file of the link command.
struct InputObject {
  /// Which argument of the command names it.
  size_t Argument = 0;
  std::string Path;
  std::unique_ptr<llvm::MemoryBuffer> File;
  std::vector<Definition> Definitions;
};

/// The files of a command that could define data, by what they are.
struct LinkInputs {
  std::vector<InputObject> Objects;
  /// Not searched: said where a symbol is not found.
  unsigned Archives = 0, LtoObjects = 0, Sources = 0;
};

/// Finds the input files among the arguments of a link command and reads the
/// objects' data symbols.
llvm::Expected<LinkInputs> readInputs(llvm::ArrayRef<std::string> Command);

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_INPUTOBJECT_H
