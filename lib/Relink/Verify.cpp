// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Verification of a relink: nothing that the linker was told is taken on trust.

#include "Verify.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::relink {

namespace {

bool isLocal(const Definition &D) {
  return D.Binding == DefinitionBinding::Local;
}

bool isSame(const Image &Of, const Symbol &S, const Definition &D) {
  if (S.name() != D.Name)
    return false;
  bool SymbolIsLocal = S.Binding == SymbolBinding::Local;
  // A hidden symbol is global in its object and local in the result.
  return !isLocal(D) || (SymbolIsLocal && Of.files()[S.File] == D.File);
}

/// The symbols that \p Wanted can have become.
std::vector<const Symbol *> findSymbols(const Image &Of,
                                        const Definition &Wanted) {
  std::vector<const Symbol *> Found;
  for (const Symbol &S : Of.symbols())
    if (isSame(Of, S, Wanted))
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

/// The first occupant of the lines of \p S that is not \p S or room around it.
std::optional<OccupantIndex> findLineMate(const Image &Of, const Symbol &S,
                                          LineSize Line) {
  LineMap Lines(Of, Line);
  LineIndex Last = Lines.indexOf({S.range().End.Value - 1});
  for (LineIndex L = Lines.indexOf(S.Address); L <= Last; ++L.Value) {
    for (OccupantIndex Index : Lines.occupants(L)) {
      OccupantKind Kind = Of.occupants()[Index].Kind;
      if (Kind == OccupantKind::Hole || Kind == OccupantKind::Padding)
        continue;
      bool IsItself = Kind == OccupantKind::Object &&
                      Of.symbol(Index).range().overlaps(S.range());
      if (!IsItself)
        return Index;
    }
  }
  return std::nullopt;
}

} // namespace

Expected<Placed> verifyIsolation(const Image &Of, const Definition &Wanted,
                                 LineSize Line) {
  std::vector<const Symbol *> Found = findSymbols(Of, Wanted);
  std::string Name = demangle(Wanted.Name);
  if (Found.empty())
    return createStringError("'" + Name +
                             "' is not in the linked file: the linker "
                             "discarded it");
  // Of local symbols the linked file tells the source's name and not its
  // folder. The one that was patched is the one that stands apart.
  for (const Symbol *S : Found)
    if (!findLineMate(Of, *S, Line))
      return Placed{"", S->Address, S->Size};
  const Symbol &S = *Found.front();
  return createStringError(formatv(
      "after the link '{0}' at {1:x} still shares a line with {2}", Name,
      S.Address.Value, demangle(Of.label(*findLineMate(Of, S, Line)))));
}

Error verifyOthers(const Image &Of, const LinkInputs &Inputs,
                   ArrayRef<DefinitionRef> Edited) {
  DenseMap<StringRef, SmallVector<const Definition *, 2>> ByName;
  for (const InputObject &Object : Inputs.Objects)
    for (const Definition &D : Object.Definitions)
      if (D.Kind == DefinitionKind::Writable)
        ByName[D.Name].push_back(&D);
  for (DefinitionRef Ref : Edited)
    ByName.erase(Inputs.Objects[Ref.Object].Definitions[Ref.Definition].Name);

  for (const Symbol &S : Of.symbols()) {
    if (S.Origin != SymbolOrigin::Program)
      continue;
    auto Named = ByName.find(S.name());
    if (Named == ByName.end())
      continue;
    auto Same = make_filter_range(
        Named->second, [&](const Definition *D) { return isSame(Of, S, *D); });
    bool Holds = Same.empty() || any_of(Same, [&](const Definition *D) {
                   return S.Size == D->Size && S.Address.Value % D->Alignment ==
                                                   D->Offset % D->Alignment;
                 });
    if (!Holds)
      return createStringError(
          formatv("after the link '{0}' at {1:x} lost its size or alignment",
                  demangle(S.name()), S.Address.Value));
  }
  return Error::success();
}

} // namespace linesman::relink
