// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ELF symbol tables, by way of LLVM's object reader.

#include "linesman/Watch/Symbols.h"
#include "ModuleFile.h"
#include "linesman/Guard/Text.h"
#include "linesman/Layout/Identity.h"
#include "linesman/Layout/Names.h"
#include "linesman/Process/DynamicNames.h"
#include "linesman/Watch/WatchError.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <algorithm>

using namespace llvm;
using namespace llvm::object;
using namespace linesman::process;

namespace linesman::watch {

Expected<SymbolTable> SymbolTable::read(const Module &M) {
  Expected<ModuleFile> Binary = openModule(M, hasSymbolTable);
  if (!Binary)
    return Binary.takeError();
  auto *Elf = cast<ELFObjectFileBase>(Binary->getBinary());
  SymbolTable Result;
  std::string Source;
  auto Add = [&](const ELFSymbolRef &Symbol) {
    Expected<StringRef> Name = Symbol.getName();
    Expected<uint64_t> Address = Symbol.getAddress();
    if (!Name || !Address) {
      consumeError(Name.takeError());
      consumeError(Address.takeError());
      return;
    }
    bool IsLocal = Symbol.getBinding() == ELF::STB_LOCAL;
    // The locals of an object file follow its name.
    if (Symbol.getELFType() == ELF::STT_FILE)
      Source = Name->str();
    else if (Symbol.getELFType() == ELF::STT_TLS)
      Result.ThreadLocals.push_back(Name->str());
    else if (Symbol.getELFType() == ELF::STT_OBJECT && *Address != 0)
      Result.Symbols.push_back(
          {Name->str(), {*Address}, Symbol.getSize(), IsLocal ? Source : ""});
  };
  for (const ELFSymbolRef &Symbol : Elf->symbols())
    Add(Symbol);
  if (Result.Symbols.empty())
    for (const ELFSymbolRef &Symbol : Elf->getDynamicSymbolIterators())
      Add(Symbol);
  for (const SectionRef &Section : Elf->sections()) {
    Expected<StringRef> Name = Section.getName();
    if (Name && ELFSectionRef(Section).getFlags() & ELF::SHF_ALLOC)
      Result.Sections.push_back(
          {Name->str(), {Section.getAddress()}, Section.getSize(), ""});
    else if (!Name)
      consumeError(Name.takeError());
  }
  llvm::sort(Result.Symbols, [](const DataSymbol &A, const DataSymbol &B) {
    return std::tie(A.Address, A.Size, A.Name) <
           std::tie(B.Address, B.Size, B.Name);
  });
  return Result;
}

std::string DataSymbol::id() const {
  return (File.empty() ? "" : File + ":") + guard::demangle(Name);
}

std::vector<const DataSymbol *> SymbolTable::findPlain(StringRef Name) const {
  std::vector<const DataSymbol *> Exact, Demangled;
  for (const DataSymbol &S : Symbols) {
    if (S.Name == Name)
      Exact.push_back(&S);
    else if (StringRef Plain = layout::dropUnitHash(S.Name);
             Plain == Name ||
             (Plain.starts_with("_") && guard::demangle(Plain) == Name))
      Demangled.push_back(&S);
  }
  return Exact.empty() ? Demangled : Exact;
}

std::vector<const DataSymbol *> SymbolTable::find(StringRef Name) const {
  std::vector<const DataSymbol *> Found = findPlain(Name);
  for (const layout::FileAndName &Wanted : layout::splitFile(Name)) {
    if (!Found.empty())
      break;
    Found = findPlain(Wanted.Name);
    erase_if(Found, [&](const DataSymbol *S) {
      return Wanted.File != S->File &&
             Wanted.File != sys::path::filename(S->File);
    });
  }
  return Found;
}

void SymbolTable::suggest(guard::Suggestion &Meant) const {
  for (const DataSymbol &S : Symbols)
    Meant.considerSymbol(S.Name);
}

std::string SymbolTable::contradiction(StringRef Name, LinkAddress Address,
                                       uint64_t Size) const {
  const DataSymbol *Elsewhere = nullptr;
  for (const DataSymbol &S : Symbols) {
    // One that the linker's scripts or an assembler made may have no size.
    bool IsSameSize = S.Size == Size || S.Size == 0;
    if (S.Name != Name)
      continue;
    if (S.Address == Address && IsSameSize)
      return "";
    Elsewhere = &S;
  }
  auto Place = [](LinkAddress Address, uint64_t Bytes) {
    return "0x" + utohexstr(Address.Value, true) + " (" + utostr(Bytes) +
           " bytes)";
  };
  std::string Reported =
      ("'" + Name + "' was at " + Place(Address, Size)).str();
  if (Elsewhere)
    return Reported + " and is at " +
           Place(Elsewhere->Address, Elsewhere->Size);
  if (const DataSymbol *Other = at(Address))
    return Reported + ", where '" + guard::demangle(Other->Name) + "' is";
  return "";
}

bool SymbolTable::isThreadLocal(StringRef Name) const {
  return llvm::any_of(ThreadLocals, [&](const std::string &S) {
    return S == Name || guard::demangle(S) == Name;
  });
}

DataSymbol SymbolTable::section(StringRef Name) const {
  for (const DataSymbol &S : Sections)
    if (S.Name == Name)
      return S;
  return {};
}

const DataSymbol *SymbolTable::at(LinkAddress Address) const {
  auto After = llvm::upper_bound(
      Symbols, Address,
      [](LinkAddress A, const DataSymbol &S) { return A < S.Address; });
  // Aliases and zero-sized markers may be nearer than the object itself.
  for (auto I = After; I != Symbols.begin();) {
    --I;
    if (Address.Value - I->Address.Value < I->Size)
      return &*I;
    if (Address.Value - I->Address.Value > (1 << 20))
      break;
  }
  return nullptr;
}

const SymbolTable *ProcessSymbols::tableOf(const Module &M) {
  auto Known = Tables.find(M.File);
  if (Known != Tables.end())
    return &Known->second;
  Expected<SymbolTable> Table = SymbolTable::read(M);
  if (!Table) {
    // A damaged file has no names.
    consumeError(Table.takeError());
    return &Tables[M.File];
  }
  return &(Tables[M.File] = std::move(*Table));
}

Expected<std::optional<ProcessObject>>
ProcessSymbols::findIn(const Module &M, StringRef Name, uint64_t Offset) {
  std::vector<const DataSymbol *> Found = tableOf(M)->find(Name);
  if (Found.empty())
    return std::nullopt;
  auto Differs = [&](const DataSymbol *S) {
    return S->Address != Found.front()->Address;
  };
  if (llvm::any_of(Found, Differs)) {
    std::string Place;
    for (const DataSymbol *S : Found)
      Place += (Place.empty() ? "" : ", or ") + S->id() + " at 0x" +
               utohexstr(M.Bias.toRun(S->Address).Value, true);
    return createStringError("symbol '" + Name + "' is ambiguous in " + M.Path +
                             ": it is " + Place);
  }
  const DataSymbol &S = *Found.front();
  if (Offset >= std::max<uint64_t>(S.Size, 1))
    return createStringError("offset " + Twine(Offset) + " is outside '" +
                             Name + "', which has " + Twine(S.Size) + " bytes");
  return ProcessObject{M.Bias.toRun(S.Address + Offset), S.Size - Offset, ""};
}

Expected<ProcessObject> ProcessSymbols::find(StringRef NameAndOffset) {
  // "operator+" is a function; a plus sign before a number is an offset.
  StringRef Name = NameAndOffset;
  uint64_t Offset = 0;
  if (size_t Plus = Name.rfind('+'); Plus != StringRef::npos) {
    if (!Name.substr(Plus + 1).trim().getAsInteger(0, Offset))
      Name = Name.take_front(Plus).rtrim();
  }
  std::vector<std::pair<const Module *, StringRef>> Places;
  for (const Module &M : Modules.modules())
    Places.push_back({&M, Name});
  for (const layout::FileAndName &Wanted : layout::splitFile(Name))
    for (const Module *M : modulesCalled(Wanted.File))
      Places.push_back({M, Wanted.Name});
  bool IsThreadLocal = false;
  for (auto [M, Symbol] : Places) {
    Expected<std::optional<ProcessObject>> Found = findIn(*M, Symbol, Offset);
    if (!Found)
      return Found.takeError();
    if (*Found) {
      (*Found)->Name = NameAndOffset.str();
      return **Found;
    }
    IsThreadLocal |= tableOf(*M)->isThreadLocal(Symbol);
  }
  if (std::optional<ProcessObject> Place = findSection(Name, Offset)) {
    Place->Name = NameAndOffset.str();
    return *Place;
  }
  if (IsThreadLocal)
    return createStringError("'" + Name +
                             "' is thread-local: each thread has its own; "
                             "give one's --address");
  return refuse(Name);
}

std::vector<const Module *> ProcessSymbols::modulesCalled(StringRef Called) {
  std::vector<const Module *> Exact, Begun;
  for (const Module &M : Modules.modules()) {
    StringRef File = sys::path::filename(M.Path), Tail = File;
    if (Called == File || Called == M.Path)
      Exact.push_back(&M);
    else if (!Called.empty() && Tail.consume_front(Called) &&
             Tail.starts_with("."))
      Begun.push_back(&M);
  }
  if (!Exact.empty())
    return Exact;
  for (const Module &M : Modules.modules())
    if (Called.contains(".so") &&
        Called == readDynamicNames(M.Bytes->getBuffer()).Soname)
      Exact.push_back(&M);
  return Exact.empty() ? Begun : Exact;
}

Error ProcessSymbols::refuse(StringRef Name) {
  auto say = [](Refusal Reason, const Twine &Text) {
    return make_error<WatchError>(Reason, Text.str());
  };
  if (Modules.modules().empty())
    return say(Refusal::NotLoaded,
               "no data symbol '" + Name + "' in the process");
  const Module &Program = Modules.modules().front();
  for (const layout::FileAndName &Wanted : layout::splitFile(Name)) {
    std::vector<const Module *> Called = modulesCalled(Wanted.File);
    if (!Called.empty()) {
      guard::Suggestion Meant(Wanted.Name);
      tableOf(*Called.front())->suggest(Meant);
      return say(Refusal::Other, "no data symbol '" + Wanted.Name + "' in " +
                                     Called.front()->Path + Meant.text());
    }
    if (!Wanted.File.contains(".so"))
      continue;
    guard::Suggestion Meant(Wanted.File);
    for (const Module &M : Modules.modules()) {
      StringRef File = sys::path::filename(M.Path);
      Meant.consider(File);
      // Without a version.
      if (size_t End = File.find(".so."); End != StringRef::npos)
        Meant.consider(File.take_front(End + StringRef(".so").size()));
    }
    return say(Refusal::NotLoaded, "no shared object '" + Wanted.File +
                                       "' in " + Program.Path + Meant.text());
  }
  // Part of an object that is there.
  size_t End = Name.find_first_of("[.-");
  StringRef Whole = Name.take_front(End);
  auto HasWhole = [&](const Module &M) {
    return !tableOf(M)->find(Whole).empty();
  };
  if (End != StringRef::npos && !Whole.empty() &&
      llvm::any_of(Modules.modules(), HasWhole))
    return say(Refusal::Other,
               "'" + Name +
                   "' is no symbol; a field or an element is an "
                   "expression: --at='" +
                   Name + "'");
  // The program's own: libraries have tens of thousands.
  guard::Suggestion Meant(Name);
  tableOf(Program)->suggest(Meant);
  return say(Refusal::NotLoaded, "no data symbol '" + Name + "' in " +
                                     Program.Path + " or its shared objects" +
                                     Meant.text());
}

std::optional<ProcessObject> ProcessSymbols::findSection(StringRef Name,
                                                         uint64_t Offset) {
  auto [File, Section] = Name.rsplit(':');
  if (Section.empty())
    std::swap(File, Section);
  if (Modules.modules().empty())
    return std::nullopt;
  std::vector<const Module *> Meant = {&Modules.modules().front()};
  if (!File.empty())
    Meant = modulesCalled(File);
  if (Meant.empty())
    return std::nullopt;
  DataSymbol Found = tableOf(*Meant.front())->section(Section);
  // Another module's section of the same name is not meant.
  if (!Found.Address.Value || Offset >= Found.Size)
    return std::nullopt;
  return ProcessObject{Meant.front()->Bias.toRun(Found.Address + Offset),
                       Found.Size - Offset, ""};
}

std::string ProcessSymbols::label(RunAddress Address) {
  const Module *M = Modules.find(Address);
  if (!M)
    return "";
  LinkAddress Link = M->Bias.toLink(Address);
  const DataSymbol *S = tableOf(*M)->at(Link);
  if (!S)
    return "";
  std::string Name = guard::demangle(S->Name);
  uint64_t Offset = Link.Value - S->Address.Value;
  return Offset == 0 ? Name : Name + "+" + utostr(Offset);
}

} // namespace linesman::watch
