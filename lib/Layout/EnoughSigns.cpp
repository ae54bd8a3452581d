// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each bound was chosen on judged findings of stripped files
// (docs/unseen-files.md), and docs/limits.md says what it misses.

#include "EnoughSigns.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace linesman::layout {

/// Whether nobody knows who calls the code: a library's, that of a program of
/// which no role is known, and that of one whose threads others start. Not a
/// kernel, any part of which runs anywhere.
static bool hasUnknownCallers(const AccessTable &Table) {
  ArrayRef<Role> Roles = Table.roles();
  auto Has = [&](RoleKind Kind) {
    return any_of(Roles, [&](const Role &R) { return R.Kind == Kind; });
  };
  if (Has(RoleKind::Main))
    return !Has(RoleKind::Thread);
  return !Table.knowsThreads() ||
         any_of(Roles, [](const Role &R) { return R.EnoughWays > 0; });
}

/// Whether only machine code tells of the file.
static bool isCodeOnly(const AccessTable &Table) {
  return all_of(Table.objects(), [](const AccessedObject &Object) {
    return all_of(Object.Accesses,
                  [](const ObjectAccess &A) { return A.isMachineCode(); });
  });
}

/// Of the functions of a large program, many are for what it does once or on
/// request. What it does more often is in loops, or in several functions. So
/// one pair of roles must force a transfer for each ten functions beyond the
/// first twenty, but no more than four, which are two uses of a lock. Not all
/// pairs together: pointers lead many roles to the same code.
constexpr double FewFunctions = 20, FunctionsForTransfer = 10, MostNeeded = 4;

/// Nobody knows how often a library's functions are called, and known threads
/// are the weakest sign: then it is six times as much for each function, up to
/// 24 uses of a lock.
constexpr double TimesOfUnknown = 6, MostNeededOfUnknown = 48;

/// Loops promise much, and most messages, scripts and settings are behind some.
/// So, in such a program, what the sign is of must be done in half of the
/// operations, less the errors that are looked for on the way, if each loop
/// turns once.
constexpr double LeastVisits = 0.49;

/// The larger a program, the more of its functions write something shared now
/// and then: loops and pointers give each of them a few dozen transfers. What
/// matters is written by many functions, or by one very often. So transfers
/// times functions that write must be a twentieth of all functions. Of 141
/// judged findings none that threads write under load has less than twice that
/// (docs/unseen-files.md, the thirty-second set).
constexpr double FunctionsForWriter = 20;

/// Programs guard what their threads share. What a large one does not guard is
/// rather one thread's, although the code of several leads there.
constexpr double MostFunctionsForThreads = 200;

EnoughSigns::EnoughSigns(const AccessTable &Table, const OwnCode &Own)
    : Table(Table), IsUnknown(hasUnknownCallers(Table)),
      IsCode(isCodeOnly(Table)),
      IsLargeGuess(IsCode && !Table.isReweighed() &&
                   double(Table.functions().size()) > FewFunctions),
      NeedsName(Table.isRust() && !Table.isReweighed()),
      OwnFunctions(double(Own.countFunctions())) {
  // A Rust program's threads are known, and it has a large library in it.
  const bool IsOfRust =
      Table.startsClosures() && any_of(Table.roles(), [](const Role &R) {
        return R.Kind == RoleKind::Main;
      });
  if (!IsOfRust && !Table.isReweighed())
    OfSize = (double(Table.functions().size()) - FewFunctions) /
             FunctionsForTransfer;
}

double EnoughSigns::leastTransfers(Sign Meeting) const {
  // What stands in for others is reset now and then, and read all the time.
  if (isGuess(Meeting) || Meeting == Sign::StandIn)
    return 0;
  return IsUnknown || Meeting == Sign::Threads
             ? std::min(MostNeededOfUnknown, TimesOfUnknown * OfSize)
             : std::min(MostNeeded, OfSize);
}

double EnoughSigns::leastVisits(Sign Meeting) const {
  return IsCode && OfSize > 0 &&
                 (Meeting == Sign::Lock || Meeting == Sign::Atomic)
             ? LeastVisits
             : 0;
}

double EnoughSigns::leastOfOneWriter(Sign Meeting) const {
  return IsCode && OfSize > 0 && !isGuess(Meeting) && Meeting != Sign::StandIn
             ? OwnFunctions / FunctionsForWriter
             : 0;
}

bool EnoughSigns::wantsWrites(Sign Meeting) const {
  return IsLargeGuess && (Meeting == Sign::Lock || Meeting == Sign::Atomic);
}

bool EnoughSigns::wantsGuard() const {
  return IsCode && OfSize > 0 && OwnFunctions > MostFunctionsForThreads;
}

Sign EnoughSigns::judge(const LineScore &Scored, const LineUse &Use) const {
  if (!Scored.HasMeeting)
    return Sign::OwnLines;
  // A compiler tells who runs what, and needs no other sign.
  if (Scored.Meeting == Sign::Facts)
    return Sign::Facts;
  if (Table.isThreadless())
    return Sign::None;
  if (Scored.SignTransfers < leastTransfers(Scored.Meeting))
    return Sign::Seldom;
  if (Scored.Meeting == Sign::Threads && wantsGuard())
    return Sign::None;
  const double OfOne = leastOfOneWriter(Scored.Meeting);
  if (Scored.SignTransfers < OfOne &&
      Scored.SignTransfers * double(Use.CountWriters()) < OfOne)
    return Sign::Seldom;
  const double Visits = leastVisits(Scored.Meeting);
  if (Visits > 0 && Use.CountVisits() < Visits)
    return Sign::Seldom;
  if (wantsWrites(Scored.Meeting) && Use.IsMostlyRead())
    return Sign::MostlyRead;
  if (wantsName(Scored.Meeting) && !Use.HasName)
    return Sign::Nameless;
  if (wantsName(Scored.Meeting) && !Use.IsPrograms())
    return Sign::Library;
  return Scored.Meeting;
}

} // namespace linesman::layout
