// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With what `linesman watch` watches: perf, or ptrace where perf is refused.

#ifndef LINESMAN_DRIVE_WATCHINSTRUMENT_H
#define LINESMAN_DRIVE_WATCHINSTRUMENT_H

#include "linesman/Process/Address.h"
#include "linesman/Process/Ids.h"
#include "linesman/Watch/Canary.h"
#include "linesman/Watch/HitCost.h"
#include "linesman/Watch/Instrument.h"
#include <memory>
#include <optional>
#include <string>

namespace linesman::drive {

enum class InstrumentChoice : uint8_t { Auto, Perf, Ptrace };

/// An instrument whose canary was seen.
struct ProvenInstrument {
  std::unique_ptr<watch::Instrument> Tool;
  watch::CanaryResult Canary;
  /// Of perf, whose hits have a time that can be relied on.
  std::optional<watch::HitCost> Cost;
  /// Why it is not perf; empty when it is.
  std::string Note;
};

/// Where \p Choice is Auto, that depends on the threads of \p Process as well:
/// registers that somebody reserved through ptrace stay so until their thread
/// ends, and only ptrace can use them. \p Somewhere is an address in it.
llvm::Expected<ProvenInstrument> proveInstrument(InstrumentChoice Choice,
                                                 process::ProcessId Process,
                                                 process::RunAddress Somewhere);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_WATCHINSTRUMENT_H
