// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All uses of pointers of one binary, as the join keeps them: 64 bytes each,
// with what is the same for many of them in tables.
//
//     Uses        source  into  offset  size  weight  line  ...
//     Places      parameter 0 of set, member 8 of Item, nil, ...
//     Conditions  behind once flag 0x4010, with lock 0x4020, ...

#ifndef LINESMAN_LAYOUT_POINTERTABLE_H
#define LINESMAN_LAYOUT_POINTERTABLE_H

#include "linesman/Facts/Pointers.h"
#include "linesman/Layout/CallGraph.h"
#include "linesman/Layout/Interned.h"
#include "llvm/Support/MathExtras.h"
#include <deque>
#include <numeric>

namespace linesman::layout {

/// Where a pointer comes from, or goes to: facts::Origin, with its function as
/// a node.
struct Place {
  /// Offsets in a variable that are not constant: of a store, which may be to
  /// each of its places, and of a load, which may give what is in any.
  static constexpr int64_t Somewhere = -1, Anywhere = -2;

  facts::Origin::OriginKind Kind = facts::Origin::Unknown;
  /// The function whose parameter or result it is; NoNode if none is known.
  NodeIndex Function = NoNode;
  /// For Field, the number of the record's name.
  uint32_t Record = 0;
  /// Of the same function: see PointerTable.
  uint32_t Next = UINT32_MAX;
  /// As in facts::Origin.
  uint64_t Value = 0;
  int64_t Offset = 0;

  friend bool operator==(const Place &A, const Place &B) {
    return A.Kind == B.Kind && A.Function == B.Function &&
           A.Record == B.Record && A.Value == B.Value && A.Offset == B.Offset;
  }
  friend llvm::hash_code hash_value(const Place &P) {
    return llvm::hash_combine(unsigned(P.Kind), P.Function ^ P.Record, P.Value,
                              P.Offset);
  }
};

/// Bytes from where a pointer points: Constant, plus multiples of Stride. A
/// stride of 0 is exactly there, one of 1 anywhere.
struct Displacement {
  int64_t Constant = 0;
  uint64_t Stride = 0;

  static Displacement anywhere() { return {0, 1}; }
  static Displacement of(std::optional<int64_t> Offset) {
    return Offset ? Displacement{*Offset, 0} : anywhere();
  }
  bool isConstant() const { return Stride == 0; }
  std::optional<int64_t> constant() const {
    return isConstant() ? std::optional(Constant) : std::nullopt;
  }
  /// Whether it tells an element from what lies between two of them.
  bool isElement() const { return Stride > 1; }
  friend Displacement operator+(Displacement A, Displacement B) {
    Displacement Sum = {0, std::gcd(A.Stride, B.Stride)};
    // What is further away than numbers go is nowhere that is known.
    if (Sum.Stride == 1 ||
        llvm::AddOverflow(A.Constant, B.Constant, Sum.Constant))
      return anywhere();
    return Sum;
  }
  friend bool operator==(Displacement, Displacement) = default;
};

/// \p Size bytes at \p Spot from a pointer that itself is at \p Start.
/// Somewhere in an element is all of it: who is given an element stays there.
inline void moveInto(Displacement Start, Displacement &Spot, uint64_t &Size) {
  if (Start.isElement() && !Spot.isConstant()) {
    Spot = Start;
    Size = Start.Stride;
  } else {
    Spot = Start + Spot;
  }
}

/// No place, where one has a number.
inline constexpr uint32_t NoPlace = UINT32_MAX;

/// When a use happens; see facts::PointerUse.
struct Condition {
  uint64_t Except = 0, OnceFlag = 0, HeldLock = 0;
  bool IsLocked = false;

