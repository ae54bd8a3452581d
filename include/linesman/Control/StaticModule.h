// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process's static memory as seen from outside: the writable pages of its
// modules.

#ifndef LINESMAN_CONTROL_STATICMODULE_H
#define LINESMAN_CONTROL_STATICMODULE_H

#include "linesman/Process/Address.h"
#include "linesman/Process/Ids.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace linesman::control {

/// An executable or shared object with static pages to place.
struct StaticModule {
  /// As the process sees it.
  std::string Path;
  /// Where its file can be opened, also when it was deleted or replaced.
  std::string File;
  process::LoadBias Bias;
  /// Its writable static pages without RELRO, in whole pages, by address.
  std::vector<process::RunRange> Ranges;
};

/// Modules with writable static pages, the executable first, without the shim.
/// Fails as process::checkReadable does; leaves out what has no readable ELF
/// file (the vdso; of deleted files, libraries, except for the administrator).
llvm::Expected<std::vector<StaticModule>>
readStaticModules(process::ProcessId Process);

} // namespace linesman::control

#endif // LINESMAN_CONTROL_STATICMODULE_H
