// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks down from an object to the members that have some of its bytes. Of a
// large array only the elements in question are looked at.

#include "linesman/Layout/Members.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using namespace llvm;

namespace linesman::layout {

namespace {

/// What a walk may look at: far more than the members of a large line. Types
/// from damaged debug information can have any number of overlapping fields.
constexpr unsigned MostVisits = 1 << 14;

bool overlap(ByteRange A, ByteRange B) {
  return A.Begin < B.End && B.Begin < A.End;
}
bool isIn(ByteRange Inner, ByteRange Outer) {
  return Outer.Begin <= Inner.Begin && Inner.End <= Outer.End;
}
bool isSame(ByteRange A, ByteRange B) { return isIn(A, B) && isIn(B, A); }
ByteRange common(ByteRange A, ByteRange B) {
  return {std::max(A.Begin, B.Begin), std::min(A.End, B.End)};
}

std::string indexed(StringRef Path, uint64_t First, uint64_t Count) {
  std::string Text = (Path + "[" + Twine(First)).str();
  if (Count != 1)
    Text += (".." + Twine(First + Count - 1)).str();
  return Text + "]";
}

/// A member on the way down. Offsets count from the start of the type.
struct Spot {
  TypeIndex Type = 0;
  Member Reached;
  /// A base class or an anonymous member has no name to stand for.
  bool HasName = false;
};

/// How far down.
enum class Depth : uint8_t { Fewest, Innermost };

class Walk {
public:
  Walk(ArrayRef<Type> Types, uint64_t End, Depth Limit)
      : Types(Types), End(End), Limit(Limit) {}

  /// Adds the members of \p P in \p Range.
  void visit(const Spot &P, ByteRange Range, std::vector<Member> &Found) {
    if (!Steps || !overlap(P.Reached.Bytes, Range))
      return;
    --Steps;
    bool IsWhole = Limit == Depth::Fewest && isIn(P.Reached.Bytes, Range);
    const Type &T = Types[P.Type];
    if (P.Reached.Bits || T.Kind == TypeKind::Scalar ||
        (IsWhole && P.HasName)) {
      if (P.HasName)
        Found.push_back(P.Reached);
      return;
    }
    switch (T.Kind) {
    case TypeKind::Scalar:
      llvm_unreachable("has no members");
    case TypeKind::Record:
      return visitRecord(P, Range, Found);
    case TypeKind::Union:
      return visitUnion(P, Range, Found);
    case TypeKind::Array:
      return visitArray(P, Range, Found);
    }
  }

  Spot fieldOf(const Spot &P, const Field &F) const {
    Spot Result;
    Result.Type = F.Type;
    Result.HasName = !F.Name.empty();
    Member &Reached = Result.Reached;
    Reached.Path = P.Reached.Path;
    if (Result.HasName)
      Reached.Path += (Reached.Path.empty() ? "" : ".") + F.Name;
    Reached.Bytes.Begin = P.Reached.Bytes.Begin + F.FirstBit / 8;
    if (F.Bits) {
      Reached.FirstBit = F.FirstBit % 8;
      Reached.Bits = F.Bits;
      Reached.Bytes.End =
          Reached.Bytes.Begin + (Reached.FirstBit + F.Bits + 7) / 8;
    } else {
      Reached.Bytes.End = Reached.Bytes.Begin + Types[F.Type].Size;
      // An array at the end has what room the object has.
      const Type &T = Types[F.Type];
      if (T.Kind == TypeKind::Array && !T.Elements &&
          &F == &Types[P.Type].Fields.back())
        Reached.Bytes.End = std::max(Reached.Bytes.End, End);
    }
    return Result;
  }

  /// The elements of \p P with bytes in \p Range: the first, and how many.
  std::pair<uint64_t, uint64_t> elementsIn(const Spot &P,
                                           ByteRange Range) const {
    const Type &T = Types[P.Type];
    ByteRange Covered = common(P.Reached.Bytes, Range);
    if (Covered.Begin >= Covered.End || !T.Stride)
      return {0, 0};
    uint64_t First = (Covered.Begin - P.Reached.Bytes.Begin) / T.Stride;
    uint64_t End = (Covered.End - 1 - P.Reached.Bytes.Begin) / T.Stride + 1;
    if (T.Elements)
      End = std::min(End, T.Elements);
    return {First, End - std::min(First, End)};
  }

