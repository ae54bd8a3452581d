// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions must be read for what they do with pointers. Most are never
// given the address of an object: a first reading tells who gives one to whom,
// and only those are read again, those that they give it to, and so on.

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
};

CodePointerFacts pointerFactsOf(uint64_t Function, const FoundFacts &Found,
                                const CodeCalls &Calls);

class CodePointers {
public:
  /// A first reading.
  void add(CodePointerFacts Context);
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

  /// What may hold or be an object's address.
  llvm::DenseSet<std::pair<uint64_t, uint64_t>> Given;
  llvm::DenseSet<uint64_t> Holding, Returning;
  /// Of what the last round found to hold or return one: who reads that.
  std::vector<llvm::SmallVector<uint64_t, 2>> Readers;
  bool isLive(uint64_t Owner, const facts::Origin &Source) const;
  /// Takes note of where a live use puts its pointer; adds functions to read.
  void follow(uint64_t Owner, const facts::PointerUse &Use,
              std::vector<uint64_t> &Wanted);
};

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_CODEPOINTERS_H
