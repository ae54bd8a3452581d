// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links, compares, and links again.

#include "LinkEdits.h"
#include "WriteCopies.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>

using namespace llvm;

namespace linesman::relink {

/// What only a link can tell: which members of archives the linker took, in
/// which order, and where it put what follows the new sections. A link for each
/// is enough.
static constexpr unsigned MostLinks = 3;

/// Some linkers (ld.lld, gold) leave a member of an archive where it is though
/// it defines a common symbol: that one is the object then. Whether there was
/// such a symbol.
static bool dropUntaken(MutableArrayRef<ResolvedEdit> Edits,
                        const LinkInputs &Inputs, const LinkedImages &Images) {
  auto IsInSection = [&](DefinitionRef Ref) {
    return Inputs.definition(Ref).Section.has_value();
  };
  auto IsInArchive = [&](DefinitionRef Ref) {
    return Inputs.Objects[Ref.Object].Archive.has_value();
  };
  auto IsMoved = [&](const layout::Symbol *S, const Definition &D) {
    return Images.of(D).sections()[S->Section].Name.starts_with(NewSections);
  };
  bool Changed = false;
  for (ResolvedEdit &Edit : Edits) {
    if (isRoom(Edit.Change.Kind))
      continue;
    for (Definitions &Symbol : Edit.Symbols) {
      const Definition &D = Inputs.definition(Symbol.front());
      bool MayBeEither = any_of(Symbol, IsInSection) &&
                         !all_of(Symbol, IsInSection) &&
                         none_of(Symbol, [&](DefinitionRef Ref) {
                           return IsInSection(Ref) && !IsInArchive(Ref);
                         });
      if (!MayBeEither || D.Kind == DefinitionKind::ThreadLocal)
        continue;
      auto Found = findSymbols(Images, Inputs, Symbol);
      if (Found.empty() || IsMoved(Found.front(), D))
        continue;
      erase_if(Symbol, IsInSection);
      Changed = true;
    }
  }
  return Changed;
}

/// Whether an order of a group was another than expected.
static bool reorder(MutableArrayRef<ResolvedEdit> Edits,
                    const LinkInputs &Inputs, const LinkedImages &Images) {
  bool Changed = false;
  for (ResolvedEdit &Edit : Edits) {
    auto AddressOf = [&](size_t I) {
      auto Found = findSymbols(Images, Inputs, Edit.Symbols[I]);
      return Found.empty() ? layout::LinkAddress() : Found.front()->Address;
    };
    std::vector<size_t> Order = Edit.Order;
    llvm::stable_sort(
        Order, [&](size_t A, size_t B) { return AddressOf(A) < AddressOf(B); });
    Changed |= Order != Edit.Order;
    Edit.Order = std::move(Order);
  }
  return Changed;
}

/// What to link instead of \p Chosen, which gave \p Contents; nothing where
/// that is as expected.
static Expected<std::optional<ChosenEdits>>
correct(ChosenEdits Chosen, const LinkInputs &Inputs, const Linked &Contents) {
  Expected<Followers> Behind =
      readFollowers(Contents.Binary.File->getBuffer(), Chosen.Line);
  if (!Behind)
    return Behind.takeError();
  bool Changed = dropUntaken(Chosen.Edits, Inputs, Contents.images());
  Changed |= reorder(Chosen.Edits, Inputs, Contents.images());
  if (!Changed && !Behind->Stray)
    return std::nullopt;
  Chosen.After = Behind->Needed;
  return Chosen;
}

static Expected<LinkedFile> linkOnce(StringRef Path, ReadLink &Link,
                                     const ChosenEdits &Chosen,
                                     StringRef Output,
                                     const ScratchFolder &Scratch) {
  Expected<std::vector<std::string>> Command = writeCopies(
      Link.Inputs, makeChanges(Link.Inputs, Chosen.Edits, Chosen.After),
      Scratch, Link.Command.Command);
  if (!Command)
    return Command.takeError();
  if (Link.Index)
    return linkTo(Path, Link, *Command, Output, Scratch);
  // What reading back needs is made while the linker runs.
  std::vector<StringRef> Objects;
  for (const InputObject &Object : Link.Inputs.Objects)
    Objects.push_back(Object.Bytes);
  std::future<DefinitionIndex> Index =
      DefinitionIndex::buildInBackground(Objects);
  Expected<LinkedFile> File = linkTo(Path, Link, *Command, Output, Scratch);
  if (File)
    Link.Index =
        Index.wait_for(std::chrono::seconds(0)) == std::future_status::ready
            ? Index.get()
            : DefinitionIndex::build(Objects);
  return File;
}

static Expected<EditedFile> readEdited(LinkedFile File, ChosenEdits Chosen,
                                       const ReadLink &Link) {
  EditedFile Result{std::move(File), std::move(Chosen), {}, {}};
  Expected<Linked> Contents =
      readBackEdited(Result.File.Path, Link.Inputs, *Link.Index,
                     Result.Chosen.Edits, Result.Symbols);
  if (!Contents)
    return Contents.takeError();
  Result.Contents = std::move(*Contents);
  return Result;
}

Expected<EditedFile> linkEdits(StringRef Path, ReadLink &Link,
                               ChosenEdits Chosen, StringRef Output,
                               const ScratchFolder &Scratch) {
  Expected<LinkedFile> File = linkOnce(Path, Link, Chosen, Output, Scratch);
  for (unsigned Links = 1; File; ++Links) {
    Expected<EditedFile> Result =
        readEdited(std::move(*File), std::move(Chosen), Link);
    if (!Result || Links == MostLinks)
      return Result;
    Expected<std::optional<ChosenEdits>> Next =
        correct(Result->Chosen, Link.Inputs, Result->Contents);
    if (!Next)
      return createFileError(Path, Next.takeError());
    if (!*Next)
      return Result;
    Chosen = std::move(**Next);
    File = linkOnce(Path, Link, Chosen, Output, Scratch);
  }
  return File.takeError();
}

} // namespace linesman::relink
