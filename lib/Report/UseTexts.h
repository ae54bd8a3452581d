// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_LIB_REPORT_USETEXTS_H
#define LINESMAN_LIB_REPORT_USETEXTS_H

#include "linesman/Report/TextLines.h"
#include <vector>

namespace linesman::report {

/// How the three kinds of access are called.
struct UseWords {
  llvm::StringRef Writes = "writes", Atomics = "atomics", Reads = "reads";
};

/// "writes 6 to 22.8", "reads 4": what an occupant of a line, or of a finding,
/// is used for.
template <typename Occupant>
std::vector<std::string> useTexts(const Occupant &Is,
                                  const UseWords &Words = {}) {
  std::vector<std::string> Texts;
  auto Add = [&](llvm::StringRef Word, double Weight, double Perhaps) {
    if (Weight > 0)
      Texts.push_back((Word + " " + weightText(Weight, Perhaps)).str());
  };
  Add(Words.Writes, Is.Writes, Is.PerhapsWrites);
  Add(Words.Atomics, Is.Atomics, Is.PerhapsAtomics);
  Add(Words.Reads, Is.Reads, Is.PerhapsReads);
  return Texts;
}

} // namespace linesman::report

#endif // LINESMAN_LIB_REPORT_USETEXTS_H
