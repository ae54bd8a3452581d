// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan: edits that would fix findings, and what they cost. Readable JSON that
// people may edit.

#ifndef LINESMAN_PLAN_PLAN_H
#define LINESMAN_PLAN_PLAN_H

#include "linesman/Layout/Finding.h"
#include "linesman/Layout/Identity.h"
#include "linesman/Plan/Edit.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace linesman::plan {

struct EditCost {
  /// The lines of what moves and the gaps in its place, without what left. A
  /// plan as a whole takes up to two lines more, where its sections begin and
  /// end.
  uint64_t Bytes = 0;
  /// By which the section grows, as far as its size today tells.
  uint64_t Pages = 0;
};

/// An edit and why.
struct PlannedEdit {
  Edit Change;
  EditCost Cost;
  /// The part of the findings' score that it removes.
  double Removes = 0;
  /// Their ids.
  std::vector<std::string> Findings;
};

/// A finding that the plan does not fix.
struct LeftFinding {
  std::string Id;
  std::string Reason;
};

struct Plan {
  /// As the user gave it.
  std::string Binary;
  layout::LineSize Line;
  layout::PageSize Page;
  /// In the order in which they were chosen.
  std::vector<PlannedEdit> Edits;
  std::vector<LeftFinding> Left;
  /// The score between objects of the findings that were to be fixed: today,
  /// and with the plan. Who does not move keeps its line-mates, so that this is
  /// also the score of the relinked file.
  double Before = 0, After = 0;

  std::vector<Edit> edits() const;
};

struct PlanRequest {
  /// Those to fix, ranked.
  llvm::ArrayRef<layout::LineFinding> Findings;
  layout::LineSize Line;
  layout::PageSize Page;
  /// Bytes; nothing is no limit.
  std::optional<uint64_t> Budget;
};

/// For each finding the cheapest edits that leave no two objects on one line
/// that force transfers; then the cheapest first, for as long as the budget
/// lasts: that is the largest number of findings for the bytes. Written objects
/// of one role stay together, because threads that write one write the other.
Plan makePlan(const layout::Image &Linked, const PlanRequest &Request);

/// The edits of \p Old, and those of \p New for symbols that Old does not
/// place: what moves shifts what follows it, so the result of one plan can need
/// another.
Plan joinPlans(Plan Old, Plan New);

/// Whether a relink can move a symbol of \p Linked: it has a name, an object of
/// the link defines it, and no program can walk over its section.
bool isMovable(const layout::Image &Linked, const layout::Symbol &S);

/// Every object of \p Page that can be moved on a page of its own.
llvm::Expected<PlannedEdit> explodePage(const layout::Image &Linked,
                                        const layout::PageMap &Pages,
                                        layout::PageIndex Page);

/// JSON, schema 1 (docs/relink.md).
void writePlan(const Plan &Planned, llvm::raw_ostream &OS);

/// Reads what writePlan wrote or a person changed. Fails with the place in the
/// file and what was expected there.
llvm::Expected<Plan> readPlan(llvm::StringRef Text);

/// "isolate", "group", "pad", "shift", "explode".
llvm::StringRef word(EditKind Kind);

} // namespace linesman::plan

#endif // LINESMAN_PLAN_PLAN_H
