// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic and joins of register values.

#include "RegisterValue.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>
#include <utility>

using namespace llvm;

namespace linesman::input {

uint64_t Alternative::stride() const {
  return IsMoving ? (2 * Odd + 1) << Power : 0;
}

void Alternative::moveBy(uint64_t Stride) {
  constexpr uint64_t MostPower = 15, MostOdd = 31;
  IsMoving = true;
  Power = std::min<uint64_t>(Stride ? countr_zero(Stride) : 0, MostPower);
  uint64_t Rest = Stride >> Power;
  Odd = Rest <= MostOdd && Rest % 2 ? Rest / 2 : 0;
}

Value Value::from(uint8_t Base, int64_t Offset) {
  if (!isInt<47>(Offset))
    return unknown();
  Value V;
  V.Count = 1;
  V.Known[0].Place = Offset;
  V.Known[0].Source = Base;
  return V;
}

Value Value::anyByFirst() {
  Value V = number(0);
  V.Known[0].moveBy(1);
  V.Known[0].IsOpen = V.Known[0].IsByFirst = true;
  return V;
}

bool Value::mayBeAddress() const {
  return any_of(known(), [](const Alternative &A) { return A.isAddress(); });
}

bool Value::isByFirst() const {
  return Count && !HasOther && all_of(known(), [](const Alternative &A) {
           return A.IsMoving ? A.IsByFirst : A.Source == Base::Parameter;
         });
}

std::optional<uint64_t> Value::exact(uint8_t Source) const {
  const Alternative *Only = single();
  if (!Only || Only->Source != Source)
    return std::nullopt;
  return Only->Place;
}

Value Value::plus(int64_t Number, bool IsAddress) const {
  Value Sum = *this;
  if (IsAddress && HasOther && Count == 0) {
    // table(,%rax,8) with nothing known about rax: somewhere in table.
    Value Somewhere = address(Number + added());
    for (Alternative &A : MutableArrayRef(Somewhere.Known, Somewhere.Count)) {
      A.moveBy(1);
      A.IsOpen = true;
    }
    return Somewhere;
  }
  if (HasOther && Count == 0) {
    // Of a[i - 1] it is not known that i is 1 at least.
    bool IsIndex = Number >= 0 && Number < MostAdded - Added;
    Sum.Added = IsIndex ? Added + Number : 0;
  }
  for (Alternative &A : MutableArrayRef(Sum.Known, Sum.Count)) {
    if (IsAddress && !A.isNumber()) {
      // An index of bytes after all.
      A.IsByFirst = A.Source == Base::Parameter && !A.IsMoving;
      A.moveBy(1);
      A.IsOpen = true;
    }
    A.Place += Number;
    if (IsAddress)
      A.Source = Base::Address;
  }
  return Sum;
}

Value Value::plusIndex(const Value &Index, uint64_t Times) const {
  // No path comes here: no sum either.
  if (!alternatives() || !Index.alternatives())
    return Value();
  auto Move = [](Alternative &A, uint64_t Stride, bool IsByFirst) {
    A.IsByFirst = IsByFirst && (!A.IsMoving || A.IsByFirst);
    A.moveBy(std::gcd(A.stride(), Stride));
  };
  bool IsKnown =
      !Index.HasOther &&
      all_of(Index.known(), [](const Alternative &A) { return A.isNumber(); });
  Value Sum;
  Sum.HasOther = HasOther;
  for (const Alternative &A : known()) {
    if (!IsKnown) {
      Alternative Moved = A;
      Moved.Place += int64_t(Index.added() * Times);
      Move(Moved, Times, Index.isByFirst());
      Moved.IsOpen = true;
      Sum.add(Moved);
      continue;
    }
    for (const Alternative &I : Index.known()) {
      Alternative Shifted = A;
      Shifted.Place += I.Place * int64_t(Times);
      if (I.IsMoving)
        Move(Shifted, I.stride() * Times, I.IsByFirst);
      Shifted.IsOpen |= I.IsOpen;
      Sum.add(Shifted);
    }
  }
  return Sum;
}

/// Whether two alternatives can be one pointer that moves: in one object, or
/// begun one past an object's end, as loops that count down do.
static bool canMoveBetween(const Alternative &Source, const Alternative &Target,
                           const CodeMap &Map) {
  if (Source.Source != Target.Source)
    return false;
  if (!Source.isAddress())
    return true;
  std::optional<layout::AddressRange> Object = Map.objectAt(Source.Place);
  return !Object || Object->contains({uint64_t(Target.Place)}) ||
         Object->End.Value == uint64_t(Target.Place);
}

bool Value::add(Alternative A) {
  if (Count == Most) {
    bool Changed = !std::exchange(HasOther, true);
    Alternative *Weakest =
        A.isLoaded()
            ? nullptr
            : find_if(MutableArrayRef(Known, Count),
                      [](const Alternative &K) { return K.isLoaded(); });
    if (!Weakest || Weakest == Known + Count)
      return Changed;
    *Weakest = A;
    return true;
  }
  Known[Count++] = A;
  return true;
}

bool Value::join(Alternative A, JoinKind Kind, const CodeMap &Map) {
  for (Alternative &K : MutableArrayRef(Known, Count)) {
    bool IsSame = K.Place == A.Place && K.Source == A.Source;
    bool Widens = !IsSame &&
                  (Kind == JoinKind::Backward || K.IsMoving || A.IsMoving) &&
                  canMoveBetween(K, A, Map);
    if (!IsSame && !Widens)
      continue;
    if (!Widens && !A.IsMoving)
      return false;
    // Two places of one thread are not known to be no other thread's.
    bool IsByFirst = IsSame && A.IsByFirst && K.IsByFirst;
    bool WasByFirst = K.IsByFirst, WasMoving = K.IsMoving;
    uint64_t Was = K.stride();
    uint64_t Apart = K.Place < A.Place ? A.Place - K.Place : K.Place - A.Place;
    K.moveBy(std::gcd(std::gcd(Was, A.stride()), Apart));
    K.IsByFirst = IsByFirst;
    return !WasMoving || K.stride() != Was || WasByFirst != IsByFirst;
  }
  return add(A);
}

bool Value::join(const Value &Source, JoinKind Kind, const CodeMap &Map) {
  bool Changed = Source.HasOther && !HasOther;
  if (uint16_t Least =
          Changed ? Source.added() : std::min(added(), Source.added());
      Source.HasOther && Least != Added) {
    Added = Least;
    Changed = true;
  }
  HasOther |= Source.HasOther;
  for (const Alternative &A : Source.known())
    Changed |= join(A, Kind, Map);
  return Changed;
}

} // namespace linesman::input
