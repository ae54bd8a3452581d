// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data symbols of one module: by name, to find what to watch, and by
// address, to say what was watched.

#ifndef LINESMAN_WATCH_SYMBOLS_H
#define LINESMAN_WATCH_SYMBOLS_H

#include "linesman/Guard/Suggest.h"
#include "linesman/Process/Address.h"
#include "linesman/Process/Modules.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace linesman::watch {

struct DataSymbol {
  /// The linker's name.
  std::string Name;
  process::LinkAddress Address;
  uint64_t Size = 0;
  /// Of a local symbol: the source file that its object file names, or "".
  std::string File;

  /// What find() takes, and finds only this one by where it can: "counter" or
  /// "file.c:counter", demangled.
  std::string id() const;
};

class SymbolTable {
public:
  /// Reads .symtab, or .dynsym where that was stripped; empty for a file
  /// without either. Fails when the file of \p M is no ELF file.
  static llvm::Expected<SymbolTable> read(const process::Module &M);

  /// Every symbol whose linker's or demangled name is \p Name; where there is
  /// none, those that "file:name" means.
  std::vector<const DataSymbol *> find(llvm::StringRef Name) const;

  /// Considers each name for one that is not here.
  void suggest(guard::Suggestion &Meant) const;

  /// What speaks against \p Name having been linked to \p Size bytes at
  /// \p Address in this file: it is elsewhere, or another object is there. ""
  /// when nothing does; a stripped file has lost names.
  std::string contradiction(llvm::StringRef Name, process::LinkAddress Address,
                            uint64_t Size) const;

  /// \p Name is a thread-local variable: each thread has its own.
  bool isThreadLocal(llvm::StringRef Name) const;

  /// The section \p Name of the running program; an address of 0 when there is
  /// none.
  DataSymbol section(llvm::StringRef Name) const;

  /// The symbol that \p Address is in, or nullptr.
  const DataSymbol *at(process::LinkAddress Address) const;

private:
  std::vector<const DataSymbol *> findPlain(llvm::StringRef Name) const;

  /// By address.
  std::vector<DataSymbol> Symbols;
  std::vector<std::string> ThreadLocals;
  std::vector<DataSymbol> Sections;
};

/// An object in a running process.
struct ProcessObject {
  process::RunAddress Address;
  uint64_t Size = 0;
  std::string Name;
};

/// The symbol tables of a process's modules, read when they are asked for.
class ProcessSymbols {
public:
  explicit ProcessSymbols(const process::ModuleMap &Modules)
      : Modules(Modules) {}

  /// Finds "symbol", "file:symbol" or either "+offset"; the program's own
  /// symbols win over those of shared objects, as in the dynamic linker. Also
  /// ".bss+0x260" of the program, and both of a module that is named before it:
  /// "libx.so.1:symbol", by its file's name, the beginning of that, or its name
  /// to the loader. Fails for unknown, thread-local and ambiguous names.
  llvm::Expected<ProcessObject> find(llvm::StringRef NameAndOffset);

  /// "symbol", "symbol+8", or "" where no symbol is.
  std::string label(process::RunAddress Address);

private:
  const SymbolTable *tableOf(const process::Module &M);
  llvm::Expected<std::optional<ProcessObject>>
  findIn(const process::Module &M, llvm::StringRef Name, uint64_t Offset);
  std::optional<ProcessObject> findSection(llvm::StringRef Name,
                                           uint64_t Offset);
  /// The modules that \p Called means.
  std::vector<const process::Module *> modulesCalled(llvm::StringRef Called);
  /// Why \p Name is not found, and what to write in its place.
  llvm::Error refuse(llvm::StringRef Name);

  const process::ModuleMap &Modules;
  std::map<std::string, SymbolTable> Tables;
};

} // namespace linesman::watch

#endif // LINESMAN_WATCH_SYMBOLS_H
