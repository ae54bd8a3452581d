// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions to source positions, with inline frames.

#ifndef LINESMAN_WATCH_SITENAMES_H
#define LINESMAN_WATCH_SITENAMES_H

#include "linesman/Process/Address.h"
#include "linesman/Process/Modules.h"
#include "llvm/Object/Binary.h"
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace llvm::object {
class ObjectFile;
}
namespace llvm::symbolize {
class LLVMSymbolizer;
}

namespace linesman::watch {

/// One function that an instruction belongs to.
struct Frame {
  /// Demangled.
  std::string Function;
  /// "file.cpp:30" without folders, or "" without debug information.
  std::string Source;
};

/// Where an instruction is written: the innermost frame first, then those that
/// it was inlined into.
struct SiteName {
  std::vector<Frame> Frames;
  /// Where frames of who called the library begin in Frames; 0 for nowhere.
  size_t FirstCaller = 0;
  /// How many others called it from elsewhere.
  size_t OtherCallers = 0;

  /// The shortest name: "file.cpp:30", or "function", or "module+0x1234"; of an
  /// instruction of a library whose caller is known, the caller's.
  std::string brief() const;
};

class SiteNames {
public:
  explicit SiteNames(const process::ModuleMap &Modules);
  ~SiteNames();

  const SiteName &nameOf(process::RunAddress Site);
  /// With who called it most often. \p Callers may be empty.
  SiteName nameOf(process::RunAddress Site,
                  const std::map<process::RunAddress, uint64_t> &Callers);

private:
  /// The file with the names, or nullptr where it cannot be read.
  const llvm::object::ObjectFile *fileOf(const process::Module &M);

  const process::ModuleMap &Modules;
  /// By path. The symbolizer points into them.
  std::map<std::string, llvm::object::OwningBinary<llvm::object::ObjectFile>>
      Files;
  std::unique_ptr<llvm::symbolize::LLVMSymbolizer> Symbolizer;
  std::map<process::RunAddress, SiteName> Known;
};

} // namespace linesman::watch

#endif // LINESMAN_WATCH_SITENAMES_H
