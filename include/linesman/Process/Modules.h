// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ELF files in a process. The load bias comes from the file offset of a
// mapping and the program headers of the file, so that PIE, plain executables
// and shared objects are all the same case.
//
//     /proc/PID/maps                    program header        bias
//     55ad94830000-... 00001000 prog    offset 1000, vaddr 1000   55ad9482f000

#ifndef LINESMAN_PROCESS_MODULES_H
#define LINESMAN_PROCESS_MODULES_H

#include "linesman/Process/Address.h"
#include "linesman/Process/FileBytes.h"
#include "linesman/Process/Mappings.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace linesman::process {

/// An executable or shared object in a process.
struct Module {
  /// A PT_LOAD or PT_GNU_RELRO of its program header.
  struct Segment {
    LinkAddress Begin;
    uint64_t Size = 0;
    uint64_t FileOffset = 0;
    uint64_t FileSize = 0;
    bool IsWritable = false;
    bool IsRelro = false;
  };

  /// As the process sees it, or saw it while the file still was there.
  std::string Path;
  /// Where that very file can be opened: its path, or, where that leads to
  /// another one by now or to nothing (a container, a file that was replaced),
  /// a way through /proc.
  std::string File;
  LoadBias Bias;
  std::vector<Segment> Segments;
  /// Device and inode.
  std::string FileId = {};
  /// What the file holds. It stays open, because its path may lead to another
  /// one when the next reader comes.
  FileBytes Bytes = nullptr;

  bool contains(RunAddress Address) const { return holdsPartOf(Address, 1); }
  /// Whether any of the \p Size bytes from \p Begin is one of this module's:
  /// its first variable need not begin a line.
  bool holdsPartOf(RunAddress Begin, uint64_t Size) const;
};

/// The modules of a process, the program itself first.
class ModuleMap {
public:
  /// Fails as checkReadable does. Leaves out what has no readable ELF file (the
  /// vdso; of deleted files, libraries, except for the administrator). Does not
  /// open again what \p Known, an earlier map of the process, has open.
  static llvm::Expected<ModuleMap> read(ProcessId Process,
                                        const ModuleMap &Known = {});

  /// The same from mappings that were read before. \p Program is the path of
  /// the program, \p Openable says where a mapped file can be opened now.
  static ModuleMap
  build(llvm::ArrayRef<Mapping> Mappings, llvm::StringRef Program,
        llvm::function_ref<std::string(const Mapping &)> Openable,
        const ModuleMap &Known = {});

  /// The module that a part of the \p Size bytes from \p Begin is in, or
  /// nullptr.
  const Module *find(RunAddress Begin, uint64_t Size = 1) const;
  llvm::ArrayRef<Module> modules() const { return Modules; }

private:
  /// The one of \p Mapped, or nullptr.
  const Module *findFile(const Mapping &Mapped) const;

  std::vector<Module> Modules;
};

} // namespace linesman::process

#endif // LINESMAN_PROCESS_MODULES_H
