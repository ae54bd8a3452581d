// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finding what `linesman watch` is to watch, in a process that may have just
// begun.

#ifndef LINESMAN_DRIVE_WATCHSEARCH_H
#define LINESMAN_DRIVE_WATCHSEARCH_H

#include "linesman/Drive/WatchTargets.h"
#include "linesman/Process/Ids.h"
#include "linesman/Process/Launch.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace linesman::drive {

/// What the command line asks for.
struct WatchRequest {
  /// Without a report.
  ObjectChoice Object;
  std::string Report;
  /// Of the report: one, or else the first Top.
  std::string Finding;
  unsigned Top = 0;
  /// In bytes, if it is given; a report has its own.
  std::optional<unsigned> LineSize;
  /// For what a program of ours may not have made yet, in seconds.
  double Wait = 0;
  /// Otherwise somebody who mistyped a name is told at once.
  bool AwaitsLibraries = false;
};

/// What is to be watched, with the report that it comes from.
struct Assignment {
  std::vector<WatchTarget> Targets;
  std::optional<FindingsReport> Report;
  std::vector<std::string> Notes;
  /// Where they were found.
  process::ModuleMap Modules;
};

/// Finds it in \p Process. \p Program is the same if we have just started it: a
/// pointer is null until the program has made its object, and a library may be
/// loaded late; it is then let go, and what is missing is waited for while it
/// runs, or until \p Interrupted. Fails with a watch::WatchError where that may
/// still come.
llvm::Expected<Assignment>
findAssignment(const WatchRequest &Request, process::ProcessId Process,
               process::Child *Program, llvm::function_ref<bool()> Interrupted);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_WATCHSEARCH_H
