// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The story of a hunt in four forms.

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

enum class StoryFormat : uint8_t { Text, Json, Markdown, Html };

/// Tells the story in one of them.
void writeStory(StoryFormat As, const HuntRequest &Request,
                const HuntResult &Result, size_t Columns,
                llvm::raw_ostream &OS);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_HUNTREPORT_H
