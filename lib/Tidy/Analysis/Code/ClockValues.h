// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which values are times? A time in seconds is the same in nearly every call,
// so a test before the store keeps the line shared; a time in nanoseconds never
// is, so a test for inequality is none.
//
//     time(nullptr), now_ns / 1000000000, tv.tv_sec      coarse
//     now(), rdtsc(), ts.tv_nsec                         fine

#ifndef LINESMAN_TIDY_ANALYSIS_CODE_CLOCKVALUES_H
#define LINESMAN_TIDY_ANALYSIS_CODE_CLOCKVALUES_H

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace linesman::tidy {

enum class ClockValue : uint8_t { None, Fine, Coarse };

/// By the words in the names that it is made of, through local variables and
/// functions that are a single return.
ClockValue clockValueOf(const clang::Expr &E);

/// The name of a clock that somebody keeps for all ("unixtime",
/// "current_time"), not of when something happened last ("last_time").
bool isClockName(const clang::NamedDecl &Named);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_CODE_CLOCKVALUES_H
