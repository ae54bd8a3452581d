// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One page about what a hunt found:
//
//     costed: store::Node<unsigned long>::nil_root
//
//     What it is          the objects of the line, who writes and reads them
//     How we know         the rungs that were climbed, with the evidence of
//     each What it costs       metric, ratio, interval How to fix it       the
//     remedy, and the command that applies it What was ruled out  other
//     findings, each with the reason What is not known   what was not looked
//     at, and why Run it again        every step as a command

#ifndef LINESMAN_DRIVE_STORY_H
#define LINESMAN_DRIVE_STORY_H

#include "linesman/Drive/Hunt.h"
#include "linesman/Report/Document.h"

namespace linesman::drive {

struct Section {
  std::string Heading;
  /// Paragraphs, or commands to be copied as they are.
  std::vector<std::string> Lines;
  enum class Form : uint8_t { Paragraphs, Commands } Shape = Form::Paragraphs;
};

struct Story {
  /// "costed: ..."; one sentence.
  std::string Title;
  /// Those that have something to say, in the order above.
  std::vector<Section> Sections;
};

/// "costed", "observed", "open", "nothing-found", "stopped".
llvm::StringRef word(HuntOutcome Outcome);

/// \p Changes may be null.
Story tellStory(const HuntRequest &Request, const HuntResult &Result,
                const report::Comparison *Changes = nullptr);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_STORY_H
