// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Record types from TBAA, IR and debug info. A node of TBAA is
//
//     !{!"_ZTS1S", !member, i64 offset, !member, i64 offset, ...}
//
// and one of a scalar looks like one of a record with a single member, so that
// only an access tells them apart: its tag names record and member.

#include "RecordTypes.h"
#include "linesman/Facts/Facts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;
using namespace linesman::facts;

static StringRef getName(const MDNode *Node) {
  if (Node->getNumOperands() == 0)
    return "";
  const auto *Name = dyn_cast_or_null<MDString>(Node->getOperand(0));
  return Name ? Name->getString() : "";
}

static uint64_t getNumber(const MDNode *Node, unsigned Operand) {
  const auto *C = mdconst::dyn_extract<ConstantInt>(Node->getOperand(Operand));
  return C ? C->getZExtValue() : 0;
}

static unsigned countMembers(const MDNode *Node) {
  unsigned Operands = Node->getNumOperands();
  return Operands ? (Operands - 1) / 2 : 0; // a root may have no name
}

/// Where a member that begins at 0 ends at the latest. What is char may be an
/// array or a union.
static uint64_t largestSize(StringRef Scalar) {
  return StringSwitch<uint64_t>(Scalar)
      .Case("omnipotent char", UINT64_MAX)
      .Case("bool", 1)
      .Case("_Bool", 1)
      .Case("short", 2)
      .Case("int", 4)
      .Case("float", 4)
      .Case("long", 8)
      .Case("long long", 8)
      .Case("double", 8)
      .Case("any pointer", 8)
      .Default(Scalar.starts_with("p") && Scalar.contains(' ') ? 8 : 16);
}

static bool isLibrarys(StringRef Name) {
  StringRef Inner = Name;
  if (!Inner.consume_front("_ZTS"))
    return Name.starts_with("std::") || Name.starts_with("__");
  Inner.consume_front("N");
  return Inner.starts_with("St") || Inner.starts_with("9__gnu_cxx");
}

/// "_ZTSZ4mainEUlvE0_" as the ABI has it, "_ZTSZ4mainE3$_0" as clang has it
/// where no other unit can name it.
static bool isClosure(StringRef Name) {
  return Name.starts_with("_ZTS") &&
         ((Name.contains("Ul") && Name.ends_with("_")) || Name.contains("$_"));
}

TypeNumber RecordTypes::intern(StringRef Name) {
  auto [It, IsNew] = ByName.try_emplace(Name, Types.size());
  if (IsNew) {
    KnownType &T = Types.emplace_back();
    T.Name = It->first();
    T.IsLibrarys = isLibrarys(Name);
    T.IsClosure = isClosure(Name);
  }
  return It->second;
}

std::optional<TypeNumber> RecordTypes::ofNode(const MDNode *Node) {
  auto [It, IsNew] = Seen.try_emplace(Node);
  if (!IsNew)
    return It->second;
  StringRef Name = ::getName(Node);
  unsigned Members = countMembers(Node);
  // The newer format of TBAA begins with another node.
  if (Name.empty() || Members == 0)
    return std::nullopt;
  TypeNumber Number = intern(Name);
  KnownType &T = Types[Number];
  T.Node = Node;
  for (unsigned I = 0; I != Members; ++I)
    T.LastMember = std::max(T.LastMember, getNumber(Node, 2 + 2 * I));
  T.MayEnd = 0;
  for (unsigned I = 0; I != Members; ++I) {
    const auto *Member = dyn_cast_or_null<MDNode>(Node->getOperand(1 + 2 * I));
    uint64_t Largest = UINT64_MAX;
    if (Member && countMembers(Member) == 1)
      Largest = largestSize(::getName(Member));
    uint64_t Begin = getNumber(Node, 2 + 2 * I);
    T.MayEnd = std::max(
        T.MayEnd, Largest > UINT64_MAX - Begin ? UINT64_MAX : Begin + Largest);
  }
  return Seen[Node] = Number;
}

