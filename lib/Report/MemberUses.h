// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which members of an occupant are written, and which are read.

#ifndef LINESMAN_LIB_REPORT_MEMBERUSES_H
#define LINESMAN_LIB_REPORT_MEMBERUSES_H

#include "linesman/Report/Report.h"

namespace linesman::report {

/// A member and the weights of its accesses that can run concurrently.
struct MemberUse {
  layout::Member Touched;
  double Reads = 0, Writes = 0, Atomics = 0;

  bool isUsed() const { return Reads > 0 || Writes > 0 || Atomics > 0; }
};

struct MemberUses {
  /// By offset: what the accesses touch, and between them what else of the
  /// object is on the line. An access of several members counts for each.
  std::vector<MemberUse> Members;
  /// The smallest member that all accesses of known bytes are in; empty for the
  /// object itself.
  std::string Around;
  /// Whether there are accesses somewhere in the object: members without one of
  /// their own may be touched all the same.
  bool HasSomewhere = false;
  /// The arrays that are touched.
  std::vector<layout::MemberArray> Arrays;
};

/// Nothing without a type that has members.
std::optional<MemberUses> findMemberUses(const LayoutReport &Report,
                                         const layout::LineOccupant &Place);

/// The members that accesses touch, each once, by offset. Nothing for all of
/// the object, for an access somewhere in it, and for an object whose members
/// are not known.
std::vector<layout::Member>
membersOf(const LayoutReport &Report, const layout::Symbol &Object,
          llvm::ArrayRef<const layout::ObjectAccess *> Accesses);

} // namespace linesman::report

#endif // LINESMAN_LIB_REPORT_MEMBERUSES_H
