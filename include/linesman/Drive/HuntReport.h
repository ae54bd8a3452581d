// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The story of a hunt in four forms, and what a gate judges of it.

#ifndef LINESMAN_DRIVE_HUNTREPORT_H
#define LINESMAN_DRIVE_HUNTREPORT_H

#include "linesman/Drive/Story.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::drive {

/// For a terminal \p Columns wide.
void writeText(const drive::Story &Told, size_t Columns, llvm::raw_ostream &OS);
void writeMarkdown(const drive::Story &Told, llvm::raw_ostream &OS);
void writeHtml(const drive::Story &Told, llvm::raw_ostream &OS);
/// Schema 1: the findings with all that was learnt, the best first, and the
/// story.
void writeJson(const drive::HuntRequest &Request,
               const drive::HuntResult &Result, const drive::Story &Told,
               llvm::raw_ostream &OS);

/// What a gate judges and a baseline accepts, as a report of findings alone:
/// those that were not ruled out, and pages and symbols that bisect confirmed.
/// The one that the story is about stands on the hunt's rung: a build with the
/// cure in the source says what it costs.
void writeJudged(const drive::HuntRequest &Request,
                 const drive::HuntResult &Result, llvm::raw_ostream &OS);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_HUNTREPORT_H
