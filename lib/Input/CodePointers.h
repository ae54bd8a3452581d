// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions must be read for what they do with pointers. Most are never
// given the address of an object: a first reading tells who gives one to whom,
// and only those are read again, those that they give it to, and so on.
//
// An address that is put in a record goes where the record goes:
//
//     make:  lea rdx, nil; mov [rax + 8], rdx; ret     returns such a record
//     tell:  mov rax, [rdi + 8]; mov [rax], rdi        is given it, and loads
//                                                      the address
//
// Machine code has no types, so the record itself is followed, from where it
// was allocated, given, or kept, and not all records of its type.

#ifndef LINESMAN_LIB_INPUT_CODEPOINTERS_H
#define LINESMAN_LIB_INPUT_CODEPOINTERS_H

#include "CodeCalls.h"
#include "llvm/ADT/DenseSet.h"
#include <map>

namespace linesman::input {

/// What one reading of a function found.
struct CodePointerFacts {
  facts::PointerFacts Facts;
  /// Variables that it loads, and functions whose results it uses, by their
  /// addresses.
  std::vector<uint64_t> Loaded, UsedResults;
  /// Whether it puts an object's address where a pointer points.
  bool StoresThrough = false;
};

CodePointerFacts pointerFactsOf(uint64_t Function, const FoundFacts &Found,
                                const CodeCalls &Calls);

class CodePointers {
public:
  /// A first reading.
  void add(CodePointerFacts Context);
  /// Who calls whom.
  void addCalls(const facts::Calls &Calls);
  /// What initialised variables hold.
  void addInitial(const CodeMap &Map);

  /// Reads a function once more, for all uses; nothing of what is none. Called
  /// by several threads at once.
  using Reader =
      llvm::function_ref<std::optional<CodePointerFacts>(uint64_t Function)>;
  /// Visits what objects' addresses can reach, by the addresses of functions.
  void join(Reader Read,
            llvm::function_ref<void(const facts::PointerFacts &)> Visit);

private:
  struct Function {
    facts::PointerFacts Facts;
    bool IsRead = false;
  };
  /// By address; what is initialised is function 0.
  std::map<uint64_t, Function> Functions;
  llvm::DenseMap<uint64_t, llvm::SmallVector<uint64_t, 2>> LoadersOf, UsersOf;
  /// Callee and caller; sorted when it is asked for.
  std::vector<std::pair<uint32_t, uint32_t>> Callers;
  std::vector<uint64_t> Storers;

  /// Where pointers of one kind may be.
  struct Spread {
    /// Functions and their parameters.
    llvm::DenseSet<std::pair<uint64_t, uint64_t>> Given;
    /// Variables, functions, and instructions that call or load.
    llvm::DenseSet<uint64_t> Holding, Returning, Sites;
    /// Of what the last round found to hold or return one: who reads that.
    std::vector<llvm::SmallVector<uint64_t, 2>> Readers;
    std::vector<uint64_t> Wanted;
    size_t ReadersLeft;

    size_t size() const {
      return Given.size() + Holding.size() + Returning.size() + Sites.size();
    }
  };
  /// Addresses of objects; pointers to records in which one was put; what was
  /// loaded from those.
  Spread Objects, Records, Members;
  /// Parameters that are such a record: the callers have it, too.
  llvm::DenseSet<std::pair<uint64_t, uint64_t>> Asked;
  /// Where in records addresses of objects are put, and those of records.
  llvm::DenseSet<int64_t> ObjectPlaces, RecordPlaces;
  /// Whether all functions that have to do with such records are read.
  bool SeesMembers = true;
  size_t MembersLeft = 0;

  bool isLive(const Spread &Kind, uint64_t Owner,
              const facts::Origin &Source) const;
  bool isLive(uint64_t Owner, const facts::Origin &Source) const;
  /// Takes note of where a live use puts its pointer; adds functions to read.
  void follow(Spread &Kind, uint64_t Owner, const facts::PointerUse &Use);
  void followMember(Spread &Kind, uint64_t Owner, const facts::PointerUse &Use);
  /// An object's address is put where \p Record points.
  void ask(uint64_t Owner, const facts::Origin &Record);
  void wantCallers(uint64_t Callee);
  bool markAll();
  std::vector<uint64_t> takeWanted();
  void read(llvm::ArrayRef<uint64_t> Wanted, Reader Read);
  void drop(uint64_t Owner, llvm::SmallVectorImpl<facts::PointerUse> &Uses);
};

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_CODEPOINTERS_H
