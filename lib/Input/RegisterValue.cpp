// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic and joins of register values.

#include "RegisterValue.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace linesman::input {

bool Value::mayBeAddress() const {
  return any_of(known(), [](const Alternative &A) { return A.IsAddress; });
}

std::optional<uint64_t> Value::exact(bool IsAddress) const {
  if (Count != 1 || HasOther || Known[0].IsAddress != IsAddress ||
      Known[0].IsMoving)
    return std::nullopt;
  return Known[0].At;
}

Value Value::plus(int64_t Number, bool IsAddress) const {
  Value Sum = *this;
  if (IsAddress && HasOther && Count == 0) {
    // table(,%rax,8) with nothing known about rax: somewhere in table.
    Value Somewhere(Number, true, true);
    Somewhere.Known[0].IsOpen = true;
    return Somewhere;
  }
  for (Alternative &A : MutableArrayRef(Sum.Known, Sum.Count)) {
    A.At += Number;
    A.IsAddress |= IsAddress;
  }
  return Sum;
}

Value Value::plusIndex(const Value &Index, unsigned Shift) const {
  // No path comes here: no sum either.
  if (!alternatives() || !Index.alternatives())
    return Value();
  bool IsKnown = !Index.HasOther && !Index.mayBeAddress();
  if (!IsKnown) {
    Value Sum = *this;
    for (Alternative &A : MutableArrayRef(Sum.Known, Sum.Count))
      A.IsMoving = A.IsOpen = true;
    return Sum;
  }
  Value Sum;
  Sum.HasOther = HasOther;
  for (const Alternative &A : known())
    for (const Alternative &I : Index.known()) {
      Alternative Both = A;
      Both.At += I.At << Shift;
      Both.IsMoving |= I.IsMoving;
      Both.IsOpen |= I.IsOpen;
      Sum.add(Both);
    }
  return Sum;
}

/// Whether two alternatives can be one pointer that moves: in one object, or
/// begun one past an object's end, as loops that count down do.
static bool canMoveBetween(const Alternative &From, const Alternative &To,
                           const CodeMap &Map) {
  if (From.IsAddress != To.IsAddress)
    return false;
  if (!From.IsAddress)
    return true;
  std::optional<layout::AddressRange> Object = Map.objectAt(From.At);
  return !Object || Object->contains({uint64_t(To.At)}) ||
         Object->End.Value == uint64_t(To.At);
}

bool Value::add(Alternative A) {
  if (Count == Most) {
    if (HasOther)
      return false;
    return HasOther = true;
  }
  Known[Count++] = A;
  return true;
}

bool Value::join(Alternative A, JoinKind Kind, const CodeMap &Map) {
  for (Alternative &K : MutableArrayRef(Known, Count)) {
    bool IsSame = K.At == A.At && K.IsAddress == A.IsAddress;
    bool Widens = !IsSame &&
                  (Kind == JoinKind::Backward || K.IsMoving || A.IsMoving) &&
                  canMoveBetween(K, A, Map);
    if (!IsSame && !Widens)
      continue;
    bool Moves = Widens || A.IsMoving;
    if (K.IsMoving || !Moves)
      return false;
    K.IsMoving = true;
    return true;
  }
  return add(A);
}

bool Value::join(const Value &From, JoinKind Kind, const CodeMap &Map) {
  bool Changed = From.HasOther && !HasOther;
  HasOther |= From.HasOther;
  for (const Alternative &A : From.known())
    Changed |= join(A, Kind, Map);
  return Changed;
}

} // namespace linesman::input
