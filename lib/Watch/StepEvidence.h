// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a step showed of accesses that were not seen, and what all steps so far
// allow to say of a line:
//
//     StepResult ─┬─ noteExposures ─▶ Evidence ──────┬─ judgeLine ─▶ LineResult
//                 └─ excludeHalves ─▶ SharingMatrix ─┘

#ifndef LINESMAN_LIB_WATCH_STEPEVIDENCE_H
#define LINESMAN_LIB_WATCH_STEPEVIDENCE_H

#include "linesman/Watch/Session.h"

namespace linesman::watch {

/// Adds how long each thread could have been seen at each word. Whole words
/// only: a part that was watched alone says nothing of the rest.
void noteExposures(llvm::ArrayRef<Aim> Aims, llvm::ArrayRef<ThreadStep> Threads,
                   double SecondsPerHit, Evidence &Known);

/// Whether a step watched the two halves of one range together.
bool areHalves(llvm::ArrayRef<Aim> Aims);

/// Who was met at one of the halves \p Aims only does not touch the other one.
void excludeHalves(llvm::ArrayRef<Aim> Aims, llvm::ArrayRef<Hit> Hits,
                   SharingMatrix &Matrix);

/// Sets what \p Known says of the absences on line number \p Line, and of the
/// kind of its sharing. Returns whether that is a verdict. \p IsReady as in
/// Evidence::answer.
bool judgeLine(unsigned Line, const Evidence &Known,
               llvm::function_ref<bool(process::ThreadId)> IsReady,
               LineResult &Result);

} // namespace linesman::watch

#endif // LINESMAN_LIB_WATCH_STEPEVIDENCE_H