  Spot elementOf(const Spot &P, uint64_t First, uint64_t Count) const {
    const Type &T = Types[P.Type];
    Spot Result;
    Result.Type = T.Element;
    Result.HasName = true;
    Member &Reached = Result.Reached;
    Reached.Path = indexed(P.Reached.Path, First, Count);
    Reached.Bytes.Begin = P.Reached.Bytes.Begin + First * T.Stride;
    Reached.Bytes.End =
        Reached.Bytes.Begin + (Count - 1) * T.Stride + Types[T.Element].Size;
    Reached.Elements = Count;
    return Result;
  }

private:
  ArrayRef<Type> Types;
  uint64_t End;
  Depth Limit;
  unsigned Steps = MostVisits;

  void visitRecord(const Spot &P, ByteRange Range, std::vector<Member> &Found) {
    size_t Before = Found.size();
    for (const Field &F : Types[P.Type].Fields)
      visit(fieldOf(P, F), Range, Found);
    // std::atomic and the like: who uses it says "hits", not "hits._M_i".
    if (P.HasName && Found.size() == Before + 1 && Found.back().Elements == 1 &&
        isSame(Found.back().Bytes, P.Reached.Bytes))
      Found.back() = P.Reached;
  }

  void visitArray(const Spot &P, ByteRange Range, std::vector<Member> &Found) {
    auto [First, Count] = elementsIn(P, Range);
    if (!Count)
      return;
    bool IsFlat = Types[Types[P.Type].Element].Kind == TypeKind::Scalar;
    if (!IsFlat && Limit == Depth::Innermost) {
      for (uint64_t I = 0; I != Count && Steps; ++I)
        visit(elementOf(P, First + I, 1), Range, Found);
      return;
    }
    // Only the elements at the ends can be there in part.
    auto IsPart = [&](uint64_t Element) {
      return !IsFlat && !isIn(elementOf(P, Element, 1).Reached.Bytes, Range);
    };
    if (IsPart(First)) {
      visit(elementOf(P, First++, 1), Range, Found);
      if (!--Count)
        return;
    }
    bool HasPartialEnd = IsPart(First + Count - 1);
    if (Count > HasPartialEnd)
      Found.push_back(elementOf(P, First, Count - HasPartialEnd).Reached);
    if (HasPartialEnd)
      visit(elementOf(P, First + Count - 1, 1), Range, Found);
  }

