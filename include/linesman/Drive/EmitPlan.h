// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plan in the form that is asked for.

#ifndef LINESMAN_DRIVE_EMITPLAN_H
#define LINESMAN_DRIVE_EMITPLAN_H

#include "linesman/Input/ReadBinary.h"
#include "linesman/Plan/Plan.h"

namespace linesman::drive {

enum class PlanForm { Json, Ld, Order, Cpp };

/// \p MadeOf is the binary that the plan is about; null where the plan was read
/// from a file: then the one that it names is looked at, if it is there.
void emitPlan(PlanForm Form, plan::Plan Planned, const input::Binary *MadeOf,
              llvm::raw_ostream &OS);

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_EMITPLAN_H
