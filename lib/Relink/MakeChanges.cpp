// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From resolved edits to changes of sections.
//
//     isolate, explode   a section of those that have lines of their own:
//                        aligned, and the size rounded up
//     group              a section for each: the first member is aligned, the
//                        last filled up, or the group would share its edge
//                        lines
//     pad, shift         room before
//     thread-local data  isolated where it is: threads share none of it
//
// The new sections have names that no output section has: every linker makes an
// output section of each, behind the others of its type.
//
// What moves leaves a gap, so that what follows it stays on its lines with its
// line-mates. Only what follows the new sections themselves (.bss follows the
// one of .data) could change its phase: a tail, a last new section, makes up
// for it. How long it must be only a link can tell (LinkedSections.h).

#include "ResolveEdits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
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
    switch (Edit.Change.Kind) {
    case EditKind::Isolate:
    case EditKind::Explode:
      for (const Definitions &Symbol : Edit.Symbols)
        change(Symbol, [&](DefinitionRef Ref, SectionChange &C) {
          C.Alignment = std::max(C.Alignment, Edit.Change.Bytes);
          C.RoundTo = std::max(C.RoundTo, Edit.Change.Bytes);
          if (Inputs.definition(Ref).Kind == DefinitionKind::ThreadLocal)
            return;
          bool InFile = Inputs.definition(Ref).IsInFile;
          C.Name = InFile ? IsolatedData : IsolatedBss;
          IsInFile[C.Name] = InFile;
          C.Gap = gapFor(Ref, C.RoundTo);
        });
      return;
    case EditKind::Pad:
    case EditKind::Shift:
      for (const Definitions &Symbol : Edit.Symbols)
        change(Symbol, [&](DefinitionRef, SectionChange &C) {
          C.Before += Edit.Change.Bytes;
        });
      return;
    case EditKind::Group:
      return addGroup(Edit);
    }
    llvm_unreachable("unknown edit kind");
  }

  /// With the first of the new sections that it is to follow, and before it
  /// empty sections of the names of all: where the first is used, linkers place
  /// them together, before a program's sections of names of its own. Of an
  /// archive only the linker knows whether and when it takes a member; then the
  /// first object has them, also where no tail is needed: the order is to be
  /// the same with one and without.
  void addTail(const NewSection &Tail) {
    std::optional<size_t> Carrier;
    bool InArchive = false;
    std::vector<std::string> Names;
    for (const auto &[Object, Change] : Changes) {
      auto Add = [&](const SectionChange &C) {
        auto Known = IsInFile.find(C.Name);
        if (Known == IsInFile.end() || Known->getValue() != Tail.IsInFile)
          return;
        if (!Carrier)
          Carrier = Object;
        InArchive |= Inputs.Objects[Object].Archive.has_value();
        if (!is_contained(Names, C.Name))
          Names.push_back(C.Name);
      };
      for (const auto &[Index, C] : Change.Sections)
        Add(C);
      for (const auto &[Index, C] : Change.Commons)
        Add(C.Section);
    }
    if (InArchive) {
      auto First = find_if(Inputs.Objects, [](const InputObject &O) {
        return !O.Archive && O.Code == CodeKind::Machine;
      });
      if (First == Inputs.Objects.end())
        return;
      Carrier = First - Inputs.Objects.begin();
    }
    if (!Carrier || (!Tail.Size && !InArchive))
      return;
    std::vector<NewSection> &Added = Changes[*Carrier].Added;
    for (const std::string &Name : Names)
      Added.push_back({Name, 0, Tail.IsInFile});
    if (Tail.Size)
      Added.push_back(Tail);
  }

  LinkChanges take() && { return std::move(Changes); }

