// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line of each step of a hunt. Pure, but for looking which words of
// the command name the program.

#ifndef LINESMAN_LIB_DRIVE_HUNTSTEPS_H
#define LINESMAN_LIB_DRIVE_HUNTSTEPS_H

#include "linesman/Drive/Hunt.h"

namespace linesman::drive {

Step locateVariables(const HuntRequest &Request);
Step locateFields(const HuntRequest &Request);

/// All findings of locateVariables side by side; or one, in try \p Number.
Step watchFindings(const HuntRequest &Request);
Step watchFinding(const HuntRequest &Request, llvm::StringRef Id,
                  unsigned Number);
/// One, in a session for itself, in which its rates are seen more often.
Step watchForPrice(const HuntRequest &Request, llvm::StringRef Id,
                   unsigned Number);
/// The object that Request.At[Index] leads to.
Step watchObject(const HuntRequest &Request, size_t Index);
/// The same, as one of the type that the field \p Id belongs to.
Step watchField(const HuntRequest &Request, size_t Index, llvm::StringRef Id,
                unsigned Number);
/// That field, in an object that the program uses.
Step watchUsedField(const HuntRequest &Request, llvm::StringRef Id,
                    unsigned Number);

/// Whether a search of pages goes on to the symbol, which needs the link.
enum class PageSearch : uint8_t { ThenSymbol, PagesOnly };
Step searchPages(const HuntRequest &Request, PageSearch Search);

/// The edits that take the lead number \p Index apart from its line.
Step planIsolation(const HuntRequest &Request, llvm::StringRef Id,
                   size_t Index);
/// The program with the edits of \p Plan.
Step linkIsolated(const HuntRequest &Request, const Step &Plan, size_t Index);
/// The program as it is, and \p Other (for the shell).
Step compare(const HuntRequest &Request, llvm::StringRef Name,
             llvm::StringRef Purpose, llvm::StringRef Other);

/// What the checks say of \p Files, units of Request.Build.
Step checkUnits(const HuntRequest &Request, llvm::ArrayRef<std::string> Files);

/// The command with the program's file replaced by \p File; nothing when no
/// word of it names the program.
std::optional<std::vector<std::string>>
replaceProgram(const HuntRequest &Request, llvm::StringRef File);

} // namespace linesman::drive

#endif // LINESMAN_LIB_DRIVE_HUNTSTEPS_H
