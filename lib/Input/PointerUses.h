// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function in machine code does with pointers that name no object where
// they are used, and where it puts addresses of objects:
//
//     set:  mov [rdi + 16], rsi       writes 8 bytes at 16 of parameter 0
//     add:  lea rdi, nil; call set    hands nil to parameter 0 of set
//
// The same facts as the pass's (linesman/Facts/Pointers.h), for the same join.

#ifndef LINESMAN_LIB_INPUT_POINTERUSES_H
#define LINESMAN_LIB_INPUT_POINTERUSES_H

#include "RegisterState.h"
#include "llvm/ADT/DenseSet.h"

namespace linesman::input {

/// One use, and where it is.
struct FoundUse {
  facts::PointerUse Use;
  /// Of the instruction, from the function's start.
  uint32_t Offset = 0;
  uint32_t Block = 0;
  /// What it counts from (RegisterValue.h).
  uint8_t Source = Base::Number;
  /// See facts::Access.
  uint64_t OnceFlag = 0;
  bool IsLocked = false;
  uint64_t HeldLock = 0;
};

enum class PointersWanted : uint8_t {
  No,
  /// Where addresses of objects go, and which variables are loaded: enough to
  /// know which functions must be read for all.
  Addresses,
  All,
};

class PointerUses {
public:
  PointerUses(const RegisterState &State, const ControlFlow &Flow,
              const Architecture &Arch, const CodeMap &Map,
              PointersWanted Wanted)
      : State(State), Flow(Flow), Arch(Arch), Map(Map), Wanted(Wanted) {}

  /// Before the step's transfer, each.
  void addAccess(const Step &S, const Value &Address, facts::AccessKind Kind,
                 uint64_t Size, uint32_t Block);
  /// What a load or a store moves.
  void addMoved(const Step &S, uint32_t Block);
  /// All arguments of a call.
  void addHanded(const Step &S, facts::FunctionRef Callee, uint32_t Block);
  /// One argument of it, as another function's parameter.
  void addHanded(const Step &S, unsigned Argument, facts::FunctionRef Target,
                 uint32_t Parameter, uint32_t Block);
  void addReturned(const Step &S, uint32_t Block);
  /// A branch on whether a pointer is an object's address.
  void addTest(const Step &Compare, const Step &Branch, uint32_t Block);

  /// Of tests, what they guard is marked.
  std::vector<FoundUse> take();
  /// Keeps UsedResults: each step of a block, and its end.
  void followResult(const Step &S);
  void endBlock();
  /// By the addresses of their objects.
  llvm::DenseSet<uint64_t> Loaded;
  /// Whether it stores an object's address where a pointer points.
  bool StoresThrough = false;
  /// Whether an object's address is handed to somebody, or what a call left in
  /// its register.
  bool HandsPerhaps = false;
  /// Functions whose results it may use, by their addresses: a register that
  /// holds an address when a function ends is no result for that.
  llvm::DenseSet<uint64_t> UsedResults;

private:
  const RegisterState &State;
  const ControlFlow &Flow;
  const Architecture &Arch;
  const CodeMap &Map;
  const PointersWanted Wanted;
  std::vector<FoundUse> Found;
  /// Returned values that are not known.
  std::vector<FoundUse> OtherResults;
  /// Whose result may be in its register, and nothing has used it yet; 0 for
  /// nobody's.
  uint64_t LastCallee = 0;

  struct IdentityTest {
    uint32_t Block, IfOther;
    uint8_t Source;
    uint64_t Address;
  };
  std::vector<IdentityTest> Tests;

  /// One use for each alternative that can be told; whether there are others.
  bool addEach(const Step &S, const Value &Subject, facts::PointerUse Like,
               uint32_t Block);
  void addThrough(const Step &S, const Value &Address, const Value &Moved,
                  uint32_t Block);
  /// Whether an address is of an element that an index picks.
  bool isElement(const Alternative &A) const;
  uint64_t objectOf(uint64_t Address) const;
};

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_POINTERUSES_H
