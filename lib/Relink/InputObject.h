// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The objects of a link command and the data that they define.

#ifndef LINESMAN_LIB_RELINK_INPUTOBJECT_H
#define LINESMAN_LIB_RELINK_INPUTOBJECT_H

#include "linesman/Relink/Link.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/FileSystem.h"
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
  /// That of any, as far as the object tells.
  llvm::StringRef Source;
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
  /// Its bytes are in the object, and not only promised to be zeros.
  bool IsInFile = false;
  /// Its section, where that is named so that the linker defines its bounds,
  /// __start_NAME and __stop_NAME: a program may walk it. Empty elsewhere.
  llvm::StringRef WalkedSection;
};

/// Whether an object holds a compiler's intermediate code: GCC's (slim or fat)
/// or LLVM's.
enum class CodeKind : uint8_t { Machine, Intermediate };

/// A relocatable file of the link, or a member of one of its archives.
struct InputObject {
  /// Which argument of the command names it, or its archive.
  size_t Argument = 0;
  /// "dir/a.o", or "dir/libx.a(a.o)".
  std::string Path;
  llvm::StringRef Bytes;
  /// Position in LinkInputs::Archives, and of the member's header in it.
  std::optional<size_t> Archive;
  uint64_t MemberOffset = 0;
  CodeKind Code = CodeKind::Machine;
  /// Once they are read.
  std::vector<Definition> Definitions;
  bool HasDefinitions = false;
};

struct InputArchive {
  /// Every place of the command that names it: some name it twice.
  std::vector<size_t> Arguments;
  std::string Path;
  std::unique_ptr<llvm::object::Archive> Archive;
};

/// A definition: positions in LinkInputs.
struct DefinitionRef {
  size_t Object = 0;
  size_t Definition = 0;
};

/// A file as it was when it was opened.
struct ReadFile {
  std::string Path;
  llvm::sys::fs::file_status Status;
};

/// The files of a link that could define data.
struct LinkInputs {
  std::vector<InputObject> Objects;
  std::vector<InputArchive> Archives;
  /// The bytes that all others point into.
  std::vector<std::unique_ptr<llvm::MemoryBuffer>> Files;
  /// Said where a symbol is not found: files that only a compiler can read, and
  /// words of the command that are named like objects and are not there.
  unsigned LtoObjects = 0, Sources = 0;
  std::vector<std::string> Missing;
  /// Every object and archive, also those that only a compiler can read.
  std::vector<std::string> Paths;
  /// The same but for those that only a compiler can read.
  std::vector<ReadFile> Read;

  const Definition &definition(DefinitionRef Ref) const {
    return Objects[Ref.Object].Definitions[Ref.Definition];
  }
};

/// Finds the input files among the arguments of a link: objects, and the
/// members of archives. "-lNAME" is looked up as linkers do. Their definitions
/// are not read yet.
llvm::Expected<LinkInputs> readInputs(const Link &Original);

/// The data symbols of one object, into its Definitions.
llvm::Error readDefinitions(InputObject &Object);
/// Those of the objects at these positions in \p Inputs; of all objects. What
/// has been read stays as it is.
llvm::Error readDefinitionsOf(LinkInputs &Inputs,
                              llvm::ArrayRef<size_t> Objects);
llvm::Error readAllDefinitions(LinkInputs &Inputs);

CodeKind codeKindOf(llvm::StringRef Object);

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_INPUTOBJECT_H
