// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links again with edits applied, without recompiling: the input objects are
// copied, their section headers patched, and the same command links the copies.
//
//     Config ─▶ ReadLink ─▶ ChosenEdits ─▶ LinkChanges ─▶ copies ─▶ EditedFile
//         ─▶ VerifiedEdits ─▶ rename
//
// Nothing is left behind when a step fails, and the old output stays as it is.

#ifndef LINESMAN_RELINK_RELINK_H
#define LINESMAN_RELINK_RELINK_H

#include "linesman/Layout/Address.h"
#include "linesman/Plan/Edit.h"
#include "linesman/Relink/Link.h"
#include "llvm/Support/Error.h"

namespace linesman::relink {

/// What to do with a symbol whose input section holds others too, because its
/// unit was compiled without -fdata-sections.
enum class UnitPolicy : uint8_t {
  /// With an InseparableSymbol.
  Refuse,
  /// The whole section moves; its symbols share lines with each other only.
  Whole,
};

struct RelinkConfig {
  /// A compiler driver's or a linker's.
  Link Original;
  std::vector<plan::Edit> Edits;
  /// The file to make; replaced in one step when everything holds.
  std::string Output;
  UnitPolicy Units = UnitPolicy::Refuse;
  /// This program, which stands in for linkers to learn a driver's link
  /// (CaptureLink.h).
  std::string Self;
};

/// Where an edited symbol is now.
struct Placed {
  /// As the edit names it.
  std::string Symbol;
  layout::LinkAddress Address;
  uint64_t Size = 0;
  /// Linker's names of those that moved with it (UnitPolicy::Whole).
  std::vector<std::string> Unit;
};

/// An edit that holds in the linked file.
struct AppliedEdit {
  plan::Edit Change;
  std::vector<Placed> Symbols;
};

struct Relinked {
  std::vector<AppliedEdit> Edits;
  /// What the linker printed though it did not fail.
  std::string Said;
  /// Such as that the line-mates of others change.
  std::vector<std::string> Warnings;
};

/// Applies, links, verifies. Fails when an edit can not be met (the message
/// names the symbol and says why), when the link fails (with what it printed),
/// or when the result does not hold what was asked.
llvm::Expected<Relinked> relink(const RelinkConfig &Config);

/// What the link's inputs alone tell, without linking: for each edit why it can
/// not be met, and nothing where it can. Fails when the inputs can not be read.
llvm::Expected<std::vector<std::string>>
findProblems(const RelinkConfig &Config);

} // namespace linesman::relink

#endif // LINESMAN_RELINK_RELINK_H
