// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is mapped where in a process, and the translation between what its ELF
// files say and where the loader put them. The load bias comes from the file
// offset of a mapping and the program headers of the file, so that PIE, plain
// executables and shared objects are all the same case.
//
//     /proc/PID/maps                    program header        bias
//     55ad94830000-... 00001000 prog    offset 1000, vaddr 1000   55ad9482f000

#ifndef LINESMAN_WATCH_MODULES_H
#define LINESMAN_WATCH_MODULES_H

#include "linesman/Watch/Address.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace linesman::watch {

/// One line of /proc/PID/maps.
struct Mapping {
  RunAddress Begin, End;
  uint64_t FileOffset = 0;
  /// "rw-p" and so on.
  std::string Permissions;
  /// A file, "[heap]", or "".
  std::string Path;
};

/// Parses the text of a maps file; lines that are none are skipped.
std::vector<Mapping> parseMappings(llvm::StringRef Text);

/// Whether other processes may have the memory at \p Address as well, and write
/// it: a shared mapping, of a file or handed on by fork.
bool isShared(llvm::ArrayRef<Mapping> Mappings, RunAddress Address);

/// The mappings of \p Process, by address; fails with a WatchError when they
/// cannot be read.
llvm::Expected<std::vector<Mapping>> readMappings(ProcessId Process);

/// An ELF file in a process.
class Module {
public:
  struct Segment {
    LinkAddress Begin;
    uint64_t Size = 0;
    uint64_t FileOffset = 0;
    uint64_t FileSize = 0;
  };

  Module(std::string Name, std::string File, uint64_t Bias,
         std::vector<Segment> Segments)
      : Name(std::move(Name)), File(std::move(File)), Bias(Bias),
        Segments(std::move(Segments)) {}

  /// The path in the process's own view, for people.
  llvm::StringRef name() const { return Name; }
  /// The path to open, which differs for deleted files and in containers.
  const std::string &file() const { return File; }
  bool contains(RunAddress Address) const;
  RunAddress toRun(LinkAddress Address) const { return {Address.Value + Bias}; }
  LinkAddress toLink(RunAddress Address) const {
    return {Address.Value - Bias};
  }

private:
  std::string Name, File;
  uint64_t Bias;
  std::vector<Segment> Segments;
};

/// The modules of a process, the program itself first.
class ModuleMap {
public:
  static llvm::Expected<ModuleMap> read(ProcessId Process);

  /// The same from mappings that were read before. \p Program is the path of
  /// the program, \p Openable says where a path can be opened now.
  static ModuleMap
  build(llvm::ArrayRef<Mapping> Mappings, llvm::StringRef Program,
        llvm::function_ref<std::string(const std::string &)> Openable);

  /// The module that \p Address is in, or nullptr.
  const Module *find(RunAddress Address) const;
  llvm::ArrayRef<Module> modules() const { return Modules; }

private:
  std::vector<Module> Modules;
};

/// Fails with a message that says why when the \p Size bytes at \p Address
/// cannot be watched in \p Process: not mapped, not accessible, or the
/// kernel's.
llvm::Error checkAddress(ProcessId Process, RunAddress Address, uint64_t Size);

} // namespace linesman::watch

#endif // LINESMAN_WATCH_MODULES_H
