// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A patch for what a hunt has found, where a check of its source knows one.

#ifndef LINESMAN_LIB_DRIVE_HUNTFIX_H
#define LINESMAN_LIB_DRIVE_HUNTFIX_H

#include "linesman/Report/Finding.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <string>
#include <vector>

namespace linesman::drive {

/// The units of the build in \p Build whose files \p Found names, some at most.
/// Reports have paths without their first folders, so that ends of paths
/// decide; of files with one end, those that \p Program was compiled from.
/// Fails where there is none.
llvm::Expected<std::vector<std::string>> unitsOf(const report::Finding &Found,
                                                 llvm::StringRef Build,
                                                 llvm::StringRef Program);

/// Gives \p Found what the report \p Checks of linesman tidy would change for
/// the same thing, if anything.
void attachFix(report::Finding &Found, const llvm::json::Value &Checks);

/// The fix of \p Found, with paths from the root of the sources' tree, which
/// the paths of \p Found get, too.
llvm::Expected<std::string> makePatch(report::Finding &Found);

} // namespace linesman::drive

#endif // LINESMAN_LIB_DRIVE_HUNTFIX_H
