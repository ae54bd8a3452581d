// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose is the element that an index picks?
//
// clang-format off
//     slots[current_thread()]          the thread's, by a well-known function
//     run(i, current_thread()):
//       active[core]                   the thread's, because all visible callers
//                                      of run(i, core) pass one
//     struct job *j = argument;
//       slots[j->number]               the thread's, by its own argument
//     work(j):
//       slots[job->number]             the same, because all visible callers of
//                                      work(job) pass theirs
//     slots[session->id]               the owner's: a number that its object got
//                                      when it was made
//     void count(int thread):
//       hits[thread]                   the thread's, as the name says, where no
//                                      visible caller counts through them all
//     hits[get_thread_id()]            the same, of a function without arguments
//     long hits[MAX_THREADS];
//     void count(int me):
//       hits[me]                       the same, as the bound says (ThreadBounds)
//     queue[count++], queue[own.used]  nobody's: a cursor, whichever thread's
// clang-format on
//
// The thread's number comes from TypeKinds and ThreadStarts; this adds what one
// function does not tell.

#ifndef LINESMAN_TIDY_ANALYSIS_THREADS_INDEXORIGIN_H
#define LINESMAN_TIDY_ANALYSIS_THREADS_INDEXORIGIN_H

#include "Analysis/Accesses/UnitAccesses.h"
#include "Analysis/Names/TypeKinds.h"
#include "Analysis/Threads/ThreadStarts.h"
#include <optional>

namespace linesman::tidy {

class IndexOrigin {
public:
  IndexOrigin(const UnitAccesses &Accesses, const TypeKinds &Kinds,
              const ThreadStarts &Starts)
      : Accesses(Accesses), Kinds(Kinds), Starts(Starts) {}

  /// \p Index, evaluated in \p Function, differs between threads by design.
  bool isThreadNumber(const clang::Expr &Index,
                      const clang::FunctionDecl *Function) const {
    return isThreadNumber(Index, Function, /*Depth=*/0);
  }

  /// How many elements lie between those of neighbouring threads: 1 for
  /// slots[thread], 8 for slots[8 * thread]. Nothing if that is computed when
  /// the program runs.
  std::optional<uint64_t> stepOf(const clang::Expr &Index,
                                 const clang::FunctionDecl *Function) const {
    return stepOf(Index, Frame{Function}, /*Depth=*/0);
  }

  /// The factor of the thread's number where only the running program knows it:
  /// n in sums[n * thread + i]. Null for any other index.
  const clang::Expr *rowLengthOf(const clang::Expr &Index,
                                 const clang::FunctionDecl *Function) const {
    return rowLengthOf(Index, Frame{Function}, /*Depth=*/0);
  }

  /// A local of \p Function that goes on from the thread's number in steps
  /// (`for (i = thread; i < n; i += threads)`): threads take turns.
  bool takesTurns(const clang::Expr &Index,
                  const clang::FunctionDecl &Function) const;

  /// An integer field named like a number ("id", "slot") of an object that a
  /// parameter points to, and that nothing counts in: as good as a thread's, if
  /// each object is used by one thread at a time. That, the caller has to know.
  bool isOwnersNumber(const clang::Expr &Index) const;

  /// An integer parameter that nothing changes and no visible caller counts
  /// through, or an owner's number: of an array with an element for each thread
  /// it picks one thread's.
  bool isSlotNumber(const clang::Expr &Index,
                    const clang::FunctionDecl &Function) const;

  /// \p Index is a parameter of \p Function, and some visible caller passes the
  /// number that its thread was started with or asked the system for. Others
  /// may go through all of them.
  bool isThreadNumberOfSome(const clang::Expr &Index,
                            const clang::FunctionDecl &Function) const;

private:
  /// Through two helpers and the local of each; recursion must end.
  static constexpr unsigned MaxDepth = 4;

  /// Where an index is computed: in a function, or in one that is nothing but
  /// a sum or product, whose parameters stand for what a call passes
  /// (`return bin + thread * bins;`).
  struct Frame {
    const clang::FunctionDecl *Function = nullptr;
    const clang::CallExpr *Call = nullptr;
    const Frame *Caller = nullptr;
  };
  /// What the frame's call passes for the parameter that \p Name is; null for
  /// anything else.
  static const clang::Expr *passedFor(const clang::Expr &Name,
                                      const Frame &Scope);
  std::optional<uint64_t> stepOf(const clang::Expr &Index, const Frame &Scope,
                                 unsigned Depth) const;
  const clang::Expr *rowLengthOf(const clang::Expr &Index, const Frame &Scope,
                                 unsigned Depth) const;
  bool isThreadNumber(const clang::Expr &Index, const Frame &Scope,
                      unsigned Depth) const;
  bool isThreadNumber(const clang::Expr &Index,
                      const clang::FunctionDecl *Function,
                      unsigned Depth) const;
  /// By a call: a function says so, not a mere name of a variable.
  bool isAskedFor(const clang::Expr &Value,
                  const clang::FunctionDecl &Function) const;
  template <typename Predicate>
  bool holdsForAll(const clang::ParmVarDecl *Parameter,
                   const clang::FunctionDecl &Function, Predicate Holds) const;
  /// What the thread was started with, or a parameter for which all visible
  /// callers pass that.
  bool isOwnObject(const clang::Expr &Object,
                   const clang::FunctionDecl *Function, unsigned Depth) const;
  /// Neither the function nor a visible caller goes through all of them.
  bool isHandedOver(const clang::ParmVarDecl &Parameter,
                    const clang::FunctionDecl &Function) const;
  /// By its name, a parameter or a field, that is handed over.
  bool isNamedThreadNumber(const clang::ParmVarDecl &Parameter,
                           const clang::FunctionDecl &Function) const;
  bool isNamedThreadNumber(const clang::MemberExpr &Member) const;
  /// ++, +=, or a value of its own in a loop: a position in something.
  bool isCursor(const clang::Expr &E, unsigned Depth) const;
  bool isCountedIn(llvm::ArrayRef<unsigned> Indices) const;

  const UnitAccesses &Accesses;
  const TypeKinds &Kinds;
  const ThreadStarts &Starts;
  /// Locals that assignments set, such as most loops' counters.
  mutable llvm::DenseMap<const clang::VarDecl *, bool> AssignedNumbers;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_THREADS_INDEXORIGIN_H
