// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of the clang-tidy checks: what a finding of each one is. The plugin
// registers these, and who reads its results knows these; it links none of our
// libraries, so the table is a header. What a finding is about, its message
// says: "[field Cache::hits, in Cache::hit]" (docs/checks/README.md).

#ifndef LINESMAN_LAYOUT_CHECKS_H
#define LINESMAN_LAYOUT_CHECKS_H

#include "linesman/Layout/Kinds.h"
#include "llvm/ADT/StringRef.h"

namespace linesman::layout {

struct CheckRow {
  llvm::StringLiteral Name;
  SharingKind Kind;
  RemedyKind Cure;
};

/// By name.
inline constexpr CheckRow CheckTable[] = {
    {"linesman-adjacent-hot-fields", SharingKind::False, RemedyKind::AlignAs},
    {"linesman-adjacent-writers", SharingKind::False, RemedyKind::AlignAs},
    {"linesman-broken-isolation", SharingKind::False, RemedyKind::AlignAs},
    {"linesman-const-path-write", SharingKind::Mixed, RemedyKind::Guard},
    {"linesman-global-write", SharingKind::True, RemedyKind::PerThread},
    {"linesman-lock-neighbour", SharingKind::False, RemedyKind::AlignAs},
    {"linesman-redundant-store", SharingKind::True, RemedyKind::Guard},
    {"linesman-sentinel-write", SharingKind::True, RemedyKind::Guard},
    {"linesman-shared-refcount", SharingKind::True, RemedyKind::Guard},
    {"linesman-thread-object", SharingKind::False, RemedyKind::AlignAs},
    {"linesman-thread-slot", SharingKind::False, RemedyKind::AlignAs},
    {"linesman-write-only-global", SharingKind::True, RemedyKind::Guard},
};

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_CHECKS_H
