// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How pointers to functions are declared, by debug information:
//
//     struct Stream { int (*send)(struct Stream *); };
//     s->send = tcp_send;          put into an int (*)(struct Stream *)
//     s->send(s);                  called through one
//
// In the IR all pointers are alike, so that int (*)(struct Test *) looks the
// same. What counts is where a pointer is kept, not the function that it is set
// to: a cast on the way in changes nothing.

#ifndef LINESMAN_LIB_FACTSPASS_DECLAREDTYPES_H
#define LINESMAN_LIB_FACTSPASS_DECLAREDTYPES_H

#include "RecordTypes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <cstdint>

namespace llvm {
class CallBase;
class Constant;
class DICompositeType;
class DIType;
class GlobalVariable;
class Instruction;
class MDNode;
class Module;
class Value;
} // namespace llvm

namespace linesman::facts {

/// Numbers for declared types: equal ones for equal types, 0 where the
/// declaration is not known.
class DeclaredTypes {
public:
  explicit DeclaredTypes(const llvm::Module &M) : M(M) {}

  /// Of virtual functions, in tables and in calls.
  static constexpr uint8_t Virtual = 255;

  /// Of the pointer that a call goes through.
  uint8_t ofCalled(const llvm::CallBase &Call);
  /// Of where \p I puts the function \p Stored: a store's place, or what a call
  /// hands it to.
  uint8_t ofPlace(const llvm::Instruction &I, const llvm::Value &Stored);
  /// Of where a variable holds \p Function from the start.
  uint8_t ofInitial(const llvm::GlobalVariable &Variable,
                    const llvm::Constant &Function);

private:
  using Held = llvm::DenseMap<const llvm::Constant *, uint8_t>;

  void findRecords();
  uint8_t numberAt(const llvm::DIType *Type, uint64_t Bits) const;
  uint8_t ofTag(const llvm::MDNode *Tag);
  uint8_t ofVariable(const llvm::Value *Pointer) const;
  void readInitial(const llvm::Constant &C, const llvm::DIType *Type,
                   uint64_t Bits, Held &Found) const;

  const llvm::Module &M;
  RecordTypes Tags;
  bool HasRecords = false;
  /// By the name that TBAA has; null where several have it.
  llvm::StringMap<const llvm::DICompositeType *> Records;
  llvm::DenseMap<const llvm::GlobalVariable *, Held> Initial;
};

} // namespace linesman::facts

#endif // LINESMAN_LIB_FACTSPASS_DECLAREDTYPES_H
