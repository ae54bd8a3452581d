// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A link command as a list of words: which of them is the output, and running
// it with other inputs and another output.

#ifndef LINESMAN_LIB_RELINK_LINKCOMMAND_H
#define LINESMAN_LIB_RELINK_LINKCOMMAND_H

#include "linesman/Relink/Link.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace linesman::relink {

/// \p Command with its output ("-o X", "-oX", "--output=X", "--output X")
/// replaced; added at the end where the command names none.
std::vector<std::string> withOutput(std::vector<std::string> Command,
                                    llvm::StringRef Output);

/// Where a command names its output: in the word at this position, behind so
/// many characters.
struct OutputWord {
  size_t Position = 0, Prefix = 0;
};
std::vector<OutputWord> findOutputWords(llvm::ArrayRef<std::string> Command);

/// While it lives, a signal that asks the process to end (SIGINT, SIGTERM,
/// SIGHUP) ends the link that runs, and no other starts: what is temporary goes
/// as after any failure.
class EndsLinksOnSignal {
public:
  EndsLinksOnSignal();
  ~EndsLinksOnSignal();
};
bool wasInterrupted();

/// Runs a link, waits, and returns what it printed: nothing, or lines. Fails
/// with that when it can not be started or does not end with 0. \p Temporary is
/// a folder for its files.
llvm::Expected<std::string> runLink(const Link &Command,
                                    llvm::StringRef Temporary);

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_LINKCOMMAND_H
