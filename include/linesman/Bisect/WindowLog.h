// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The log of windows, one line each, written before the next window starts:
//
//     linesman-windows 2 4096 3f2a... 0-7  version, candidates, identity,
//                                          written candidates
//     calibrate - 12.5                     stage, remote candidates, value
//     calibrate 0-4095 20.25
//     search 0-2047 skipped
//
// A search is a function of its outcomes, so the log is all that a resumption
// needs: it is replayed.

#ifndef LINESMAN_BISECT_WINDOWLOG_H
#define LINESMAN_BISECT_WINDOWLOG_H

#include "linesman/Bisect/Bisect.h"
#include <string_view>

namespace linesman::bisect {

struct LoggedWindow {
  WindowRequest Request;
  WindowOutcome Outcome;
};

struct WindowLog {
  /// What the search was about: it must be the same to be resumed.
  std::string Identity;
  size_t Candidates = 0;
  /// What was seen to be written before the search, which looks there first.
  std::vector<CandidateRange> Written;
  std::vector<LoggedWindow> Windows;
};

/// With their line ends. The identity is one word.
std::string encodeLog(const WindowLog &Log);
std::string encodeWindow(const LoggedWindow &Window);

/// Nothing when it is no log; \p BadLine then says where (from 1). A last line
/// without its end is left out: the writer was killed in it.
std::optional<WindowLog> decodeLog(std::string_view Text, size_t &BadLine);

} // namespace linesman::bisect

#endif // LINESMAN_BISECT_WINDOWLOG_H
