// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where every static page of a process is, with its symbols.
//
//     store
//       0x4000             node 0                     log_level, log_prefix
//       0x5000-0x8000      node 1                     Shards

#ifndef LINESMAN_DRIVE_PAGERUNS_H
#define LINESMAN_DRIVE_PAGERUNS_H

#include "linesman/Drive/StaticPages.h"
#include "linesman/Process/Address.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::drive {

/// Neighbouring pages of which the same is to be said.
struct PageRun {
  process::RunRange Range;
  control::PagePlace First;
  std::vector<std::string> Symbols;
};

struct ModuleRuns {
  NamedModule *Module;
  std::vector<PageRun> Runs;
};

/// In address order. Points into \p Pages.
llvm::Expected<std::vector<ModuleRuns>> readPageRuns(control::Actuator &Mover,
                                                     StaticPages &Pages);

void writeText(llvm::ArrayRef<ModuleRuns> Modules, llvm::raw_ostream &OS);
void writeJson(llvm::ArrayRef<ModuleRuns> Modules, llvm::raw_ostream &OS);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_PAGERUNS_H
