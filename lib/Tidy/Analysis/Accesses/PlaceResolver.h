// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From an expression to the object that it names. Looks through what people put
// between themselves and an object and what never changes which one it is:
// references and pointers that are bound once, and accessors that are a single
// return (`Slot &mine() { return slots[id()]; }`, a singleton's instance()).

#ifndef LINESMAN_TIDY_ANALYSIS_ACCESSES_PLACERESOLVER_H
#define LINESMAN_TIDY_ANALYSIS_ACCESSES_PLACERESOLVER_H

#include "Analysis/Accesses/UnitAccesses.h"
#include "clang/AST/ExprCXX.h"

namespace linesman::tidy {

class PlaceResolver {
public:
  /// The object that the glvalue \p E names; an unknown place when it is not
  /// followed.
  Place ofObject(const clang::Expr &E) const;
  /// The object that the pointer value \p E points to.
  Place ofPointee(const clang::Expr &E) const;

  /// A local pointer got another value: from here on it is only a name.
  void forget(const clang::VarDecl &Pointer) { Reassigned.insert(&Pointer); }
  /// A local pointer got a value. The first one, for a pointer that was
  /// declared without, is as good as an initialiser (C's older dialects declare
  /// first).
  void assign(const clang::VarDecl &Pointer, const clang::Expr &Value) {
    if (Pointer.hasInit() || !Assigned.try_emplace(&Pointer, &Value).second)
      forget(Pointer);
  }
  bool isReassigned(const clang::VarDecl &Pointer) const {
    return Reassigned.contains(&Pointer);
  }

private:
  void object(const clang::Expr *E, Place &Result, unsigned Depth) const;
  void pointee(const clang::Expr *E, Place &Result, unsigned Depth) const;
  void variable(const clang::VarDecl &Var, Place &Result, unsigned Depth) const;
  void element(const clang::Expr &Array, const clang::Expr *Index,
               clang::QualType Type, Place &Result, unsigned Depth) const;
  /// `T &own(Table &all) { return all[thread]; }`: \p Result is an element of
  /// the function's parameter, and becomes one of what \p Call passes.
  void replaceParameter(const clang::CallExpr &Call, Place &Result,
                        unsigned Depth) const;
  /// operator* or operator-> whose body is the return of an array's element.
  bool picksElement(const clang::CXXOperatorCallExpr &Call, Place &Result,
                    unsigned Depth) const;
  /// What the array behind an operator[] has for an element: its own padding is
  /// around what the operator returns (`return padded[i].value;`).
  clang::QualType storedType(const clang::CXXOperatorCallExpr &Subscript,
                             unsigned Depth) const;
  /// What operator[] or at() of a class object gives.
  void elementOfObject(const clang::Expr &Container, const clang::Expr *Index,
                       clang::QualType Type, Place &Result,
                       unsigned Depth) const;

  llvm::DenseSet<const clang::VarDecl *> Reassigned;
  llvm::DenseMap<const clang::VarDecl *, const clang::Expr *> Assigned;
};

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_ACCESSES_PLACERESOLVER_H
