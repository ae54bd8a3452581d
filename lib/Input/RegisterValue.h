// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lattice of the data flow: what a register may hold.

#ifndef LINESMAN_LIB_INPUT_REGISTERVALUE_H
#define LINESMAN_LIB_INPUT_REGISTERVALUE_H

#include "CodeMap.h"
#include "llvm/ADT/ArrayRef.h"

namespace linesman::input {

/// What an alternative counts from. Beyond Parameter are the parameters of the
/// function, by their numbers, and then what the data flow knows of (a callee's
/// result, a variable's contents). Behind those is what is loaded through such
/// pointers, and what libraries return: it gives way to them.
struct Base {
  static constexpr uint8_t Number = 0, Address = 1, Parameter = 2,
                           FirstLoaded = 32, Most = 64;
};

/// 8 bytes, because a function has blocks times registers times four of them:
/// no address of a program and no distance needs more than 47 bits.
struct Alternative {
  /// The address or number, or the distance from the base.
  int64_t Place : 47 = 0;
  uint64_t Source : 6 = Base::Number;
  /// Begins at Place and goes on: a loop's pointer or index.
  uint64_t IsMoving : 1 = false;
  /// Nothing is known of the index: At may be beside the object that it moves
  /// in, as in a[n - 1], which is a-8(,%rdi,8).
  uint64_t IsOpen : 1 = false;
  /// The index is made of what the function's first parameter leads to, and of
  /// nothing else: a thread's own, if threads start there.
  uint64_t IsByFirst : 1 = false;

  bool isNumber() const { return Source == Base::Number; }
  bool isAddress() const { return Source == Base::Address; }
  bool isLoaded() const { return Source >= Base::FirstLoaded; }
  /// Bytes that it moves by, or a divisor of them; 0 of what does not move.
  uint64_t stride() const;
  void moveBy(uint64_t Stride);

private:
  /// An odd number up to 31, times a power of two up to 2^15.
  uint64_t Odd : 4 = 0;
  uint64_t Power : 4 = 0;
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
  static Value number(int64_t N) { return from(Base::Number, N); }
  static Value address(uint64_t Address) {
    return from(Base::Address, Address);
  }
  /// What does not fit is not known.
  static Value from(uint8_t Base, int64_t Offset);
  /// Any number, of which IsByFirst is known.
  static Value anyByFirst();

  llvm::ArrayRef<Alternative> known() const { return {Known, Count}; }
  /// All alternatives, those that are not known as one.
  unsigned alternatives() const { return Count + HasOther; }
  bool hasOther() const { return HasOther; }
  /// No alternative, and no number that was added.
  bool isUnknown() const { return HasOther && Count == 0 && Added == 0; }
  bool mayBeAddress() const;
  /// Whether it is what the first parameter leads to.
  bool isByFirst() const;
  /// The number, when it is one and no other.
  std::optional<uint64_t> exactNumber() const { return exact(Base::Number); }
  /// The same for an address.
  std::optional<uint64_t> exactAddress() const { return exact(Base::Address); }
  /// The only alternative, if it does not move.
  const Alternative *single() const {
    return Count == 1 && !HasOther && !Known[0].IsMoving ? Known : nullptr;
  }

  Value plus(int64_t Number, bool IsAddress) const;
  /// Plus an index, \p Times over: each alternative with each. An index that is
  /// not known makes the sum moving.
  Value plusIndex(const Value &Index, uint64_t Times) const;
  /// Takes in what comes along another edge. Whether that changed anything.
  bool join(const Value &Source, JoinKind Kind, const CodeMap &Map);

private:
  static constexpr unsigned Most = 4;
  /// A larger number that is added is no place of an array in a struct.
  static constexpr uint16_t MostAdded = 4096;
  Alternative Known[Most];
  uint8_t Count = 0;
  bool HasOther = false;
  /// Where nothing is known: a number that was added to it on each path. The
  /// index i + 24 begins 24 elements behind the base, as 192(,%rax,8) does.
  uint16_t Added = 0;

  uint16_t added() const { return Count ? 0 : Added; }
  std::optional<uint64_t> exact(uint8_t Source) const;
  /// As one more, or as one that is not known. Whether that changed anything.
  bool add(Alternative A);
  bool join(Alternative A, JoinKind Kind, const CodeMap &Map);
};

static_assert(sizeof(Alternative) == 8);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_REGISTERVALUE_H
