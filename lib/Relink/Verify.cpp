// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verification of a relink: nothing that the linker was told is taken on trust.

#include "Verify.h"
#include "LinkedSections.h"
#include "linesman/Guard/Text.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/TinyPtrVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace linesman::layout;
using linesman::plan::EditKind;

namespace linesman::relink {

namespace {

bool isLocal(const Definition &D) {
  return D.Binding == DefinitionBinding::Local;
}

bool isSame(const Image &Linked, const Symbol &S, const Definition &D) {
  if (S.name() != D.Name)
    return false;
  bool SymbolIsLocal = S.Binding == SymbolBinding::Local;
  // A hidden symbol is global in its object and local in the result. The object
  // of a stripped library names no file: in the result its symbols seem to be
  // of the file before it.
  return !isLocal(D) || (SymbolIsLocal &&
                         (D.File.empty() || Linked.files()[S.File] == D.File));
}

std::vector<const Symbol *> namesakes(const Image &Linked,
                                      const Definition &Wanted) {
  std::vector<const Symbol *> Found;
  for (const Symbol &S : Linked.symbols())
    if (isSame(Linked, S, Wanted))
      Found.push_back(&S);
  // A local namesake of a global symbol is another object.
  if (!isLocal(Wanted) && any_of(Found, [](const Symbol *S) {
        return S->Binding != SymbolBinding::Local;
      }))
    erase_if(Found, [](const Symbol *S) {
      return S->Binding == SymbolBinding::Local;
    });
  return Found;
}

} // namespace

std::vector<const Symbol *> findSymbols(const LinkedImages &Linked,
                                        const LinkInputs &Inputs,
                                        const Definitions &Wanted) {
  const Definition &First = Inputs.definition(Wanted.front());
  const Image &Program = Linked.of(First);
  std::vector<const Symbol *> Found = namesakes(Program, First);
  erase_if(Found, [&](const Symbol *S) {
    return none_of(Wanted, [&](DefinitionRef Ref) {
      uint64_t Size = Inputs.definition(Ref).Size;
      return !Size || S->Size == Size;
    });
  });
  auto IsPlaced = [&](const Symbol *S) {
    return Program.sections()[S->Section].Name.starts_with(NewSections);
  };
  if (any_of(Found, IsPlaced))
    erase_if(Found, [&](const Symbol *S) { return !IsPlaced(S); });
  return Found;
}

namespace {

using Ranges = SmallVector<AddressRange, 4>;

/// The first occupant of the lines of \p S that is neither in \p Own nor room
/// around it. Bytes without a symbol right behind what is in it are room: its
/// section was rounded up, and where a pad follows they look like an object.
std::optional<OccupantIndex> findLineMate(const Image &Linked, const Symbol &S,
                                          ArrayRef<AddressRange> Own,
                                          LineSize Line) {
  LineMap Lines(Linked, Line);
  LineIndex Last = Lines.indexOf({S.range().End.Value - 1});
  for (LineIndex L = Lines.indexOf(S.Address); L <= Last; ++L.Value) {
    for (OccupantIndex Index : Lines.occupants(L)) {
      OccupantKind Kind = Linked.occupants()[Index].Kind;
      if (Kind == OccupantKind::Hole || Kind == OccupantKind::Padding)
        continue;
      bool IsOwn =
          Kind == OccupantKind::Object && any_of(Own, [&](AddressRange Range) {
            return Linked.symbol(Index).range().overlaps(Range);
          });
      bool IsRest = Kind == OccupantKind::NoSymbol &&
                    any_of(Own, [&](AddressRange Range) {
                      return Range.End == Linked.occupants()[Index].Address;
                    });
      if (!IsOwn && !IsRest)
        return Index;
    }
  }
  return std::nullopt;
}

class Verifier {
public:
  Verifier(const LinkedImages &Linked, const LinkInputs &Inputs,
           const ResolvedEdit &Edit)
      : Linked(Linked), Inputs(Inputs), Edit(Edit),
        Program(Linked.of(Inputs.definition(Edit.Symbols.front().front()))) {}

  Expected<AppliedEdit> run() {
    AppliedEdit Result{Edit.Change, {}};
    Ranges Members;
    if (Edit.Change.Kind == EditKind::Group)
      for (const Definitions &Symbol : Edit.Symbols) {
        for (const layout::Symbol *S : findSymbols(Linked, Inputs, Symbol))
          Members.push_back(S->range());
        addUnit(Symbol, Members);
      }
    for (auto [I, Symbol] : enumerate(Edit.Symbols)) {
      std::vector<const layout::Symbol *> Found =
          findSymbols(Linked, Inputs, Symbol);
      std::string Name =
          guard::demangle(Inputs.definition(Symbol.front()).Name);
      if (Found.empty())
        return createStringError("'" + Name +
                                 "' is not in the linked file: the linker "
                                 "discarded it");
      // Which of several was patched cannot be told: it must hold for all.
      for (const layout::Symbol *S : Found)
        if (std::string Reason = problemOf(Symbol, *S, Members);
            !Reason.empty())
          return createStringError(formatv("after the link '{0}' at {1:x} {2}",
                                           Name, S->Address.Value, Reason));
      const layout::Symbol *Holds = Found.front();
      Placed Position{
          Edit.Change.Symbols[I].Symbol, Holds->Address, Holds->Size, {}};
      for (const Definition *Other : unitOf(Inputs, Symbol.front()))
        Position.Unit.push_back(Other->Name.str());
      Result.Symbols.push_back(std::move(Position));
    }
    if (Edit.Change.Kind == EditKind::Group)
      if (Error E = checkDense(Result))
        return std::move(E);
    return Result;
  }

private:
  const LinkedImages &Linked;
  const LinkInputs &Inputs;
  const ResolvedEdit &Edit;
  const Image &Program;

