// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the name in an edit to definitions in objects.

#include "FindDefinitions.h"
#include "DefinitionIndex.h"
#include "linesman/Guard/Suggest.h"
#include "linesman/Guard/Text.h"
#include "linesman/Layout/Identity.h"
#include "linesman/Layout/Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <map>
#include <tuple>

using namespace llvm;

namespace linesman::relink {

namespace {

/// "file:name" taken apart at a colon that is not part of "::"; the file is
/// empty where there is none.
struct WantedName {
  StringRef File, Name;
  /// Who says the file: who types a name, or a plan, from a linked file. There
  /// gold has a hidden object behind the last file's, whatever its own is.
  enum class Author : uint8_t { Person, Plan } Writer = Author::Person;
  /// The identifier that a mangled form must contain.
  StringRef LastWord = lastWord(Name);

  static StringRef lastWord(StringRef Name) {
    Name = layout::stemOf(Name);
    auto IsWord = [](char C) { return isAlnum(C) || C == '_'; };
    if (Name.empty() || !IsWord(Name.back()))
      return "";
    return Name.take_back(Name.size() -
                          Name.rtrim("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNO"
                                     "PQRSTUVWXYZ0123456789_")
                              .size());
  }
};

std::vector<WantedName> readings(StringRef Symbol) {
  std::vector<WantedName> Result = {WantedName{"", Symbol}};
  for (auto [File, Name] : layout::splitFile(Symbol))
    Result.push_back(WantedName{File, Name});
  return Result;
}

/// Whether \p Path ends in \p End, which begins at a folder or the file.
bool endsIn(StringRef Path, StringRef End) {
  return !End.empty() && Path.consume_back(End) &&
         (Path.empty() || Path.ends_with("/"));
}

/// What optimizers name in the place of a source: LLVM's an object, GCC's
/// "<artificial>".
bool isSource(StringRef File) {
  return !File.empty() && !File.starts_with("<") && !File.ends_with(".o");
}

/// How strictly names are compared.
enum class NameMatch : uint8_t {
  /// The linker's name.
  Linker,
  /// Or the demangled one.
  Exact,
  /// LTO has renamed one of them.
  Stem,
  /// The object names no file: the linked one names that of another.
  StemOfUnknownFile,
  /// LTO has lost the file, or a linker that of a global object.
  StemOfLostFile,
  /// For a message: whatever the file is.
  StemOfAnyFile,
};

bool matches(const WantedName &Wanted, NameMatch Matching,
             const InputObject &Object, const Definition &D) {
  StringRef Name = D.Name, Other = Wanted.Name;
  if (Matching >= NameMatch::Stem) {
    Name = layout::stemOf(Name);
    Other = layout::stemOf(Other);
  }
  // Demangling costs; a mangled name has the last identifier in it.
  if (Name != Other &&
      !(Matching != NameMatch::Linker && Name.starts_with("_Z") &&
        Name.contains(Wanted.LastWord) && guard::demangle(Name) == Other))
    return false;
  return Wanted.File.empty() || Matching == NameMatch::StemOfAnyFile ||
         (Matching == NameMatch::StemOfUnknownFile && D.File.empty() &&
          D.Binding == DefinitionBinding::Local) ||
         (Matching == NameMatch::StemOfLostFile &&
          (!isSource(D.Source) || (Wanted.Writer == WantedName::Author::Plan &&
                                   D.Binding != DefinitionBinding::Local))) ||
         endsIn(Object.Path, Wanted.File) || endsIn(D.Source, Wanted.File) ||
         // GCC leaves the folder out.
         endsIn(Wanted.File, D.Source);
}

std::vector<WantedName> wantedNames(const plan::SymbolRef &Symbol) {
  if (Symbol.File.empty())
    return readings(Symbol.Symbol);
  return {WantedName{Symbol.File, Symbol.Symbol, WantedName::Author::Plan}};
}

/// Calls \p Visit for each definition that has been read.
template <typename VisitT>
void forEachDefinition(const LinkInputs &Inputs, VisitT Visit) {
  for (auto [O, Object] : enumerate(Inputs.Objects))
    for (size_t I = 0; I != Object.Definitions.size(); ++I)
      Visit(DefinitionRef{O, I}, Object, Object.Definitions[I]);
}

std::string counted(unsigned Count, StringRef Noun) {
  return formatv("{0} {1}{2}", Count, Noun, Count == 1 ? "" : "s");
}

std::string notFound(const LinkInputs &Inputs, StringRef Symbol) {
  std::string Text =
      formatv("no object of the link defines '{0}' as data ({1} searched",
              Symbol, counted(Inputs.Objects.size(), "object"));
  if (Inputs.LtoObjects)
    Text += formatv("; not searched: {0}",
                    counted(Inputs.LtoObjects, "LTO object"));
  if (Inputs.Sources)
    Text += formatv("; the command compiles {0} itself: compile with -c first",
                    counted(Inputs.Sources, "source"));
  for (const std::string &Path : Inputs.Missing)
    Text += formatv("; {0}: No such file or directory", Path);
  guard::Suggestion Meant(Symbol);
  forEachDefinition(Inputs,
                    [&](DefinitionRef, const InputObject &,
                        const Definition &D) { Meant.considerSymbol(D.Name); });
  return Text + ")" + Meant.text();
}

/// What tells data objects apart before they are linked: global definitions of
/// one name are one object, each local one is another.
using Identity = std::tuple<StringRef, std::optional<size_t>, uint32_t>;
using Candidates = std::map<Identity, DefinitionRef>;

Identity identify(const LinkInputs &Inputs, DefinitionRef Ref) {
  const Definition &D = Inputs.definition(Ref);
  if (D.Binding != DefinitionBinding::Local)
    return {D.Name, std::nullopt, 0};
  return {D.Name, Ref.Object, D.SymbolIndex};
}

/// A name for each object that means only it, as far as names can.
std::string listCandidates(const LinkInputs &Inputs,
                           const Candidates &Objects) {
  std::vector<std::string> Names;
  // From what is good to read to what is precise.
  for (bool WholePath : {false, true})
    for (bool LinkerName : {false, true}) {
      Names.clear();
      for (const auto &[Is, Ref] : Objects) {
        const InputObject &Object = Inputs.Objects[Ref.Object];
        StringRef Name = Object.Definitions[Ref.Definition].Name;
        Names.push_back(
            formatv("{0}:{1}",
                    WholePath ? StringRef(Object.Path)
                              : sys::path::filename(Object.Path),
                    LinkerName ? Name.str() : guard::demangle(Name)));
      }
      llvm::sort(Names);
      if (std::adjacent_find(Names.begin(), Names.end()) == Names.end())
        return join(Names, ", ");
    }
  return join(Names, ", ");
}

Candidates candidatesFor(const LinkInputs &Inputs,
                         const plan::SymbolRef &Symbol, NameMatch Matching) {
  std::vector<WantedName> Wanted = wantedNames(Symbol);
  Candidates Found;
  forEachDefinition(Inputs, [&](DefinitionRef Ref, const InputObject &Object,
                                const Definition &D) {
    if (any_of(Wanted, [&](const WantedName &W) {
          return matches(W, Matching, Object, D);
        }))
      Found.try_emplace(identify(Inputs, Ref), Ref);
  });
  return Found;
}

/// Others have the wanted name, and another file.
std::string describeOthers(const LinkInputs &Inputs,
                           const plan::SymbolRef &Symbol,
                           const Candidates &Others) {
  std::string Wanted = Symbol.Symbol;
  if (!Symbol.File.empty())
    Wanted = Symbol.File + ":" + Wanted;
  return formatv("no object of the link defines '{0}'; in other files there "
                 "is: {1}",
                 Wanted, listCandidates(Inputs, Others));
}

/// Leaves the one of \p Objects that will be the wanted position by address
/// among those of its stem and file, if the command tells: what is in the file
/// comes before what is zero, then objects are placed in the order of the
/// command, and sections in the order of the object. Members of archives are
/// placed in the order in which they are needed, which only the linker knows.
void keepOrdinal(const LinkInputs &Inputs, const plan::SymbolRef &Symbol,
                 NameMatch Matching, Candidates &Objects) {
  std::vector<DefinitionRef> InOrder;
  for (const auto &[Is, Ref] :
       candidatesFor(Inputs, Symbol, std::max(Matching, NameMatch::Stem))) {
    if (Inputs.Objects[Ref.Object].Archive)
      return;
    InOrder.push_back(Ref);
  }
  // An object without a file is a global one, if there is one.
  auto IsGlobal = [&](DefinitionRef Ref) {
    return Inputs.definition(Ref).Binding != DefinitionBinding::Local;
  };
  if (Symbol.File.empty() && any_of(InOrder, IsGlobal))
    erase_if(InOrder, [&](DefinitionRef Ref) { return !IsGlobal(Ref); });
  if (*Symbol.Ordinal >= InOrder.size())
    return;
  llvm::sort(InOrder, [&](DefinitionRef A, DefinitionRef B) {
    auto Key = [&](DefinitionRef Ref) {
      const Definition &D = Inputs.definition(Ref);
      return std::make_tuple(!D.IsInFile, Ref.Object,
                             D.Section.value_or(UINT32_MAX), D.Offset);
    };
    return Key(A) < Key(B);
  });
  DefinitionRef Chosen = InOrder[*Symbol.Ordinal];
  Identity Is = identify(Inputs, Chosen);
  if (Objects.contains(Is))
    Objects = {{Is, Chosen}};
}

} // namespace

Error readDefinitionsFor(LinkInputs &Inputs, ArrayRef<plan::SymbolRef> Wanted) {
  std::vector<StringRef> Names;
  for (const plan::SymbolRef &Symbol : Wanted)
    for (const WantedName &W : wantedNames(Symbol))
      Names.push_back(W.Name);
  if (Error E = readDefinitionsOf(Inputs, objectsDefining(Inputs, Names)))
    return E;
  // An ordinal counts what has the same stem, too.
  if (all_of(Wanted, [&](const plan::SymbolRef &Symbol) {
        size_t Named = candidatesFor(Inputs, Symbol, NameMatch::Linker).size();
        return Named == 1 || (Named && !Symbol.Ordinal);
      }))
    return Error::success();
  return readAllDefinitions(Inputs);
}

Expected<std::vector<DefinitionRef>>
findDefinitions(const LinkInputs &Inputs, const plan::SymbolRef &Symbol) {
  Candidates Objects;
  NameMatch Matching = NameMatch::Linker;
  for (NameMatch Next :
       {NameMatch::Linker, NameMatch::Exact, NameMatch::Stem,
        NameMatch::StemOfUnknownFile, NameMatch::StemOfLostFile}) {
    Matching = Next;
    Objects = candidatesFor(Inputs, Symbol, Matching);
    if (!Objects.empty())
      break;
  }
  if (Objects.empty()) {
    Candidates Others = candidatesFor(Inputs, Symbol, NameMatch::StemOfAnyFile);
    return createStringError(Others.empty()
                                 ? notFound(Inputs, Symbol.Symbol)
                                 : describeOthers(Inputs, Symbol, Others));
  }
  if (Symbol.Ordinal) {
    size_t Count = Objects.size();
    if (Matching < NameMatch::StemOfUnknownFile)
      Count = candidatesFor(Inputs, Symbol, NameMatch::Stem).size();
    // One more than the objects of that file has its name from another.
    if (Matching < NameMatch::StemOfUnknownFile && Count <= *Symbol.Ordinal) {
      Candidates More =
          candidatesFor(Inputs, Symbol, NameMatch::StemOfUnknownFile);
      Count = More.size();
      Matching = NameMatch::StemOfUnknownFile;
      Objects = std::move(More);
    }
    if (Count <= *Symbol.Ordinal)
      return createStringError(
          formatv("'{0}' with ordinal {1}: the link defines {2} of that name, "
                  "and the first has ordinal 0",
                  Symbol.Symbol, *Symbol.Ordinal, counted(Count, "object")));
  }
  if (Objects.size() > 1 && Symbol.Ordinal)
    keepOrdinal(Inputs, Symbol, Matching, Objects);
  if (Objects.size() > 1)
    return createStringError(formatv("'{0}' is ambiguous; say which: {1}",
                                     Symbol.Symbol,
                                     listCandidates(Inputs, Objects)));

  // The linker keeps one of several definitions, whichever object was named.
  std::vector<DefinitionRef> Found;
  DefinitionRef One = Objects.begin()->second;
  const Definition &Chosen = Inputs.definition(One);
  if (Chosen.Binding == DefinitionBinding::Local)
    return std::vector<DefinitionRef>{One};
  forEachDefinition(
      Inputs, [&](DefinitionRef Ref, const InputObject &, const Definition &D) {
        if (D.Name == Chosen.Name && D.Binding != DefinitionBinding::Local)
          Found.push_back(Ref);
      });
  return Found;
}

} // namespace linesman::relink
