// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects of all types at all their phases, as an image.
//
//  1. Fields: the members of debug info, or what accesses tell apart.
//  2. Phases: the addresses modulo the line, without those that look alike.
//     Of an array, a window of elements that covers a line.
//  3. A section for each phase, a symbol for each field in it, and a fact
//     for what each function does to each symbol.

#include "linesman/Layout/Types.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <numeric>

using namespace llvm;

namespace linesman::layout {

std::vector<Phase> findPhases(uint64_t Size, uint64_t Alignment,
                              uint64_t LineBytes) {
  std::vector<Phase> Result;
  for (uint64_t Offset = 0; Offset < LineBytes; Offset += Alignment) {
    // Wherever it is on one line, it is all on that line.
    bool IsOnOneLine = Size && Offset + Size <= LineBytes;
    if (IsOnOneLine && !Result.empty())
      ++Result.front().Count;
    else
      Result.push_back({Offset, 1});
  }
  return Result;
}

uint64_t countShared(ArrayRef<Phase> Phases, uint64_t LineBytes,
                     uint64_t OffsetA, uint64_t SizeA, uint64_t OffsetB,
                     uint64_t SizeB) {
  uint64_t Count = 0;
  for (const Phase &P : Phases) {
    uint64_t A = P.Offset + OffsetA, B = P.Offset + OffsetB;
    uint64_t LastOfA = (A + SizeA - 1) / LineBytes;
    uint64_t LastOfB = (B + SizeB - 1) / LineBytes;
    if (A / LineBytes <= LastOfB && B / LineBytes <= LastOfA)
      Count += P.Count;
  }
  return Count;
}

namespace {

struct Field {
  uint64_t Offset, Size;
  std::string Name;
  uint64_t end() const { return Offset + Size; }
};

bool overlaps(const Field &F, uint64_t Begin, uint64_t End) {
  return F.Offset < End && Begin < F.end();
}

/// Without overlaps: unions, and bit-fields of one byte, are one field.
std::vector<Field> fieldsOf(const TypeLayout &Layout) {
  std::vector<Field> Fields;
  for (const TypeMember &M : Layout.Members) {
    uint64_t Rest = Layout.Size > M.Offset ? Layout.Size - M.Offset : 1;
    uint64_t Size = M.Size ? M.Size : Rest;
    if (Fields.empty() || Fields.back().end() <= M.Offset) {
      Fields.push_back({M.Offset, Size, M.Name});
      continue;
    }
    Field &Last = Fields.back();
    Last.Size = std::max(Last.end(), M.Offset + Size) - Last.Offset;
    if (!StringRef(Last.Name).contains('|'))
      Last.Name += "|" + M.Name;
    else if (!StringRef(Last.Name).ends_with("|..."))
      Last.Name += "|...";
  }
  return Fields;
}

/// Without names: what small accesses and locks touch, and then what larger
/// ones touch besides. An array reaches up to the next field.
std::vector<Field> fieldsOf(const AccessedType &Type) {
  constexpr uint64_t Word = 8;
  std::vector<facts::TypeAccess> Known;
  for (const TypeUse &U : Type.Uses)
    if (U.Access.Offset)
      Known.push_back(U.Access);
  auto SizeOf = [&](const facts::TypeAccess &A) {
    return A.Size <= Word || A.IsSynchronised ? std::min(A.Size, Word) : A.Size;
  };
  stable_sort(Known, [&](const auto &A, const auto &B) {
    return std::tuple(SizeOf(A), *A.Offset) < std::tuple(SizeOf(B), *B.Offset);
  });
  std::vector<Field> Fields;
  for (const facts::TypeAccess &A : Known) {
    uint64_t End = *A.Offset + std::max<uint64_t>(A.Size, 1);
    if (none_of(Fields,
                [&](const Field &F) { return overlaps(F, *A.Offset, End); }))
      Fields.push_back(
          {*A.Offset, End - *A.Offset, ("+" + Twine(*A.Offset)).str()});
  }
  llvm::sort(Fields, [](const Field &A, const Field &B) {
    return A.Offset < B.Offset;
  });
  for (const facts::TypeAccess &A : Known) {
    if (!A.IsIndexed)
      continue;
    auto It =
        find_if(Fields, [&](const Field &F) { return F.Offset == *A.Offset; });
    if (It == Fields.end())
      continue;
    uint64_t End = std::next(It) != Fields.end()
                       ? std::next(It)->Offset
                       : std::max(Type.Size, It->end());
    It->Size = std::max(It->Size, End - It->Offset);
  }
  return Fields;
}

/// What an access does to a field; nothing if it does not touch it.
std::optional<facts::Access> touch(const facts::TypeAccess &A, const Field &F) {
  if (!A.Offset)
    return std::nullopt;
  facts::Access Part = A;
  uint64_t Begin = *A.Offset, End = Begin + std::max<uint64_t>(A.Size, 1);
  if (!overlaps(F, Begin, End))
    return std::nullopt;
  if (A.IsIndexed && A.Size < F.Size) {
    Part.Offset = std::nullopt; // an element of it
    return Part;
  }
  Begin = std::max(Begin, F.Offset);
  Part.Offset = Begin - F.Offset;
  Part.Size = std::min(End, F.end()) - Begin;
  return Part;
}

class SceneBuilder {
public:
  SceneBuilder(TypeScene &Built, const CallGraph &Graph)
      : Scene(Built), Graph(Graph), Callers(Graph.Nodes.size()) {
    for (auto [N, Node] : enumerate(Graph.Nodes))
      for (const GraphEdge &E : Node.Edges)
        if (E.Callee != NoNode)
          Callers[E.Callee].push_back(
              E.Kind == facts::CallKind::Direct && E.IsLocked ? NodeIndex(N)
                                                              : NoNode);
  }