std::optional<RecordTypes::Tagged> RecordTypes::ofTag(const MDNode *Tag) {
  if (!Tag || Tag->getNumOperands() < 3 ||
      Tag->getOperand(0) == Tag->getOperand(1))
    return std::nullopt;
  const auto *Base = dyn_cast_or_null<MDNode>(Tag->getOperand(0));
  if (!Base)
    return std::nullopt;
  if (auto Type = ofNode(Base))
    return Tagged{*Type, getNumber(Tag, 2)};
  return std::nullopt;
}

std::optional<RecordTypes::Tagged> RecordTypes::ofInnermost(const MDNode *Tag) {
  constexpr unsigned MostNested = 16;
  if (!Tag || Tag->getNumOperands() < 3 ||
      Tag->getOperand(0) == Tag->getOperand(1))
    return std::nullopt;
  const auto *Node = dyn_cast_or_null<MDNode>(Tag->getOperand(0));
  uint64_t Offset = getNumber(Tag, 2);
  for (unsigned N = 0; Node && N != MostNested; ++N) {
    const MDNode *Inner = nullptr;
    uint64_t Begin = 0;
    for (unsigned I = 0; I != countMembers(Node); ++I)
      if (uint64_t Next = getNumber(Node, 2 + 2 * I); Next <= Offset) {
        Inner = dyn_cast_or_null<MDNode>(Node->getOperand(1 + 2 * I));
        Begin = Next;
      }
    if (!Inner || Inner == Tag->getOperand(1) ||
        ::getName(Inner) == "omnipotent char")
      break;
    Node = Inner;
    Offset -= Begin;
  }
  if (!Node)
    return std::nullopt;
  if (auto Type = ofNode(Node))
    return Tagged{*Type, Offset};
  return std::nullopt;
}

std::optional<TypeNumber> RecordTypes::ofPointerTag(const MDNode *Tag) {
  if (!Tag || Tag->getNumOperands() < 3)
    return std::nullopt;
  const auto *Member = dyn_cast_or_null<MDNode>(Tag->getOperand(1));
  if (!Member)
    return std::nullopt;
  auto [It, IsNew] = Seen.try_emplace(Member);
  if (!IsNew)
    return It->second;
  StringRef Name = ::getName(Member);
  if (!Name.consume_front("p1 _ZTS"))
    return std::nullopt;
  // C's records are named as they are, but pointers to them as C++ would. A
  // name of C++ with a namespace or arguments is no number and a word.
  StringRef Plain = Name;
  unsigned Length;
  bool IsPlain = !Plain.consumeInteger(10, Length) && Plain.size() == Length;
  StringRef Wanted = IsPlain && ByName.contains(Plain)
                         ? Plain
                         : StringRef(Name.data() - 4, Name.size() + 4);
  if (IsPlain || Name.starts_with("N") || Name.contains('I'))
    return Seen[Member] = intern(Wanted);
  return std::nullopt;
}

std::optional<TypeNumber> RecordTypes::ofStruct(const StructType *Ty,
                                                const DataLayout &DL) {
  auto [It, IsNew] = Seen.try_emplace(Ty);
  if (!IsNew)
    return It->second;
  if (!Ty->hasName() || !Ty->isSized())
    return std::nullopt;
  StringRef Name = Ty->getName();
  // Another type had the name already, or it is one without its tail.
  auto [Stem, Number] = Name.rsplit('.');
  unsigned Ignored;
  if (!Number.getAsInteger(10, Ignored) || Number == "base")
    Name = Stem;
  if (!Name.consume_front("struct.") && !Name.consume_front("class.") &&
      !Name.consume_front("union."))
    return std::nullopt;
  if (Name.empty() || Name == "anon" || Name.starts_with("anon."))
    return std::nullopt;
  TypeNumber Found = intern(Name);
  if (Number != "base") {
    Types[Found].Size = DL.getTypeAllocSize(const_cast<StructType *>(Ty));
    Types[Found].Alignment =
        std::max(Types[Found].Alignment,
                 DL.getABITypeAlign(const_cast<StructType *>(Ty)).value());
  }
  return Seen[Ty] = Found;
}

/// "ns::S", as people and demanglers write it.
static std::string qualifiedName(const DIType &Ty) {
  std::string Name = Ty.getName().str();
  for (const DIScope *S = Ty.getScope(); S; S = S->getScope()) {
    if (!isa<DINamespace, DICompositeType>(S))
      break;
    StringRef Outer = S->getName();
    Name =
        (Outer.empty() ? "(anonymous namespace)" : Outer.str()) + "::" + Name;
  }
  return Name;
}

