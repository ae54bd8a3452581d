// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The first step of a relink: what is linked, and from what.

#ifndef LINESMAN_LIB_RELINK_READLINK_H
#define LINESMAN_LIB_RELINK_READLINK_H

#include "DefinitionIndex.h"
#include "SideOutputs.h"
#include "StripSymbols.h"
#include "linesman/Relink/Relink.h"

namespace linesman::relink {

/// A link as it can be done again with copies of its inputs.
struct ReadLink {
  /// A linker's command of native objects, if at all possible, with its side
  /// outputs in the scratch folder, and without what strips.
  Link Command;
  /// Their definitions are read as far as somebody asked.
  LinkInputs Inputs;
  /// Of the same inputs, once a linker has run.
  std::optional<DefinitionIndex> Index;
  /// Every file that was read; those of the link-time optimizer's link too.
  std::vector<ReadFile> Files;
  SideOutputs Sides;
  /// What the output is to be without.
  Stripping Dropped;
  /// What the link-time optimizer's link printed.
  std::string Said;
};

/// Fails when the inputs can not be read, and when the output is one of them.
llvm::Expected<ReadLink> readLink(const RelinkConfig &Config,
                                  const ScratchFolder &Scratch);

/// What was checked is what was linked: fails when a file has changed since.
llvm::Error expectUnchanged(llvm::ArrayRef<ReadFile> Files);

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_READLINK_H
