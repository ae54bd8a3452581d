// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks /proc before anything is tried.

#include "linesman/Watch/Watchable.h"
#include "linesman/Process/Mappings.h"
#include "linesman/Process/State.h"
#include "linesman/Watch/WatchError.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace linesman::process;

namespace linesman::watch {

/// The first address that user programs cannot have on x86-64 and AArch64 with
/// 48-bit addresses; five-level page tables hand out more only on request.
static constexpr uint64_t UserEnd = uint64_t(1) << 47;

Error checkWatchable(ProcessId Process) {
  const std::string Name = "process " + std::to_string(Process.Value);
  switch (stateOf(Process)) {
  case ProcessState::Gone:
    return make_error<WatchError>(Refusal::Gone,
                                  Name + " does not exist or has exited");
  case ProcessState::Stopped:
    return make_error<WatchError>(
        Refusal::Other,
        Name + " is stopped, so it touches nothing; let it run (kill -CONT " +
            Twine(Process.Value) + ") and watch again");
  case ProcessState::Live:
    return checkReadable(Process);
  }
  llvm_unreachable("unknown state");
}

Error checkAddress(ProcessId Process, RunAddress Address, uint64_t Size) {
  std::string Name = "address 0x" + utohexstr(Address.Value, true);
  if (Address.Value >= UserEnd || Address.Value + Size > UserEnd)
    return make_error<WatchError>(
        Refusal::BadAddress,
        Name + " belongs to the kernel; only a program's own memory can be "
               "watched");
  Expected<std::vector<Mapping>> Mappings = readMappings(Process);
  if (!Mappings)
    return Mappings.takeError();
  for (const Mapping &M : *Mappings) {
    if (!M.Range.contains(Address))
      continue;
    if (StringRef(M.Permissions).starts_with("---"))
      return make_error<WatchError>(
          Refusal::BadAddress, Name + " is mapped without any access (" +
                                   M.Permissions + "), so nobody touches it");
    return Error::success();
  }
  return make_error<WatchError>(Refusal::BadAddress,
                                Name + " is not mapped in process " +
                                    Twine(Process.Value));
}

} // namespace linesman::watch
