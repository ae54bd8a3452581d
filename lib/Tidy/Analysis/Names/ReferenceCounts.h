// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What counts references? A field that is named like a count and goes up or
// down by one, and a function that does so to an object it is given:
//
//     void ref() { ++refs; }      void intrusive_ptr_add_ref(Rep *);

#ifndef LINESMAN_TIDY_ANALYSIS_NAMES_REFERENCECOUNTS_H
#define LINESMAN_TIDY_ANALYSIS_NAMES_REFERENCECOUNTS_H

#include "Analysis/Accesses/ObjectWrites.h"
#include "clang/AST/Decl.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace linesman::tidy {

/// refs, ref_count, m_refCount, use_count, rc...
bool isReferenceCountName(llvm::StringRef Name);

/// ref, unref, AddRef, Release, intrusive_ptr_add_ref, obj_incref...
bool isReferenceCountingName(llvm::StringRef Name);

/// Does the statement move a reference count by one? The count's path is in
/// \p Write.Part.
bool isCountStep(const ObjectWrite &Write);

/// A step that a function does to the object that it is called for (this) or
/// given (a parameter).
struct CountStep {
  const clang::FunctionDecl *Function = nullptr;
  ObjectWrite Write;
};

/// Finds the step in \p Callee or what it calls for the same object;
/// \p IsExcluded may turn a step down, say because a test guards it. The
/// result's Function is null when there is none, and its Write.Site when the
/// body is not visible and only the name tells.
CountStep
countingStepOf(const clang::FunctionDecl &Callee,
               const clang::ValueDecl *Object, const TypeKinds &Kinds,
               llvm::function_ref<bool(const CountStep &)> IsExcluded);

/// The parameter that a counting function is about, for one that is no method.
const clang::ParmVarDecl *countedParameter(const clang::FunctionDecl &Callee);

} // namespace linesman::tidy

#endif // LINESMAN_TIDY_ANALYSIS_NAMES_REFERENCECOUNTS_H
