// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of the pass, one file each, and what they hand on:
//
//     Module --collectFacts--> ModuleFacts --emitFacts--> module assembly
//               | resolveBases: pointer to objects
//               | touchedBy:    calls that access what they are given
//               | findInitializers
//               `--------------------------> printFacts (print<linesman-facts>)
//
// What the objects are: mutable variables with static storage that are not
// thread_local. They are named directly in the code; accesses through a pointer
// that somebody passed in belong to type facts.

#ifndef LINESMAN_LIB_FACTSPASS_MODULEFACTS_H
#define LINESMAN_LIB_FACTSPASS_MODULEFACTS_H

#include "linesman/Facts/Facts.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/PassManager.h"
#include <optional>
#include <vector>

namespace llvm {
class CallBase;
class DataLayout;
class DIGlobalVariable;
class Function;
class GlobalValue;
class GlobalVariable;
class Module;
class Value;
class raw_ostream;
} // namespace llvm

namespace linesman::facts {

/// All accesses of one function to one object. Sorted and without equals: what
/// differs in weight only is added up. The strings are the module's.
struct ObjectAccesses {
  /// A variable, or an alias whose target the linker may replace.
  const llvm::GlobalValue *Object;
  llvm::SmallVector<Access, 2> Accesses;
};

struct FunctionFacts {
  const llvm::Function *F;
  bool IsInitializer;
  bool HasProfile;
  std::vector<ObjectAccesses> Objects;
};

/// In the module's order of functions; objects in the order of first access.
using ModuleFacts = std::vector<FunctionFacts>;

/// Leaves the module as it is. Asks for block frequencies only where a function
/// accesses an object and has more than one block.
ModuleFacts collectFacts(const llvm::Module &M,
                         llvm::FunctionAnalysisManager &FAM);

/// An object that a pointer may point into.
struct Base {
  const llvm::GlobalValue *Object;
  /// Nothing when it is not constant.
  std::optional<uint64_t> Offset;
};

struct Bases {
  llvm::SmallVector<Base, 4> Known;
  /// All alternatives of selects and phis, with those that are not objects.
  unsigned Alternatives = 0;
};

/// Looks through address arithmetic, casts, selects and phis of bounded size.
Bases resolveBases(const llvm::Value *Pointer, const llvm::DataLayout &DL);

/// The variable behind an object's aliases; nullptr when it is none.
const llvm::GlobalVariable *getVariable(const llvm::GlobalValue &Object);

/// The declaration of an object; nullptr without debug info.
const llvm::DIGlobalVariable *getDeclaration(const llvm::GlobalValue &Object);

/// How a call accesses memory that one of its arguments points to.
struct CallAccess {
  unsigned Argument;
  AccessKind Kind;
  /// Bytes; 0 when it is not known.
  uint64_t Size;
};

/// The accesses of a call to a function that is known by its name: locks,
/// semaphores, atomics and memory functions of libraries. Empty for others.
llvm::SmallVector<CallAccess, 2> touchedBy(const llvm::CallBase &Call);

/// The functions that run before main only: static initialisers, constructor
/// functions, and local functions that nobody else calls.
llvm::DenseSet<const llvm::Function *> findInitializers(const llvm::Module &M);

/// What phase of a build the module is in decides who removes duplicates.
enum class Deduplication {
  /// The linker, by COMDAT groups.
  Linker,
  /// Link-time optimisation has already done it.
  Done,
};

/// Appends the facts to the module's assembly. Nothing for formats other than
/// 64-bit little-endian ELF.
void emitFacts(llvm::Module &M, const ModuleFacts &Facts, Deduplication Dedup);

/// Takes back what emitFacts appended.
void removeFacts(llvm::Module &M);

/// One line an access, for tests and people.
void printFacts(const ModuleFacts &Facts, llvm::raw_ostream &OS);

} // namespace linesman::facts

#endif // LINESMAN_LIB_FACTSPASS_MODULEFACTS_H