  void addType(uint32_t Type);
  void finish();

private:
  struct Pending {
    NodeIndex Function;
    LinkAddress Symbol;
    facts::Access Access;
  };
  void findLockers(const AccessedType &Type);
  void addField(uint32_t Type, const Field &F, std::optional<uint32_t> Element,
                LinkAddress Begin);

  TypeScene &Scene;
  const CallGraph &Graph;
  ImageDescription Description;
  std::vector<Pending> Facts;
  /// Who calls a node with a lock; NoNode is somebody who may have none.
  std::vector<SmallVector<NodeIndex, 2>> Callers;
  /// The functions that take a lock in objects of the type, and those that only
  /// such functions call, with a lock.
  DenseSet<NodeIndex> Lockers, Inside;
  /// A multiple of all line sizes; address 0 means that there is no object.
  uint64_t Next = LineSize::Most;
};

void SceneBuilder::findLockers(const AccessedType &Type) {
  Lockers.clear();
  Inside.clear();
  for (const TypeUse &U : Type.Uses)
    if (U.Access.IsLock)
      Lockers.insert(U.Function);
  auto HasLock = [&](NodeIndex Caller) {
    return Caller != NoNode &&
           (Lockers.contains(Caller) || Inside.contains(Caller));
  };
  for (size_t Known = SIZE_MAX; Known != Inside.size();) {
    Known = Inside.size();
    for (const TypeUse &U : Type.Uses)
      if (!Callers[U.Function].empty() && all_of(Callers[U.Function], HasLock))
        Inside.insert(U.Function);
  }
}

void SceneBuilder::addField(uint32_t Type, const Field &F,
                            std::optional<uint32_t> Element,
                            LinkAddress Begin) {
  TypeField Described{Type, F.Offset, F.Size, F.Name, Element};
  const AccessedType &T = Scene.Types[Type];
  if (Element) {
    std::string Index = ("[" + Twine(*Element) + "]").str();
    bool IsWhole = F.Name.empty() || (F.Offset == 0 && F.Size >= T.Size);
    Described.Name = IsWhole ? Index : Index + "." + F.Name;
  }
  Scene.Names.push_back(T.Name + (Element ? "" : "::") + Described.Name);
  Symbol S;
  S.NameData = Scene.Names.back().c_str();
  S.Address = Begin;
  S.Size = F.Size;
  S.Section = Description.Sections.size();
  Description.Symbols.push_back(S);
  Scene.Fields.push_back(std::move(Described));
  for (const TypeUse &U : T.Uses)
    if (auto Part = touch(U.Access, F)) {
      // Each object has a lock of its own. Taking it is its holder's.
      if (Inside.contains(U.Function) ||
          (Lockers.contains(U.Function) &&
           (U.Access.IsLock || !U.Access.IsUnlocked)))
        Part->Guard = 1 + Element.value_or(0);
      // Where a lock is: taking it is no use of what it protects.
      if (U.Access.IsLock)
        Part->HeldLock = Begin.Value + Part->Offset.value_or(0);
      Facts.push_back({U.Function, Begin, std::move(*Part)});
    }
}

void SceneBuilder::addType(uint32_t Type) {
  AccessedType &T = Scene.Types[Type];
  const auto &Layout = Scene.Layouts[Type];
  if (Layout) {
    T.Size = Layout->Size;
    T.Alignment = std::max(T.Alignment, Layout->Alignment);
  }
  bool IsWritten = any_of(T.Uses, [](const TypeUse &U) {
    return U.Access.Kind != facts::AccessKind::Read;
  });
  // Sections are numbered with 16 bits. More types than that with writes on
  // several threads would fill no report either.
  constexpr size_t MostSections = 60000;
  if (!IsWritten)
    return;
  if (Description.Sections.size() > MostSections) {
    ++Scene.LeftOut;
    return;
  }
  const bool KnowsMembers = Layout && !Layout->Members.empty();
  std::vector<Field> Fields = KnowsMembers ? fieldsOf(*Layout) : fieldsOf(T);
  // A lock's own fields are its library's.
  bool IsArray = T.Size && any_of(T.Uses, [](const TypeUse &U) {
                   return U.Access.IsSynchronised && U.Access.IsElement;
                 });
  if (IsArray && !Layout && T.Name.starts_with("pthread_"))
    Fields = {{0, T.Size, ""}};
  // Beyond the end is another object, or a unit that knows another type.
  if (T.Size) {
    erase_if(Fields, [&](const Field &F) { return F.Offset >= T.Size; });
    for (Field &F : Fields)
      F.Size = std::min(F.Size, T.Size - F.Offset);
  }
  uint64_t End = T.Size;
  for (const Field &F : Fields)
    End = std::max(End, F.end());
  if (Fields.empty() || End == 0)
    return;

  findLockers(T);
  uint64_t Line = Scene.Rules.LineBytes;
  uint64_t Alignment = std::max(T.Alignment, Scene.Rules.HeapAlignment);
  // Elements that are whole lines have no neighbours on them.
  if (T.Size % Line == 0 && Alignment % Line == 0)
    IsArray = false;
  uint64_t Elements = 1;
  if (IsArray) {
    Elements = Line / T.Size + 2;
    // The window may begin with any element.
    Alignment = std::gcd(Alignment, T.Size);
  }
  for (const Phase &P : findPhases(IsArray ? 0 : T.Size, Alignment, Line)) {
    LinkAddress Begin{Next + P.Offset};
    Section S;
    S.Name = Scene.Types[Type].Name;
    S.Range = {Begin, Begin + (IsArray ? T.Size * Elements : End)};
    S.Alignment = Line;
    S.Between = KnowsMembers ? Gaps::Padding : Gaps::Unaccessed;
    for (uint64_t E = 0; E != Elements; ++E)
      for (const Field &F : Fields)
        addField(Type, F, IsArray ? std::optional<uint32_t>(E) : std::nullopt,
                 Begin + (E * T.Size + F.Offset));
    Description.Sections.push_back(S);
    Scene.Objects.push_back({Type, P});
    Next = (S.Range.End.Value / Line + 2) * Line;
  }
}

void SceneBuilder::finish() {
  Scene.Image = buildImage(std::move(Description));
  std::vector<LinkAddress> StartUp;
  for (const GraphNode &Node : Graph.Nodes)
    if (Node.IsStartUp)
      StartUp.push_back(Node.Address);
  llvm::sort(StartUp);
  AccessJoin Join(Scene.Image, std::move(StartUp));
  // Facts of a function are neighbours.
  stable_sort(Facts, [](const Pending &A, const Pending &B) {
    return A.Function < B.Function;
  });
  for (const Pending &P : Facts) {
    const GraphNode &Node = Graph.Nodes[P.Function];
    if (!Node.Address.Value)
      continue;
    facts::Fact Fact;
    Fact.Function = Node.Address.Value;
    Fact.FunctionName = Node.Name;
    Fact.Object = P.Symbol.Value;
    Fact.Accesses.push_back(P.Access);
    Join.add(Fact);
  }
  Scene.Accesses = std::move(Join).finish();
}

} // namespace

TypeScene buildTypeScene(TypeTable Table,
                         std::vector<std::optional<TypeLayout>> Layouts,
                         const CallGraph &Graph, PhaseRules Rules) {
  TypeScene Scene;
  Scene.Rules = Rules;
  Scene.Types = std::move(Table.Types);
  Scene.Layouts = std::move(Layouts);
  Scene.Layouts.resize(Scene.Types.size());
  for (std::optional<TypeLayout> &Layout : Scene.Layouts)
    if (Layout)
      takeMarks(*Layout);
  SceneBuilder Build(Scene, Graph);
  for (uint32_t Type = 0; Type != Scene.Types.size(); ++Type)
    Build.addType(Type);
  Build.finish();
  return Scene;
}

} // namespace linesman::layout
