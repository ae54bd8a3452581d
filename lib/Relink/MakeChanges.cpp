// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From resolved edits to changes of sections.
//
//     isolate, explode   alignment, and the size rounded up to it
//     pad, shift         room before
//     group              one name for all, which no output section has: every
//                        linker makes an output section of it. The first is
//                        aligned, the last filled up, or the group would share
//                        its edge lines.

#include "ResolveEdits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace llvm::object;
using linesman::plan::EditKind;

namespace linesman::relink {

namespace {

class Maker {
public:
  explicit Maker(const LinkInputs &Inputs) : Inputs(Inputs) {}

  void add(const ResolvedEdit &Edit) {
    switch (Edit.What.Kind) {
    case EditKind::Isolate:
    case EditKind::Explode:
      for (const Definitions &Symbol : Edit.Symbols)
        change(Symbol, [&](SectionChange &C) {
          C.Alignment = std::max(C.Alignment, Edit.What.Bytes);
          C.RoundTo = std::max(C.RoundTo, Edit.What.Bytes);
        });
      return;
    case EditKind::Pad:
    case EditKind::Shift:
      for (const Definitions &Symbol : Edit.Symbols)
        change(Symbol, [&](SectionChange &C) { C.Before += Edit.What.Bytes; });
      return;
    case EditKind::Group:
      return addGroup(Edit);
    }
    llvm_unreachable("unknown edit kind");
  }

  LinkChanges take() && { return std::move(Changes); }

private:
  const LinkInputs &Inputs;
  LinkChanges Changes;
  unsigned Groups = 0;

  const Definition &definition(DefinitionRef Ref) const {
    return Inputs.Objects[Ref.Object].Definitions[Ref.Definition];
  }

  template <typename CallT>
  void change(const Definitions &Symbol, CallT Apply) {
    bool IsCommon = all_of(
        Symbol, [&](DefinitionRef Ref) { return !definition(Ref).Section; });
    if (IsCommon)
      return changeCommon(Symbol, Apply);
    // Common symbols beside a definition join it.
    for (DefinitionRef Ref : Symbol)
      if (const auto &Section = definition(Ref).Section)
        Apply(Changes[Ref.Object].Sections[*Section]);
  }

  template <typename CallT>
  void changeCommon(const Definitions &Symbol, CallT Apply) {
    CommonChange Like = likeAll(Symbol);
    auto Define = [&](DefinitionRef Ref) {
      auto &Commons = Changes[Ref.Object].Commons;
      CommonChange &C =
          Commons.try_emplace(definition(Ref).SymbolIndex, Like).first->second;
      Apply(C.Section);
    };
    // An object is always linked, an archive's member perhaps.
    auto Object = find_if(Symbol, [&](DefinitionRef Ref) {
      return !Inputs.Objects[Ref.Object].Archive;
    });
    if (Object != Symbol.end())
      return Define(*Object);
    if (Symbol.size() > 1)
      Like.As = CommonChange::Strength::Weak;
    for_each(Symbol, Define);
  }

  /// A linker gives a common symbol the most that any object asks for.
  CommonChange likeAll(const Definitions &Symbol) const {
    CommonChange Like;
    for (DefinitionRef Ref : Symbol) {
      Like.Size = std::max(Like.Size, definition(Ref).Size);
      Like.Alignment = std::max(Like.Alignment, definition(Ref).Alignment);
    }
    return Like;
  }

  bool isInFile(const Definitions &Symbol) const {
    return any_of(Symbol, [&](DefinitionRef Ref) {
      if (!definition(Ref).Section)
        return false;
      Expected<ELFFile<Elf>> File =
          ELFFile<Elf>::create(Inputs.Objects[Ref.Object].Bytes);
      // Was read before.
      auto Section = cantFail(
          cantFail(std::move(File)).getSection(*definition(Ref).Section));
      return Section->sh_type != ELF::SHT_NOBITS;
    });
  }

  uint64_t sectionSize(const Definitions &Symbol) const {
    DefinitionRef Ref = Symbol.front();
    const Definition &D = definition(Ref);
    if (!D.Section)
      return likeAll(Symbol).Size;
    Expected<ELFFile<Elf>> File =
        ELFFile<Elf>::create(Inputs.Objects[Ref.Object].Bytes);
    return cantFail(cantFail(std::move(File)).getSection(*D.Section))->sh_size;
  }

  void addGroup(const ResolvedEdit &Edit) {
    std::string Name = (".linesman_group" + Twine(++Groups)).str();
    bool InFile = any_of(Edit.Symbols, [&](const Definitions &Symbol) {
      return isInFile(Symbol);
    });
    uint64_t End = 0;
    for (size_t I : Edit.Order) {
      const Definitions &Symbol = Edit.Symbols[I];
      End = alignTo(End, definition(Symbol.front()).Alignment) +
            sectionSize(Symbol);
    }
    for (size_t I : Edit.Order)
      change(Edit.Symbols[I], [&](SectionChange &C) {
        C.Name = Name;
        if (InFile)
          C.In = SectionChange::Contents::InFile;
        if (I == Edit.Order.front())
          C.Alignment = std::max(C.Alignment, Edit.What.Bytes);
        if (I == Edit.Order.back())
          C.After = alignTo(End, Edit.What.Bytes) - End;
      });
  }
};

} // namespace

LinkChanges makeChanges(const LinkInputs &Inputs,
                        ArrayRef<ResolvedEdit> Edits) {
  Maker Make(Inputs);
  for (const ResolvedEdit &Edit : Edits)
    Make.add(Edit);
  return std::move(Make).take();
}

} // namespace linesman::relink