  friend bool operator==(const Condition &, const Condition &) = default;
  friend llvm::hash_code hash_value(const Condition &C) {
    return llvm::hash_combine(C.Except, C.OnceFlag, C.HeldLock, C.IsLocked);
  }
};

/// One facts::PointerUse. Numbers are those of PointerTable.
struct KeptUse {
  uint32_t Source = NoPlace;
  /// Where the pointer goes: the parameter that it is handed to, the result
  /// that it is, the member or variable. NoPlace where that is not known.
  uint32_t Destination = NoPlace;
  int64_t Offset = 0;
  double Weight = 1;
  uint64_t Instruction = 0;
  /// 0 where it is not known, or where it does not fit.
  uint32_t Size = 0;
  /// Of elements that begin at Offset, where that is no constant.
  uint32_t Stride = 0;
  uint32_t Condition = 0;
  uint32_t File = 0, Line = 0;
  uint32_t StagesBefore = 0;
  int32_t Distance = 0;
  facts::PointerUse::UseKind Kind = facts::PointerUse::Access;
  /// Of Source, for who would have nothing else to look at.
  facts::Origin::OriginKind SourceKind = facts::Origin::Unknown;
  facts::AccessKind Does = facts::AccessKind::Read;
  bool IsMay : 1 = false;
  bool IsLock : 1 = false;
  bool HasOffset : 1 = true;
  bool HasStages : 1 = false;
  bool IsByThread : 1 = false;

  std::optional<int64_t> offset() const {
    return HasOffset ? std::optional(Offset) : std::nullopt;
  }
  Displacement displacement() const {
    return HasOffset ? Displacement{Offset, 0}
           : Stride  ? Displacement{Offset, Stride}
                     : Displacement::anywhere();
  }
  std::optional<uint32_t> stagesBefore() const {
    return HasStages ? std::optional(StagesBefore) : std::nullopt;
  }
};
static_assert(sizeof(KeptUse) == 64, "large programs have millions");

/// Those of one function.
struct FunctionUses {
  /// NoNode for initial values.
  NodeIndex User = NoNode;
  bool HasProfile = false;
  uint32_t Begin = 0, End = 0;
};

class PointerTable {
public:
  PointerTable();
  void add(const facts::PointerFacts &Facts, NodeIndex User,
           CallGraphBuilder &Graph);
  /// No more functions come.
  void finish();

  llvm::ArrayRef<FunctionUses> functions() const { return Functions; }
  uint32_t size() const { return uint32_t(Uses.size()); }
  const KeptUse &operator[](uint32_t Use) const { return Uses[Use]; }
  uint32_t placeCount() const { return Places.size(); }
  const Place &place(uint32_t Number) const { return Places[Number]; }
  const Place &sourceOf(const KeptUse &Use) const { return Places[Use.Source]; }
  const Condition &conditionOf(const KeptUse &Use) const {
    return Conditions[Use.Condition];
  }
  uint32_t recordCount() const { return Records.size(); }
  llvm::StringRef record(uint32_t Number) const { return Records[Number]; }
  llvm::StringRef file(uint32_t Number) const { return Files[Number]; }
  /// Whether a use stores through a pointer, as only machine code tells.
  bool storesThrough() const { return StoresThrough; }
  /// Whom a use hands the pointer to; NoNode if nobody known.
  NodeIndex calleeOf(const KeptUse &Use) const {
    return Use.Destination == NoPlace ? NoNode
                                      : Places[Use.Destination].Function;
  }

  /// Places and strings are needed longer than the uses.
  void dropUses() { std::deque<KeptUse>().swap(Uses); }

private:
  std::vector<FunctionUses> Functions;
  /// Not in one piece, which would be copied when it grows.
  std::deque<KeptUse> Uses;
  Interned<Place> Places;
  /// By node, the last one of the first parameters and the result. Facts come
  /// by units, and most calls stay in theirs: what is found by its function is
  /// in the cache, what is found by its hash is not.
  std::vector<uint32_t> FunctionPlaces;
  Interned<Condition> Conditions;
  Interned<llvm::StringRef> Records, Files;
  uint32_t LastFile = 0;
  bool StoresThrough = false;

  uint32_t intern(const facts::Origin &Source, NodeIndex User,
                  int64_t UnknownOffset, CallGraphBuilder &Graph);
  uint32_t intern(const Place &P);
  uint32_t internDestination(const facts::PointerUse &Use, NodeIndex User,
                             CallGraphBuilder &Graph);
};

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_POINTERTABLE_H
