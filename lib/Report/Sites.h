// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sites of an occupant in the order in which people want them: heaviest
// first, start-up code last.

#ifndef LINESMAN_LIB_REPORT_SITES_H
#define LINESMAN_LIB_REPORT_SITES_H

#include "linesman/Report/Report.h"

namespace linesman::report {

struct Site {
  /// Demangled.
  std::string Function;
  /// "file.cpp:30"; empty without debug info.
  std::string Source;
  /// The inlined call that the site is in, and those around it; empty for code
  /// that was not inlined, and for facts of a compiler.
  std::vector<layout::Frame> InlinedInto;
  /// The first instruction of the site; 0 for facts of a compiler.
  layout::LinkAddress Instruction;
  /// The way on which the address came, for people; empty where the code names
  /// the object.
  std::string Way;
  /// "file.cpp:3", where it was handed on by a call; or empty.
  std::string HandedOn;
  /// Of machine code: the function that the access is a call of, to which the
  /// object is handed; empty for an instruction that accesses it itself.
  std::string Callee;
  /// The object may be another one each time.
  bool IsMay = false;
  /// It mostly is: AccessTable::isPerhaps.
  bool IsPerhaps = false;
  facts::AccessKind Kind;
  /// The members that it touches, in their order; see membersOf.
  std::vector<std::string> Members;
  /// The roles that run it, in the order of the report's; empty for start-up.
  std::vector<layout::RoleIndex> RunBy;
  /// Over all roles; of start-up code, per entry of the function.
  double Weight;

  bool isStartUp() const { return RunBy.empty(); }
};

/// Who writes and who reads an occupant, in the order of the report's roles.
struct Users {
  std::vector<layout::RoleIndex> Writers, Readers;
};
Users findUsers(const LayoutReport &Report, const layout::LineOccupant &Place);

/// The name of what an address is in, or the address.
std::string nameAt(const LayoutReport &Report, layout::LinkAddress Address);

/// The accesses that can touch \p Place. Where they are the same, sites are.
std::vector<const layout::ObjectAccess *>
findAccesses(const LayoutReport &Report, const layout::LineOccupant &Place);

/// The sites that can touch \p Place. Accesses at one place in the source, of
/// one function and kind, are one site.
std::vector<Site> findSites(const LayoutReport &Report,
                            const layout::LineOccupant &Place);

/// Drops the lightest beyond \p Most, and returns how many. The heaviest of
/// each kind of access stays: a write among many reads is what a reader looks
/// for.
size_t dropSites(std::vector<Site> &Sites, size_t Most);

/// "file.cpp:30", or "" where the file is not known.
std::string sourceText(llvm::StringRef File, uint32_t Line);

/// "file.cpp:3", where the source defines an object, or "".
std::string definitionText(const LayoutReport &Report,
                           const layout::AccessedObject &Object);

/// Demangled name of a symbol, or the image's label of other occupants.
std::string displayName(const layout::Image &Image,
                        layout::OccupantIndex Occupant);

} // namespace linesman::report

#endif // LINESMAN_LIB_REPORT_SITES_H