private:
  const LinkInputs &Inputs;
  LinkChanges Changes;
  unsigned Groups = 0;
  /// Of the new sections that all threads share, by name.
  StringMap<bool> IsInFile;

  template <typename CallT>
  void change(const Definitions &Symbol, CallT Apply) {
    bool IsCommon = all_of(Symbol, [&](DefinitionRef Ref) {
      return !Inputs.definition(Ref).Section;
    });
    if (IsCommon)
      return changeCommon(Symbol, Apply);
    // Common symbols beside a definition join it.
    for (DefinitionRef Ref : Symbol)
      if (const auto &Section = Inputs.definition(Ref).Section)
        Apply(Ref, Changes[Ref.Object].Sections[*Section]);
  }

  template <typename CallT>
  void changeCommon(const Definitions &Symbol, CallT Apply) {
    CommonChange Like = likeAll(Symbol);
    auto Define = [&](DefinitionRef Ref) {
      auto &Commons = Changes[Ref.Object].Commons;
      CommonChange &C =
          Commons.try_emplace(Inputs.definition(Ref).SymbolIndex, Like)
              .first->second;
      Apply(Ref, C.Section);
    };
    // An object is always linked, an archive's member perhaps.
    auto Object = find_if(Symbol, [&](DefinitionRef Ref) {
      return !Inputs.Objects[Ref.Object].Archive;
    });
    if (Object != Symbol.end())
      return Define(*Object);
    if (Symbol.size() > 1)
      Like.Binding = CommonChange::Strength::Weak;
    for_each(Symbol, Define);
  }

  /// A linker gives a common symbol the most that any object asks for.
  CommonChange likeAll(const Definitions &Symbol) const {
    CommonChange Like;
    for (DefinitionRef Ref : Symbol) {
      Like.Size = std::max(Like.Size, Inputs.definition(Ref).Size);
      Like.Alignment =
          std::max(Like.Alignment, Inputs.definition(Ref).Alignment);
    }
    return Like;
  }

  const Elf::Shdr &section(DefinitionRef Ref) const {
    // Was read before.
    auto File =
        cantFail(ELFFile<Elf>::create(Inputs.Objects[Ref.Object].Bytes));
    return *cantFail(File.getSection(*Inputs.definition(Ref).Section));
  }

  uint64_t sectionSize(const Definitions &Symbol) const {
    DefinitionRef Ref = Symbol.front();
    return Inputs.definition(Ref).Section ? uint64_t(section(Ref).sh_size)
                                          : likeAll(Symbol).Size;
  }

  /// As small as what follows allows: it keeps its place on its line, and comes
  /// no nearer to what precedes the gap than to another line. What a common
  /// symbol leaves, the linker closes.
  uint64_t gapFor(DefinitionRef Ref, uint64_t Line) const {
    if (!Inputs.definition(Ref).Section)
      return 0;
    return plan::gapOf(section(Ref).sh_size, Line);
  }

  /// One symbol of each section, in order: a unit is there once, whichever of
  /// its symbols are named, and they follow one another.
  std::vector<size_t> partsOf(const ResolvedEdit &Edit) const {
    auto SectionOf = [&](size_t I) {
      DefinitionRef Ref = Edit.Symbols[I].front();
      return std::make_pair(Ref.Object, Inputs.definition(Ref).Section);
    };
    std::vector<size_t> Parts;
    for (size_t I : Edit.Order)
      if (Parts.empty() || !SectionOf(I).second ||
          SectionOf(Parts.back()) != SectionOf(I))
        Parts.push_back(I);
    return Parts;
  }

  void addGroup(const ResolvedEdit &Edit) {
    std::string Name = (GroupSection + Twine(++Groups)).str();
    bool InFile = any_of(Edit.Symbols, [&](const Definitions &Symbol) {
      return any_of(Symbol, [&](DefinitionRef Ref) {
        return Inputs.definition(Ref).IsInFile;
      });
    });
    std::vector<size_t> Parts = partsOf(Edit);
    uint64_t End = 0;
    for (size_t I : Parts) {
      const Definitions &Symbol = Edit.Symbols[I];
      End = alignTo(End, Inputs.definition(Symbol.front()).Alignment) +
            sectionSize(Symbol);
    }
    for (size_t I : Parts)
      change(Edit.Symbols[I], [&](DefinitionRef Ref, SectionChange &C) {
        C.Name = Name;
        if (Inputs.definition(Ref).Kind != DefinitionKind::ThreadLocal) {
          C.Gap = gapFor(Ref, Edit.Change.Bytes);
          IsInFile[Name] = InFile;
        }
        if (InFile)
          C.Kept = SectionChange::Contents::InFile;
        if (I == Parts.front())
          C.Alignment = std::max(C.Alignment, Edit.Change.Bytes);
        if (I == Parts.back())
          C.After = alignTo(End, Edit.Change.Bytes) - End;
      });
  }
};

} // namespace

LinkChanges makeChanges(const LinkInputs &Inputs, ArrayRef<ResolvedEdit> Edits,
                        Tails After) {
  Maker Make(Inputs);
  for (const ResolvedEdit &Edit : Edits)
    Make.add(Edit);
  Make.addTail({DataTail.str(), After.Data, /*IsInFile=*/true});
  Make.addTail({BssTail.str(), After.Bss, /*IsInFile=*/false});
  return std::move(Make).take();
}

} // namespace linesman::relink
