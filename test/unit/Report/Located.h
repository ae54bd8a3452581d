// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TEST_UNIT_REPORT_LOCATED_H
#define LINESMAN_TEST_UNIT_REPORT_LOCATED_H

#include "linesman/Report/Finding.h"

namespace linesman::report {

inline Finding located(llvm::StringRef Id, double Score) {
  Finding Result;
  Result.Id = Id.str();
  Result.Reached = layout::Rung::Located;
  Result.Score = Score;
  return Result;
}

} // namespace linesman::report

#endif // LINESMAN_TEST_UNIT_REPORT_LOCATED_H