  /// Which alternative is meant, the size of an access says: it is one that has
  /// a member of just these bytes. Otherwise the union stands for all.
  void visitUnion(const Spot &P, ByteRange Range, std::vector<Member> &Found) {
    ByteRange Covered = common(P.Reached.Bytes, Range);
    std::vector<Member> Exact, Any;
    for (const Field &F : Types[P.Type].Fields) {
      std::vector<Member> Inner;
      visit(fieldOf(P, F), Range, Inner);
      if (Inner.size() == 1 && Inner.front().Elements == 1 &&
          isSame(Inner.front().Bytes, Covered))
        Exact.push_back(Inner.front());
      append_range(Any, Inner);
    }
    if (P.HasName && (Limit == Depth::Innermost || Exact.empty()))
      Found.push_back(P.Reached);
    else
      append_range(Found, Exact.empty() ? Any : Exact);
  }
};

} // namespace

ObjectMembers::ObjectMembers(const ObjectTypes &Types, LinkAddress Object,
                             uint64_t Size)
    : Types(&Types), Size(Size) {
  if (auto It = Types.Objects.find(Object.Value); It != Types.Objects.end())
    Whole = It->second;
}

bool ObjectMembers::hasMembers() const {
  return Whole && Types->Types[Whole->Type].Kind != TypeKind::Scalar;
}

/// The whole variable, of which the object is all or a part. A union is named
/// by the object, since none of its alternatives is meant more than another.
static Spot wholeOf(const ObjectTypes &Types,
                    const ObjectTypes::Object &Described, uint64_t Size) {
  Spot Whole;
  Whole.Type = Described.Type;
  Whole.Reached.Bytes = {0, Described.Offset + Size};
  if (Types.Types[Described.Type].Kind == TypeKind::Array)
    Whole.Reached.Path = Described.Name;
  Whole.HasName = Types.Types[Described.Type].Kind == TypeKind::Union;
  return Whole;
}

static std::vector<Member> walk(const ObjectTypes &Types,
                                const ObjectTypes::Object &Whole, uint64_t Size,
                                ByteRange Range, Depth Limit) {
  std::vector<Member> Found;
  Range = common(Range, {0, Size});
  Walk(Types.Types, Whole.Offset + Size, Limit)
      .visit(wholeOf(Types, Whole, Size),
             {Range.Begin + Whole.Offset, Range.End + Whole.Offset}, Found);
  erase_if(Found, [](const Member &M) { return M.Path.empty(); });
  for (Member &M : Found) {
    M.Bytes.Begin -= std::min(M.Bytes.Begin, Whole.Offset);
    M.Bytes.End -= std::min(M.Bytes.End, Whole.Offset);
  }
  return Found;
}

std::vector<Member> ObjectMembers::membersIn(ByteRange Range) const {
  if (!hasMembers())
    return {};
  bool IsPiece = Whole->Offset || Size < Types->Types[Whole->Type].Size;
  if (isIn({0, Size}, Range) && !IsPiece)
    return {};
  return walk(*Types, *Whole, Size, Range, Depth::Fewest);
}

std::vector<Member> ObjectMembers::partsIn(ByteRange Range) const {
  if (!hasMembers())
    return {};
  return walk(*Types, *Whole, Size, Range, Depth::Innermost);
}

std::string ObjectMembers::memberAround(ByteRange Range) const {
  if (!hasMembers())
    return "";
  ByteRange Inner{Range.Begin + Whole->Offset, Range.End + Whole->Offset};
  Walk Down(Types->Types, Whole->Offset + Size, Depth::Fewest);
  Spot Found = wholeOf(*Types, *Whole, Size);
  Member Smallest{"", Found.Reached.Bytes};
  // Types do not contain themselves: the way down ends.
  while (true) {
    const Type &T = Types->Types[Found.Type];
    std::optional<Spot> Next;
    if (T.Kind == TypeKind::Array) {
      auto [First, Count] = Down.elementsIn(Found, Inner);
      if (Count == 1)
        Next = Down.elementOf(Found, First, 1);
    } else if (T.Kind == TypeKind::Record && !Found.Reached.Bits) {
      for (const Field &F : T.Fields)
        if (Spot P = Down.fieldOf(Found, F); isIn(Inner, P.Reached.Bytes)) {
          // Several bit-fields may have the same byte.
          if (Next)
            return Smallest.Path;
          Next = P;
        }
    }
    if (!Next || !isIn(Inner, Next->Reached.Bytes))
      return Smallest.Path;
    Found = std::move(*Next);
    if (Found.HasName && !isSame(Found.Reached.Bytes, Smallest.Bytes))
      Smallest = Found.Reached;
  }
}

std::vector<MemberArray> ObjectMembers::arraysIn(ByteRange Range) const {
  std::vector<MemberArray> Found;
  if (!hasMembers())
    return Found;
  ByteRange Inner{Range.Begin + Whole->Offset, Range.End + Whole->Offset};
  Walk Down(Types->Types, Whole->Offset + Size, Depth::Fewest);
  unsigned Steps = MostVisits;
  auto Visit = [&](auto &Visit, const Spot &P) -> void {
    if (!Steps || !overlap(P.Reached.Bytes, Inner))
      return;
    --Steps;
    const Type &T = Types->Types[P.Type];
    if (T.Kind == TypeKind::Array && T.Stride) {
      // Of several dimensions the last one is what lines are made of.
      if (auto [First, Count] = Down.elementsIn(P, Inner);
          Count && Types->Types[T.Element].Kind == TypeKind::Array)
        return Visit(Visit, Down.elementOf(P, First, Count));
      uint64_t Elements = T.Elements;
      if (!Elements)
        Elements = (P.Reached.Bytes.End - P.Reached.Bytes.Begin) / T.Stride;
      Found.push_back({P.Reached.Path, Elements, T.Stride});
    } else if (T.Kind == TypeKind::Record && !P.Reached.Bits) {
      for (const Field &F : T.Fields)
        Visit(Visit, Down.fieldOf(P, F));
    }
  };
  Visit(Visit, wholeOf(*Types, *Whole, Size));
  return Found;
}

} // namespace linesman::layout
