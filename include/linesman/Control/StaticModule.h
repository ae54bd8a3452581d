// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process's static memory as seen from outside: the writable pages of its
// modules.

#ifndef LINESMAN_CONTROL_STATICMODULE_H
#define LINESMAN_CONTROL_STATICMODULE_H

#include "linesman/Process/Address.h"
#include "linesman/Process/FileBytes.h"
#include "linesman/Process/Modules.h"
#include <string>
#include <vector>

namespace linesman::control {

/// An executable or shared object with static pages to place.
struct StaticModule {
  /// As the process sees it.
  std::string Path;
  /// Its file, also when it was deleted or replaced since; null where it can
  /// not be opened.
  process::FileBytes Bytes;
  process::LoadBias Bias;
  /// Its writable static pages without RELRO, in whole pages, by address.
  std::vector<process::RunRange> Ranges;

  /// Its file for a reader, which is not opened again. Fails where there is
  /// none, and as process::handOn does.
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> open() const;
};

/// Those of \p Loaded with writable static pages, the executable first, without
/// the shim.
std::vector<StaticModule> staticModules(const process::ModuleMap &Loaded);

} // namespace linesman::control

#endif // LINESMAN_CONTROL_STATICMODULE_H
