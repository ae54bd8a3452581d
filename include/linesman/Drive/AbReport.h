// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `linesman ab` prints.

#ifndef LINESMAN_DRIVE_ABREPORT_H
#define LINESMAN_DRIVE_ABREPORT_H

#include "linesman/Drive/Ab.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::drive {

struct AbReport {
  const drive::AbConfig &Config;
  const drive::AbResult &Result;
};

void writeText(const AbReport &Report, llvm::raw_ostream &OS);
void writeJson(const AbReport &Report, llvm::raw_ostream &OS);

/// "faster", as the glossary has it.
llvm::StringRef word(bisect::Answer Verdict);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_ABREPORT_H