  /// Adds what moved with \p Symbol.
  void addUnit(const Definitions &Symbol, Ranges &Result) const {
    for (const Definition *Other : unitOf(Inputs, Symbol.front()))
      for (const layout::Symbol *Mate : namesakes(Program, *Other))
        Result.push_back(Mate->range());
  }

  /// Empty where the edit holds for \p S.
  std::string problemOf(const Definitions &Symbol, const layout::Symbol &S,
                        Ranges Own) const {
    if (isRoom(Edit.Change.Kind))
      return problemBefore(S);
    Own.push_back(S.range());
    addUnit(Symbol, Own);
    if (std::optional<OccupantIndex> Mate =
            findLineMate(Program, S, Own, {Edit.Change.Bytes}))
      return formatv("still shares a {0} with {1}",
                     Edit.Change.Kind == EditKind::Explode ? "page" : "line",
                     guard::demangle(Program.label(*Mate)));
    return "";
  }

  std::string problemBefore(const layout::Symbol &S) const {
    const Section &Around = Program.sections()[S.Section];
    uint64_t Free = S.Address - Around.Range.Begin;
    for (const Occupant &O : Program.occupantsOf(S.Section)) {
      if (O.Address >= S.Address)
        break;
      if (O.Kind == OccupantKind::Object)
        Free = S.Address -
               std::min(Program.symbols()[O.Symbol].range().End, S.Address);
    }
    if (Free >= Edit.Change.Bytes)
      return "";
    return formatv("has {0} free bytes before it, expected {1}", Free,
                   Edit.Change.Bytes);
  }

  /// Sizes and alignment decide how many lines a group needs, in the order that
  /// the linker chose. Of units only their symbols are known here.
  Error checkDense(const AppliedEdit &Applied) const {
    if (any_of(Applied.Symbols,
               [](const Placed &P) { return !P.Unit.empty(); }))
      return Error::success();
    SmallVector<size_t> InOrder = to_vector(seq(Applied.Symbols.size()));
    llvm::sort(InOrder, [&](size_t A, size_t B) {
      return Applied.Symbols[A].Address < Applied.Symbols[B].Address;
    });
    uint64_t Needed = 0;
    for (size_t I : InOrder) {
      uint64_t Alignment = 1;
      for (DefinitionRef Ref : Edit.Symbols[I])
        Alignment = std::max(Alignment, Inputs.definition(Ref).Alignment);
      Needed = alignTo(Needed, Alignment) + Applied.Symbols[I].Size;
    }
    uint64_t Line = Edit.Change.Bytes;
    const Placed &First = Applied.Symbols[InOrder.front()],
                 &Last = Applied.Symbols[InOrder.back()];
    uint64_t Spanned = alignTo((Last.Address + Last.Size).Value, Line) -
                       alignDown(First.Address.Value, Line);
    if (Spanned <= alignTo(Needed, Line))
      return Error::success();
    return createStringError(formatv(
        "after the link the group from '{0}' at {1:x} to '{2}' at {3:x} is on "
        "{4} lines, expected {5}",
        First.Symbol, First.Address.Value, Last.Symbol, Last.Address.Value,
        Spanned / Line, divideCeil(Needed, Line)));
  }
};

} // namespace

Expected<AppliedEdit> verifyEdit(const LinkedImages &Linked,
                                 const LinkInputs &Inputs,
                                 const ResolvedEdit &Edit) {
  return Verifier(Linked, Inputs, Edit).run();
}

static Error verifyImage(const Image &Linked, const LinkInputs &Inputs,
                         DefinitionKind Kind) {
  if (Linked.symbols().empty())
    return Error::success();
  // Most names have one definition; large links have a million names.
  DenseMap<StringRef, TinyPtrVector<const Definition *>> ByName;
  ByName.reserve(Linked.symbols().size());
  for (const InputObject &Object : Inputs.Objects)
    for (const Definition &D : Object.Definitions)
      if (D.Kind == Kind)
        ByName[D.Name].push_back(&D);

  for (const Symbol &S : Linked.symbols()) {
    if (S.Origin != SymbolOrigin::Program)
      continue;
    auto Named = ByName.find(S.name());
    if (Named == ByName.end())
      continue;
    auto Same = make_filter_range(Named->second, [&](const Definition *D) {
      return isSame(Linked, S, *D);
    });
    bool Holds = Same.empty() || any_of(Same, [&](const Definition *D) {
                   return S.Size == D->Size && S.Address.Value % D->Alignment ==
                                                   D->Offset % D->Alignment;
                 });
    if (!Holds)
      return createStringError(
          formatv("after the link '{0}' at {1:x} lost its size or alignment",
                  guard::demangle(S.name()), S.Address.Value));
  }
  return Error::success();
}

Error verifySymbols(const LinkedImages &Linked, const LinkInputs &Inputs) {
  if (Error E = verifyImage(Linked.Data, Inputs, DefinitionKind::Writable))
    return E;
  return verifyImage(Linked.ThreadBlock, Inputs, DefinitionKind::ThreadLocal);
}

} // namespace linesman::relink
