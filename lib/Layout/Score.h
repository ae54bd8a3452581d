// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The score of one line: how many ownership transfers its accesses can force.

#ifndef LINESMAN_LIB_LAYOUT_SCORE_H
#define LINESMAN_LIB_LAYOUT_SCORE_H

#include "linesman/Layout/Finding.h"
#include "llvm/ADT/SmallVector.h"

namespace linesman::layout {

struct LineScore {
  Score Points;
  /// What pairs of known threads would add that count for next to nothing
  /// (UnlikelyShare), because nothing says that they meet.
  double Doubted = 0;
  /// What says that threads meet here: the best sign of any two parties.
  Sign Meeting = Sign::None;
  /// Transfers of pairs with a sign: the most of any two roles.
  double SignTransfers = 0;
  /// Something tells that threads meet, more than that they use elements with
  /// lines of their own by an index that is not known.
  bool HasMeeting = false;
  /// The lock that both sides hold of more than half of the score; 0 for none.
  uint64_t BehindLock = 0;
  /// For each written symbol, in order, the part of the score that its writes
  /// force.
  llvm::SmallVector<std::pair<uint32_t, double>, 8> Forced;
};

/// What is less is no finding: code that runs once has 2^-20, at most 2^10
/// times.
inline constexpr double LeastPoints = 1.0 / 1024;

/// \p Known is a sign that does not come from the pairs: better ones are looked
/// for.
LineScore scoreLine(const Image &Program, const AccessTable &Table,
                    llvm::ArrayRef<LineOccupant> Occupants, LineSize Line,
                    Sign Known = Sign::None);

/// The pairs that Score::Between consists of, by A and B.
std::vector<ObjectPair> findPairs(const Image &Program,
                                  const AccessTable &Table,
                                  llvm::ArrayRef<LineOccupant> Occupants,
                                  LineSize Line);

/// Lines of which the first stands for all.
struct LineRun {
  LineIndex First;
  uint64_t Count;
};

/// The lines that can have a score, in order, without those between two ends of
/// accesses in a touched object, which look alike.
std::vector<LineRun> chooseLines(const Image &Program, const LineMap &Lines,
                                 const AccessTable &Table);

/// The share of an access's weight that falls on \p Range: all of it, 1, where
/// the bytes are known; in proportion where they are "somewhere in the object".
double shareOn(const ObjectAccess &Access, const Symbol &Object,
               AddressRange Range);

/// Whether \p Access stores a constant, and whoever writes these bytes of the
/// object while threads run stores the same: then all but the first such store
/// change nothing.
bool writesOneConstant(const AccessTable &Table, const AccessedObject &Object,
                       const ObjectAccess &Access);

/// Nothing for an access "somewhere in the object", otherwise its bytes.
std::optional<AddressRange> bytesOf(const ObjectAccess &Access,
                                    const Symbol &Object);

/// Where an access may be: its bytes, or the object. An index in machine code
/// counts up from the address that is in the instruction: what has no symbol
/// may be several objects, of which those before are not meant.
AddressRange reachOf(const ObjectAccess &Access, const Symbol &Object);

} // namespace linesman::layout

#endif // LINESMAN_LIB_LAYOUT_SCORE_H