std::optional<TypeNumber> RecordTypes::ofPointee(const DIType *Pointer) {
  auto [It, IsNew] = Seen.try_emplace(Pointer);
  if (!IsNew)
    return It->second;
  const DIType *Ty = Pointer;
  StringRef Alias;
  bool IsBehind = false;
  while (const auto *Derived = dyn_cast_or_null<DIDerivedType>(Ty)) {
    switch (Derived->getTag()) {
    case dwarf::DW_TAG_pointer_type:
    case dwarf::DW_TAG_reference_type:
    case dwarf::DW_TAG_rvalue_reference_type:
      if (IsBehind)
        return std::nullopt; // a pointer to a pointer
      IsBehind = true;
      Alias = "";
      break;
    case dwarf::DW_TAG_typedef:
      Alias = Derived->getName();
      break;
    case dwarf::DW_TAG_const_type:
    case dwarf::DW_TAG_volatile_type:
    case dwarf::DW_TAG_restrict_type:
      break;
    default:
      return std::nullopt;
    }
    Ty = Derived->getBaseType();
  }
  const auto *Record = dyn_cast_or_null<DICompositeType>(Ty);
  if (!IsBehind || !Record ||
      (Record->getTag() != dwarf::DW_TAG_structure_type &&
       Record->getTag() != dwarf::DW_TAG_class_type &&
       Record->getTag() != dwarf::DW_TAG_union_type))
    return std::nullopt;
  // The identifier of a C++ record is its mangled name; that of a Rust record
  // is a hash, which says nothing to a reader and is in no debug information. A
  // record of C may be named by its typedef only.
  std::string Name = Record->getIdentifier().starts_with("_ZTS")
                         ? Record->getIdentifier().str()
                     : Record->getName().empty() ? Alias.str()
                                                 : qualifiedName(*Record);
  if (Name.empty())
    return std::nullopt;
  TypeNumber Found = intern(Name);
  if (uint64_t Bits = Record->getSizeInBits())
    Types[Found].Size = Bits / 8;
  Types[Found].Alignment =
      std::max<uint64_t>(Types[Found].Alignment, Record->getAlignInBytes());
  return Seen[Pointer] = Found;
}

static bool containsNode(const MDNode *Outer, const MDNode *Inner,
                         uint64_t Offset, unsigned Depth) {
  constexpr unsigned MostDepth = 8;
  if (Outer == Inner)
    return Offset == 0;
  if (Depth == MostDepth)
    return false;
  for (unsigned I = 0, E = countMembers(Outer); I != E; ++I) {
    uint64_t Begin = getNumber(Outer, 2 + 2 * I);
    const auto *Member = dyn_cast_or_null<MDNode>(Outer->getOperand(1 + 2 * I));
    if (Member && Begin <= Offset &&
        containsNode(Member, Inner, Offset - Begin, Depth + 1))
      return true;
  }
  return false;
}

bool RecordTypes::contains(TypeNumber Outer, TypeNumber Inner,
                           int64_t Offset) const {
  const KnownType &Whole = Types[Outer], &Part = Types[Inner];
  if (Outer == Inner)
    return Offset == 0;
  if (Offset < 0)
    return false;
  if (Whole.Node && Part.Node)
    return containsNode(Whole.Node, Part.Node, Offset, 0);
  // Of a type that only pointers name nothing is known: what libraries have in
  // it may be anywhere.
  if (!Whole.Node && !Whole.Size && !Whole.IsLibrarys)
    return Part.IsLibrarys;
  // Without members, a larger type around it.
  return Whole.Size > Part.extent() && Whole.covers(Offset, Part.extent());
}

uint16_t linesman::facts::fingerprintOf(const KnownType &Type) {
  if (!Type.Node)
    return 0;
  SmallVector<uint32_t, 16> Offsets;
  for (unsigned I = 0, E = countMembers(Type.Node); I != E; ++I)
    Offsets.push_back(getNumber(Type.Node, 2 + 2 * I));
  return fingerprintOf(Offsets);
}
