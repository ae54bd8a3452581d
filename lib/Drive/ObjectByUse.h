// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An object of a type that has a finding, in a running process: the one that
// the code at the finding's sites uses, of several the one that most threads
// do. No variable has to lead to it.
//
//     Finding ─ sites ─▶ instructions ─ catchPointers ─▶ addresses ─▶ object

#ifndef LINESMAN_LIB_DRIVE_OBJECTBYUSE_H
#define LINESMAN_LIB_DRIVE_OBJECTBYUSE_H

#include "linesman/Input/MemberAccesses.h"
#include "linesman/Process/Modules.h"
#include "linesman/Report/Finding.h"
#include "linesman/Watch/CatchPointers.h"

namespace linesman::drive {

/// The instructions of \p Loaded that write and read the member that \p Found,
/// a finding of a field, is about: as many as can be waited for. Fails with
/// what is missing.
llvm::Expected<std::vector<input::MemberAccess>>
findUses(const report::Finding &Found, const process::Module &Loaded);

struct FoundMember {
  process::RunAddress Address;
  /// Threads that came by with it.
  size_t Threads = 0;
  /// All that came, if each of several had objects of its own; else 0.
  size_t ThreadsApart = 0;
};

/// Where that member is in an object that is used within \p Seconds. Fails with
/// watch::WatchError BadAddress where nobody came.
llvm::Expected<FoundMember>
findUsedMember(llvm::ArrayRef<input::MemberAccess> Uses,
               process::ProcessId Process, const process::Module &Loaded,
               double Seconds, llvm::function_ref<bool()> ShouldStop);

} // namespace linesman::drive

#endif // LINESMAN_LIB_DRIVE_OBJECTBYUSE_H
