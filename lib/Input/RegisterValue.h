// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lattice of the data flow: what a register may hold.

#ifndef LINESMAN_LIB_INPUT_REGISTERVALUE_H
#define LINESMAN_LIB_INPUT_REGISTERVALUE_H

#include "CodeMap.h"
#include "llvm/ADT/ArrayRef.h"

namespace linesman::input {

/// 8 bytes, because a function has blocks times registers times four of them:
/// no address of a program and no distance needs more than 61 bits.
struct Alternative {
  int64_t At : 61 = 0;
  bool IsAddress : 1 = false;
  /// Begins at At and goes on in steps that are not known: a loop's pointer or
  /// index.
  bool IsMoving : 1 = false;
  /// Nothing is known of the index: At may be beside the object that it moves
  /// in, as in a[n - 1], which is a-8(,%rdi,8).
  bool IsOpen : 1 = false;
};

/// Along which edge values meet: round a loop, what differs is moving.
enum class JoinKind : uint8_t { Forward, Backward };

class Value {
public:
  /// Nothing yet: no path has come here.
  Value() = default;
  static Value unknown() {
    Value V;
    V.HasOther = true;
    return V;
  }
  static Value number(uint64_t N) { return Value(N, false, false); }
  static Value address(uint64_t At) { return Value(At, true, false); }

  llvm::ArrayRef<Alternative> known() const { return {Known, Count}; }
  /// All alternatives, those that are not known as one.
  unsigned alternatives() const { return Count + HasOther; }
  bool mayBeAddress() const;
  /// The number, when it is one and no other.
  std::optional<uint64_t> exactNumber() const { return exact(false); }
  /// The same for an address.
  std::optional<uint64_t> exactAddress() const { return exact(true); }

  Value plus(int64_t Number, bool IsAddress) const;
  /// Plus an index, shifted: each alternative with each. An index that is not
  /// known makes the sum moving.
  Value plusIndex(const Value &Index, unsigned Shift) const;
  /// Takes in what comes along another edge. Whether that changed anything.
  bool join(const Value &From, JoinKind Kind, const CodeMap &Map);

private:
  static constexpr unsigned Most = 4;
  Alternative Known[Most];
  uint8_t Count = 0;
  bool HasOther = false;

  Value(uint64_t At, bool IsAddress, bool IsMoving) : Count(1) {
    Known[0].At = At;
    Known[0].IsAddress = IsAddress;
    Known[0].IsMoving = IsMoving;
  }
  std::optional<uint64_t> exact(bool IsAddress) const;
  /// As one more, or as one that is not known. Whether that changed anything.
  bool add(Alternative A);
  bool join(Alternative A, JoinKind Kind, const CodeMap &Map);
};

static_assert(sizeof(Alternative) == 8);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_REGISTERVALUE_H
