// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers drawn from a random generator. Each draw changes the generator,
// whatever the caller wants with the number:
//
//     distribution(engine)      std::shuffle(begin, end, engine)      engine()
//     state = state * 1103515245 + 12345         state ^= state << 13
//     nrand48(state)                             rand_r(&seed)
//     rng.next(), which makes a field of rng its own successor

#ifndef LINESMAN_TIDY_ANALYSIS_WRITES_RANDOMDRAWS_H
#define LINESMAN_TIDY_ANALYSIS_WRITES_RANDOMDRAWS_H

#include "Analysis/Accesses/UnitAccesses.h"

namespace linesman::tidy {

/// An engine of the standard library's: std::mt19937.
bool isStandardEngine(clang::QualType Type);

/// \p Use draws from the variable with static storage that it names: an engine
/// of the standard library's, the state of a generator of the C library's, or a
/// number that becomes its own successor.
bool drawsRandom(const Access &Use);

/// \p Use, which draws, calls a function of the C library's that is there for
/// threads: rand_r(&seed).
bool drawsForThreads(const Access &Use);

/// \p Use draws from a standard engine that is a field of the method's own
/// object.
bool drawsFromOwnEngine(const Access &Use);

/// `Engine &engine() { static Engine one; return one; }`: who calls it draws.
bool givesOutEngine(const Access &Use);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_WRITES_RANDOMDRAWS_H
