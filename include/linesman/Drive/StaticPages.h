// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names for the static pages of a process, and pages for names: the modules of
// an actuator joined with their images.

#ifndef LINESMAN_DRIVE_STATICPAGES_H
#define LINESMAN_DRIVE_STATICPAGES_H

#include "linesman/Control/Actuator.h"
#include "linesman/Input/ReadBinary.h"
#include "linesman/Layout/Address.h"
#include "linesman/Process/Address.h"
#include <map>

namespace linesman::drive {

/// A module of the process with what its file says, read when it is needed.
struct NamedModule {
  control::StaticModule Loaded;
  std::optional<input::Binary> Binary;
  bool Tried = false;
};

class StaticPages {
public:
  static llvm::Expected<StaticPages> read(control::Actuator &Mover);

  std::vector<NamedModule> &modules() { return Modules; }

  /// The pages that a selector names, in address order, each once:
  ///   all                 every module
  ///   .bss                a section
  ///   page:0x4000         the page of a link-time address
  ///   0x4000-0x6000       link-time addresses
  ///   nil_root            a symbol: linker's name, demangled, file:name
  ///   libfoo.so!SELECTOR  of that module; without it, of the executable
  /// A page counts when one byte of it is named.
  llvm::Expected<std::vector<process::RunRange>>
  select(llvm::StringRef Selector);

  /// The objects with bytes in a range, the largest first; "[no symbol]" for
  /// what has no name, nothing when the file can not be read.
  std::vector<std::string> symbolsIn(NamedModule &Module,
                                     process::RunRange Range);

  /// The module of an address; null when it is in none.
  NamedModule *moduleOf(process::RunAddress Address);

private:
  std::vector<NamedModule> Modules;

  llvm::Expected<NamedModule *> findModule(llvm::StringRef Name);
  llvm::Error load(NamedModule &Module);
  llvm::Expected<layout::AddressRange> findBytes(NamedModule &Module,
                                                 llvm::StringRef Name);
};

/// At most three names and how many more: "a, b, c, +4".
std::string shorten(llvm::ArrayRef<std::string> Names);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_STATICPAGES_H
