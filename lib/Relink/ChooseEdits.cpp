// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names what edits leave open, and guesses what only a link can tell.

#include "ChooseEdits.h"
#include "ReadBack.h"
#include "linesman/Guard/Document.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using linesman::plan::EditKind;

namespace linesman::relink {

static Expected<plan::SymbolRef>
findFirst(const Linked &Output, StringRef Section, const LinkInputs &Inputs) {
  const layout::Image *Images[] = {&Output.Binary.Image, &Output.ThreadBlock};
  for (const layout::Image *Linked : Images)
    for (const layout::Symbol &S : Linked->symbols()) {
      if (Linked->sections()[S.Section].Name != Section ||
          S.Origin != layout::SymbolOrigin::Program)
        continue;
      plan::SymbolRef Ref;
      Ref.Symbol = S.name();
      if (S.Binding == layout::SymbolBinding::Local)
        Ref.File = Linked->files()[S.File];
      Expected<std::vector<DefinitionRef>> Found = findDefinitions(Inputs, Ref);
      if (Found)
        return Ref;
      consumeError(Found.takeError()); // not of an object: the next one
    }
  return createStringError(formatv(
      "cannot shift '{0}': no object of the link has data in it", Section));
}

/// Names the first object of sections that are to be shifted.
static Error nameShifted(MutableArrayRef<plan::Edit> Edits, ReadLink &Link,
                         StringRef Output, const ScratchFolder &Scratch) {
  auto IsUnnamed = [](const plan::Edit &Edit) {
    return Edit.Kind == EditKind::Shift && Edit.Symbols.empty();
  };
  if (none_of(Edits, IsUnnamed))
    return Error::success();
  Expected<LinkedFile> Plain = linkTo(Scratch.file("plain"), Link,
                                      Link.Command.Command, Output, Scratch);
  if (!Plain)
    return Plain.takeError();
  Expected<std::unique_ptr<MemoryBuffer>> File = guard::mapFile(Plain->Path);
  if (!File)
    return File.takeError();
  Expected<Linked> Result = readBack(std::move(*File));
  if (!Result)
    return Result.takeError();
  if (Error E = readAllDefinitions(Link.Inputs))
    return E;
  for (plan::Edit &Edit : make_filter_range(Edits, IsUnnamed)) {
    Expected<plan::SymbolRef> First =
        findFirst(*Result, Edit.Section, Link.Inputs);
    if (!First)
      return First.takeError();
    Edit.Symbols = {*First};
  }
  return Error::success();
}

Expected<std::vector<plan::Edit>> nameEdits(ReadLink &Link,
                                            const RelinkConfig &Config,
                                            const ScratchFolder &Scratch) {
  std::vector<plan::Edit> Edits = Config.Edits;
  if (Error E = nameShifted(Edits, Link, Config.Output, Scratch))
    return std::move(E);
  std::vector<plan::SymbolRef> Names;
  for (const plan::Edit &Edit : Edits)
    append_range(Names, Edit.Symbols);
  if (Error E = readDefinitionsFor(Link.Inputs, Names))
    return std::move(E);
  return Edits;
}

static uint64_t longestLine(ArrayRef<ResolvedEdit> Edits) {
  uint64_t Line = layout::LineSize().Bytes;
  for (const ResolvedEdit &Edit : Edits)
    if (!isRoom(Edit.Change.Kind))
      Line = std::max(Line, Edit.Change.Bytes);
  return Line;
}

static Tails tailsOf(ArrayRef<std::string> Old, uint64_t Line) {
  for (const std::string &Path : Old) {
    Expected<std::unique_ptr<MemoryBuffer>> File = guard::mapFile(Path);
    Expected<Tails> Guess = File ? guessTails((*File)->getBuffer(), Line)
                                 : Expected<Tails>(File.takeError());
    if (Guess)
      return *Guess;
    consumeError(Guess.takeError()); // not a linked file: then unknown
  }
  return {};
}

ChosenEdits chooseEdits(std::vector<ResolvedEdit> Edits,
                        ArrayRef<std::string> Old) {
  uint64_t Line = longestLine(Edits);
  return {std::move(Edits), Line, tailsOf(Old, Line)};
}

bool growsThreadBlock(const LinkInputs &Inputs, ArrayRef<ResolvedEdit> Edits) {
  auto IsRoom = [](const ResolvedEdit &E) { return isRoom(E.Change.Kind); };
  return none_of(Edits, IsRoom) && any_of(Edits, [&](const ResolvedEdit &Edit) {
           return any_of(Edit.Symbols, [&](const Definitions &Symbol) {
             return Inputs.definition(Symbol.front()).Kind ==
                    DefinitionKind::ThreadLocal;
           });
         });
}

} // namespace linesman::relink
