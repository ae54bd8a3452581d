// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that threads have one of each: whose is the one that an access is to?
//
//     thread_local Worker *own;
//     own->jobs++                              the running thread's
//     workers[thread]->jobs++                  the same, by its number
//     run(own), void run(Worker *w):
//       w->jobs++                              the same, as the callers say
//     for (int i = 0; i < n; ++i)
//       if (workers[i]->epoch < now)           another thread's: chosen among
//       them
//     steal(workers[rand() % n])               the same, in the callee
//
// The running thread's object comes from a thread_local variable, the thread's
// number or the argument that it was started with; another's from a container
// of them by a counter or a computed number, from a loop through one, or from a
// walk along a list.

#ifndef LINESMAN_TIDY_ANALYSIS_THREADS_OBJECTOWNERS_H
#define LINESMAN_TIDY_ANALYSIS_THREADS_OBJECTOWNERS_H

#include "Analysis/Threads/IndexOrigin.h"

namespace linesman::tidy {

/// Who may be at an object, as far as the unit tells.
struct Parties {
  bool HasOwner = false;
  bool HasOther = false;

  Parties operator|(Parties More) const {
    return {HasOwner || More.HasOwner, HasOther || More.HasOther};
  }
};

class ObjectOwners {
public:
  ObjectOwners(const UnitAccesses &Accesses, const ThreadStarts &Starts,
               const IndexOrigin &Origin)
      : Accesses(Accesses), Starts(Starts), Origin(Origin) {}

  /// Of the object that \p Use accesses \p Field of. Neither where nothing
  /// tells.
  Parties partiesOf(const Access &Use, const clang::FieldDecl &Field);

  /// The object is *this or what a parameter leads to, so that the callers know
  /// whose it is.
  static bool isCallers(const Access &Use, const clang::FieldDecl &Field);

private:
  Parties ofObject(const clang::Expr &E, const clang::FunctionDecl &F,
                   unsigned Depth);
  Parties ofPointer(const clang::Expr &E, const clang::FunctionDecl &F,
                    unsigned Depth);
  Parties ofVariable(const clang::VarDecl &Var, const clang::FunctionDecl &F,
                     unsigned Depth);
  Parties ofParameter(const clang::ParmVarDecl &Parameter,
                      const clang::FunctionDecl &F, unsigned Depth);
  Parties ofThis(const clang::FunctionDecl &Method, unsigned Depth);
  Parties ofCall(const clang::CallExpr &Call, const clang::FunctionDecl &F,
                 unsigned Depth);
  /// An element of a container, by \p Index.
  Parties ofElement(const clang::Expr &Index, const clang::FunctionDecl &F,
                    unsigned Depth);
  /// A counter, a computed or looked up number: one among many.
  bool isChosen(const clang::Expr &Index, const clang::FunctionDecl &F,
                unsigned Depth);

  const UnitAccesses &Accesses;
  const ThreadStarts &Starts;
  const IndexOrigin &Origin;
  llvm::DenseMap<const clang::ParmVarDecl *, Parties> Parameters;
  llvm::DenseMap<const clang::FunctionDecl *, Parties> Methods;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_THREADS_OBJECTOWNERS_H
