// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words that every finding has, whoever found it.

#ifndef LINESMAN_LAYOUT_KINDS_H
#define LINESMAN_LAYOUT_KINDS_H

#include <cstdint>

namespace linesman::layout {

/// How far a finding is proven; each rung includes the ones before.
enum class Rung : uint8_t {
  Suspected, ///< The source has the shape of a hazard.
  Located,   ///< In this binary the objects are on one line.
  Observed,  ///< These threads wrote and read these words.
  Costed,    ///< Moving it changed this metric.
};

enum class SharingKind : uint8_t {
  True,  ///< The same bytes: padding does not help.
  False, ///< Different bytes of one line: layout cures it.
  Mixed,
};

enum class RemedyKind : uint8_t {
  Isolate,   ///< Give the object lines of its own.
  Group,     ///< Put the written objects together, apart from the others.
  Guard,     ///< Do not write: test before the store, or drop it.
  PerThread, ///< One copy for each thread.
  AlignAs,   ///< Move fields of one object apart in the source.
};

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_KINDS_H
