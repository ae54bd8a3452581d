// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Control flow recovered from steps: blocks, edges, loops, and how often a
// block runs per entry of its function.

#ifndef LINESMAN_LIB_INPUT_CONTROLFLOW_H
#define LINESMAN_LIB_INPUT_CONTROLFLOW_H

#include "MachineStep.h"
#include "linesman/Layout/CallGraph.h"
#include "llvm/ADT/SmallVector.h"

namespace linesman::input {

struct Block {
  /// Steps [First, Last).
  uint32_t First = 0, Last = 0;
  llvm::SmallVector<uint32_t, 2> Successors, Predecessors;
  /// Position in reverse post-order; a block that no edge reaches has one too.
  uint32_t Order = 0;
  /// Innermost loop's header that is not the block itself; nothing outside of
  /// loops.
  std::optional<uint32_t> Loop;
  bool IsHeader = false;
  /// Nothing is known to lead here: the entry, a landing pad, dead code.
  bool IsRoot = false;
  /// Ends in a call that does not return, asks who is the first, or signals
  /// itself.
  bool IsCold = false;
  /// Ends in a call that does not return.
  bool EndsProcess = false;
  /// Sends the process itself a signal, as a bug report does at its end.
  bool SignalsItself = false;
  /// What follows happens as rarely as signals do.
  bool WaitsForSignal = false;
  /// Different cases of the switch that it ends with; 0 where its table is not
  /// known.
  uint32_t Cases = 0;
  /// In a loop that nothing leaves, but to end the process: each turn counts as
  /// if it were the only one.
  bool IsOfTurn = false;
  /// Calls what waits for some time.
  bool WaitsForTime = false;
  /// Waits a moment, until another thread may have done something.
  bool Spins = false;
  /// Says what went wrong, on the standard error output.
  bool ReportsError = false;
  /// The successor for a call that a signal interrupted (EINTR), before it is
  /// made again.
  std::optional<uint32_t> IfInterrupted;
  /// The successor for a compare-exchange at which another thread was faster.
  std::optional<uint32_t> IfContended;
  /// The successor for a library call that failed.
  std::optional<uint32_t> IfFailed;
  /// Waits for a lock that it did not get at once.
  bool IsContended = false;
  /// Lies behind an end of the function, is only jumped to, and jumps back:
  /// compilers put there what they hold for unlikely.
  bool IsOutOfLine = false;
  /// Executions per entry of the function.
  double Frequency = 0;
};

/// The executions of what is cold.
inline constexpr double ColdShare = layout::OnceShare;

struct ControlFlow {
  /// By address.
  std::vector<Block> Blocks;
  /// Blocks in reverse post-order.
  std::vector<uint32_t> Order;
};

/// Whether every way through a function ends in a call that does not return. A
/// loop may go on for ever and do all the work: a function with one is none.
bool neverReturns(const ControlFlow &Flow);

/// The name of who is called or jumped to; empty when it is not known.
llvm::StringRef calleeOf(const Step &S, const CodeMap &Map);
/// The function of this binary that a call is of, or a jump that is a last
/// call; by its address.
std::optional<uint64_t> ownCalleeOf(const Step &S, const CodeMap &Map);

/// Cuts the steps of the function at \p Function into blocks. An indirect jump
/// leads to its switch's cases (SwitchTables.h); where they are not known, to
/// every block that nothing else leads to. Names
/// thread-local variables in \p Steps.
ControlFlow recoverControlFlow(llvm::MutableArrayRef<Step> Steps,
                               const CodeFunction &Function,
                               const CodeMap &Map);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_CONTROLFLOW_H
