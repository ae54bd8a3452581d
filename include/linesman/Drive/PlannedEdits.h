// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edits as people give them: a plan, or words of a command line.

#ifndef LINESMAN_DRIVE_PLANNEDEDITS_H
#define LINESMAN_DRIVE_PLANNEDEDITS_H

#include "linesman/Plan/Plan.h"

namespace linesman::drive {

/// Reads a plan; the error names the file.
llvm::Expected<plan::Plan> readPlanFile(llvm::StringRef Path);

struct EditWords {
  /// A symbol each: a line of its own.
  std::vector<std::string> Isolate;
  /// "symbol,symbol...": together, or a page each.
  std::vector<std::string> Group, Explode;
  /// "symbol=bytes" and "section=bytes": free bytes before it.
  std::vector<std::string> Pad, Shift;
  /// Bytes.
  uint64_t Line = layout::LineSize().Bytes, Page = layout::PageSize().Bytes;
};

/// The error names the option and what it expects.
llvm::Expected<std::vector<plan::Edit>> parseEdits(const EditWords &Words);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_PLANNEDEDITS_H
