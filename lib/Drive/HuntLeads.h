// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the reports of a hunt's steps say, as values. Pure.

#ifndef LINESMAN_LIB_DRIVE_HUNTLEADS_H
#define LINESMAN_LIB_DRIVE_HUNTLEADS_H

#include "linesman/Drive/Hunt.h"

namespace linesman::drive {

enum class LeadKind : uint8_t { Variable, Field };

/// The findings of a report of layout, in its order.
std::vector<Lead> readLeads(const llvm::json::Value &Report, LeadKind Kind);

/// Adds what watch saw to the leads that it is about. What was confirmed once
/// stays so: to see threads meet is certain; of two prices the narrower one is
/// kept. What an expression leads to is a
/// lead of its own, where no lead has its name.
void attachObserved(std::vector<Lead> &Leads, const llvm::json::Value &Report);

/// Fails when it is no report of ab that has a verdict.
llvm::Expected<CostEvidence> readCost(const llvm::json::Value &Report);

/// Adds what the isolated build showed; a difference puts the lead on the rung
/// costed.
void attachCost(Lead &Costed, const CostEvidence &Cost, bool IsSimulated);

std::vector<Culprit> readCulprits(const llvm::json::Value &Report);

/// Those whose threads were seen to meet first, those that were ruled out last;
/// variables before fields, then as they were.
void rankLeads(std::vector<Lead> &Leads);

/// The notes of a report that \p List has not.
void appendNotes(std::vector<std::string> &List,
                 const llvm::json::Value &Report);

/// Why the plan moves nothing; empty when it has edits.
std::string whyNothingMoves(const llvm::json::Value &Plan);

} // namespace linesman::drive

#endif // LINESMAN_LIB_DRIVE_HUNTLEADS_H
