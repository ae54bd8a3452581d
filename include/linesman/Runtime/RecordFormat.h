// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The record file: text, one fact a line, numbers in hexadecimal. lib/Record
// writes it inside the recorded program, with write(2) alone; lib/Watch reads
// it back.
//
//     linesman-record 1
//     thread NUMBER KERNEL-ID NAME
//     site NUMBER PC
//     stack NUMBER PC...
//     block BEGIN SIZE STACK
//     line ADDRESS SHARED
//     retired ADDRESS TIMES BLOCK-BEGIN BLOCK-SIZE STACK   instead of "line"
//     use THREAD READ-BYTES WRITTEN-BYTES ATOMIC-GRANULES READ-SITE WRITE-SITE
//     detail GRANULE-ADDRESS THREAD KIND SITE COUNT
//     lost WHAT COUNT
//     map LINE-OF-/proc/self/maps
//     end
//
// No LLVM and no C++ runtime here: the writer lives in somebody else's process.

#ifndef LINESMAN_RUNTIME_RECORDFORMAT_H
#define LINESMAN_RUNTIME_RECORDFORMAT_H

#include <stdint.h>

namespace linesman::record {

inline constexpr char FirstLine[] = "linesman-record 1";

/// READ-BYTES and WRITTEN-BYTES have a bit for each byte of a line,
/// ATOMIC-GRANULES one for each granule.
inline constexpr unsigned LineSize = 64;
inline constexpr unsigned GranuleSize = 8;

/// The KIND of a detail.
enum Kind : uint8_t { Read, Write, AtomicRead, AtomicWrite };
inline bool isWrite(uint64_t K) { return K == Write || K == AtomicWrite; }
inline bool isAtomic(uint64_t K) { return K >= AtomicRead; }

} // namespace linesman::record

#endif // LINESMAN_RUNTIME_RECORDFORMAT_H
