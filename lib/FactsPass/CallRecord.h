// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The calls of a module as bytes, and its accesses by type: what names
// functions by their hashes.

#ifndef LINESMAN_LIB_FACTSPASS_CALLRECORD_H
#define LINESMAN_LIB_FACTSPASS_CALLRECORD_H

#include "ModuleFacts.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <string>

namespace linesman::facts {

/// The calls of a module: one record for all, since functions in COMDAT groups
/// are referred to by name.
class CallRecord {
public:
  /// The linker's name; empty when assembly cannot express it.
  using SymbolNames =
      llvm::function_ref<llvm::StringRef(const llvm::GlobalValue &)>;
  CallRecord(const ModuleFacts &Facts, SymbolNames Name);

  llvm::MapVector<const llvm::GlobalValue *, uint32_t> Locals;
  llvm::MapVector<uint64_t, uint32_t> Names;
  std::string Payload;
  /// The payload of a record of declared types; empty where none is known.
  std::string Declared;

  std::string packNames() const;
  /// 0 for what has no number.
  uint64_t reference(const llvm::GlobalValue *GV, SymbolNames Name) const;

private:
  void intern(const llvm::GlobalValue *GV, SymbolNames Name);
  void write(const llvm::GlobalValue &Caller, llvm::ArrayRef<Edge> Edges,
             SymbolNames Name, llvm::raw_ostream &OS);

  llvm::MapVector<const llvm::GlobalValue *, uint32_t> Tables;
};

/// The payload of a record of accesses by type. \p FileNumber is the number of
/// a file in the contribution.
std::string
packTypeAccesses(const ModuleFacts &Facts, const CallRecord &Numbers,
                 CallRecord::SymbolNames Name,
                 llvm::function_ref<uint32_t(llvm::StringRef)> FileNumber);

/// The same accesses' bits of a record of what is done without a lock; empty
/// where that says nothing.
std::string packUnlocked(const ModuleFacts &Facts, const CallRecord &Numbers,
                         CallRecord::SymbolNames Name);

/// The payload of a record of uses of pointers. \p ObjectIndex is an object's
/// place in the contribution's table.
std::string packPointers(
    const ModuleFacts &Facts, const CallRecord &Numbers,
    CallRecord::SymbolNames Name,
    llvm::function_ref<uint32_t(const llvm::GlobalValue &)> ObjectIndex,
    llvm::function_ref<uint32_t(llvm::StringRef)> FileNumber);

/// The payload of a record of locks, of calls and of who takes them.
std::string packCallLocks(
    const ModuleFacts &Facts, const CallRecord &Numbers,
    CallRecord::SymbolNames Name,
    llvm::function_ref<uint32_t(const llvm::GlobalValue &)> ObjectIndex);
/// The payload of a record of flags of calls.
std::string packCallFlags(
    const ModuleFacts &Facts, const CallRecord &Numbers,
    CallRecord::SymbolNames Name,
    llvm::function_ref<uint32_t(const llvm::GlobalValue &)> ObjectIndex);
/// The payload of a record of which elements uses of pointers mean.
std::string packSteps(const ModuleFacts &Facts, const CallRecord &Numbers,
                      CallRecord::SymbolNames Name);
/// What is held: 0 for nothing, 1 for some lock, otherwise an object and an
/// offset.
void writeLock(
    const LockState &Held,
    llvm::function_ref<uint32_t(const llvm::GlobalValue &)> ObjectIndex,
    llvm::raw_ostream &OS);

/// A weight in a byte: 1 is WeightOfOne.
uint8_t packWeight(double Weight);
/// A weight, as the format has it.
void writeFloat(double Value, llvm::raw_ostream &OS);

} // namespace linesman::facts

#endif // LINESMAN_LIB_FACTSPASS_CALLRECORD_H
