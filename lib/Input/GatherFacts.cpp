// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compilers' facts and machine code add to the same graph of calls, table of
// accesses and uses of pointers.

#include "GatherFacts.h"
#include "CodeTypes.h"
#include "FileOrigin.h"
#include "MachineFacts.h"
#include "UnreachedCode.h"
#include "linesman/Facts/KernelNames.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace llvm::object;

namespace linesman::input {

namespace {

/// The bytes of a section by name, decompressed; nothing if there is none.
Expected<std::optional<StringRef>> readNamed(const ElfFile &Elf, StringRef Name,
                                             Binary &Result) {
  Expected<const ElfSection *> Header = findSection(Elf, Name);
  if (!Header)
    return Header.takeError();
  if (!*Header)
    return std::nullopt;
  Expected<ArrayRef<uint8_t>> Bytes = Elf.getSectionContents(**Header);
  if (!Bytes)
    return Bytes.takeError();
  if (!((*Header)->sh_flags & ELF::SHF_COMPRESSED))
    return toStringRef(*Bytes);
  Expected<Decompressor> D = openCompressed(Name, *Bytes);
  if (!D)
    return D.takeError();
  SmallVector<uint8_t, 0> &Plain = Result.Decompressed.emplace_back();
  if (Error E = D->resizeAndDecompress(Plain))
    return std::move(E);
  return toStringRef(ArrayRef(Plain));
}

/// The functions that facts about calls name. Of namesakes the first one: calls
/// by name are of global functions.
Expected<layout::FunctionsByName> findCalledByName(const ElfFile &Elf,
                                                   const MemoryBuffer &File,
                                                   StringRef Facts) {
  DenseSet<uint64_t> Wanted;
  if (Error E =
          facts::visitNames(Facts, [&](uint64_t Hash) { Wanted.insert(Hash); }))
    return std::move(E);
  layout::FunctionsByName Found;
  if (Wanted.empty())
    return Found;
  Error E = visitFunctions(Elf, File, [&](const layout::FunctionSymbol &F) {
    if (uint64_t Hash = facts::hashName(F.name()); Wanted.contains(Hash))
      Found.try_emplace(Hash, F);
  });
  if (E)
    return std::move(E);
  return Found;
}

/// Names what is known by its address only.
Error finishCalls(layout::CallGraphBuilder Calls, const ElfParts &Parts,
                  Binary &Result) {
  for (const ElfFile *Symbols : {&Parts.Symbols, Parts.Mini})
    if (Symbols)
      if (Error E = visitFunctions(
              *Symbols, symbolFile(Result),
              [&](const layout::FunctionSymbol &F) { Calls.name(F); }))
        return E;
  Result.Calls = std::move(Calls).finish();
  giveBack(symbolFile(Result));
  return Error::success();
}

/// What compilers' facts and machine code add to in turn.
struct GatheredFacts {
  layout::AccessJoin Accesses;
  /// One graph whoever tells: facts about types name their functions in it.
  layout::CallGraphBuilder Calls = {};
  layout::PointerJoin Pointers = {};
  /// Functions that the facts section speaks for.
  DenseSet<uint64_t> Known = {};
  /// Functions that nothing leads to. Of code without facts, its reader tells.
  DenseSet<uint64_t> Dead = {};
};

Error readCompilerFacts(const ElfParts &Parts, TypeFacts Types,
                        GatheredFacts &Gathered, Binary &Result) {
  Expected<std::optional<StringRef>> Facts =
      readNamed(Parts.Facts, facts::SectionName, Result);
  if (!Facts)
    return Facts.takeError();
  Expected<std::optional<StringRef>> Strings =
      readNamed(Parts.Facts, facts::StringSectionName, Result);
  if (!Strings)
    return Strings.takeError();
  if (!*Facts)
    return Error::success();
  Result.HasFacts = true;
  Expected<layout::FunctionsByName> Named =
      findCalledByName(Parts.Symbols, symbolFile(Result), **Facts);
  if (!Named)
    return Named.takeError();
  // All names were read, and few are needed again.
  giveBack(symbolFile(Result));
  DenseSet<uint64_t> DeadNames;
  for (const auto &[Hash, Function] : *Named)
    if (Gathered.Dead.contains(Function.Address.Value))
      DeadNames.insert(Hash);
  auto IsDead = [&](facts::FunctionRef Ref) {
    return (Ref.Kind == facts::FunctionRef::Address &&
            Gathered.Dead.contains(Ref.Value)) ||
           (Ref.Kind == facts::FunctionRef::Name &&
            DeadNames.contains(Ref.Value));
  };
  Gathered.Calls.define(std::move(*Named));
  layout::TypeTableBuilder ByType;
  auto AddType = [&](const facts::TypeFact &Fact) {
    if (!IsDead(Fact.Function))
      ByType.add(Fact, Gathered.Calls.intern(Fact.Function));
  };
  function_ref<void(const facts::TypeFact &)> VisitType;
  if (Types == TypeFacts::Read)
    VisitType = AddType;
  // The section's pages are given back as it is read.
  constexpr uint64_t FactsPerWave = 1 << 15;
  uint64_t Last = 0, Count = 0, LastDead = 0;
  uint64_t &Unreached = Result.Counts.UnreachedFunctions;
  // Its uses of pointers and calls speak for a function, too, that touches no
  // variable: its code may name one that a test excludes.
  auto AddKnown = [&](facts::FunctionRef Ref) {
    layout::NodeIndex Node = Gathered.Calls.intern(Ref);
    if (Node != layout::NoNode)
      if (layout::LinkAddress A = Gathered.Calls.addressOf(Node); A.Value)
        Gathered.Known.insert(A.Value);
  };
  Expected<facts::DecodeCounts> Counts = facts::decodeFacts(
      **Facts, Strings->value_or(""),
      [&](const facts::Fact &Fact) {
        if (Gathered.Dead.contains(Fact.Function)) {
          Unreached += std::exchange(LastDead, Fact.Function) != Fact.Function;
          return;
        }
        Gathered.Accesses.add(Fact);
        if (++Count % FactsPerWave == 0 && Result.Files.Facts)
          giveBack(*Result.Files.Facts);
        // Facts of one function come one after the other.
        if (std::exchange(Last, Fact.Function) == Fact.Function)
          return;
        Gathered.Known.insert(Fact.Function);
        Gathered.Calls.addFunction({Fact.Function}, Fact.FunctionName);
        if (Fact.IsInitializer)
          Gathered.Calls.markStartUp({Fact.Function});
      },
      [&](const facts::Calls &Table) {
        if (IsDead(Table.Caller))
          return;
        Gathered.Calls.add(Table);
        AddKnown(Table.Caller);
      },
      VisitType,
      [&](const facts::PointerFacts &Table) {
        if (IsDead(Table.Function))
          return;
        Gathered.Pointers.add(Table, Gathered.Calls);
        AddKnown(Table.Function);
      });
  if (!Counts)
    return Counts.takeError();
  if (Result.Files.Facts)
    giveBack(*Result.Files.Facts);
  Result.Types = std::move(ByType).finish();
  Result.Counts.Facts = *Counts;
  return Error::success();
}

/// Facts of the functions that are not known yet. Their calls only where the
/// compiler has told none: half of what is known would leave many functions
/// without a caller.
Error readCodeFacts(const ElfParts &Parts, const ReadOptions &Options,
                    GatheredFacts &Gathered, Binary &Result) {
  auto AddCalls = [&](const FunctionCalls &Function) {
    layout::LinkAddress Caller{Function.Calls.Caller.Value};
    Gathered.Calls.addFunction(Caller, Function.Caller);
    if (Function.IsInitializer)
      Gathered.Calls.markStartUp(Caller);
    if (Function.NeverReturns)
      Gathered.Calls.markNeverReturns(Caller);
    if (Function.LeavesLock)
      Gathered.Calls.markLeavesLock(Caller);
    for (uint64_t Flag : Function.OwnFlagsSet)
      Gathered.Calls.markSetsOwnFlag(Caller, Flag);
    if (!Function.Calls.Edges.empty() || !Function.Calls.Takes.empty() ||
        Function.NeverReturns)
      Gathered.Calls.add(Function.Calls);
  };
  bool WantsCalls = !Gathered.Calls.hasCalls();
  auto AddFact = [&](const facts::Fact &Fact) {
    Gathered.Accesses.add(Fact);
    // One that calls nobody is in the graph as well: somebody calls it.
    if (WantsCalls)
      Gathered.Calls.addFunction({Fact.Function}, Fact.FunctionName);
  };
  auto AddExport = [&](layout::LinkAddress A) {
    Gathered.Calls.markExported(A);
  };
  auto AddTables = [&](ArrayRef<facts::CallEdge> Edges) {
    Gathered.Calls.addTables(Edges);
  };
  auto AddPointers = [&](const facts::PointerFacts &Table) {
    Gathered.Pointers.add(Table, Gathered.Calls);
  };
  CodeVisitor Visit{AddFact};
  Visit.DeadCode = Options.DeadCode;
  Visit.Dead = &Gathered.Dead;
  // Compilers' facts about types name them in their own way.
  PointedRecords Records;
  if (Options.Types == TypeFacts::Read && Result.Types.Types.empty())
    Records = readPointedRecords(Result);
  layout::TypeTableBuilder ByType;
  auto IsTyped = [&](layout::LinkAddress A) {
    return Records.Functions.contains(A.Value);
  };
  auto AddTypes = [&](const facts::PointerFacts &Function) {
    std::vector<facts::TypeFact> Found = typeFactsOf(Function, Records);
    Result.Counts.Code.TypedFunctions += !Found.empty();
    for (const facts::TypeFact &Fact : Found)
      ByType.add(Fact, Gathered.Calls.intern(Fact.Function));
  };
  if (!Records.Functions.empty()) {
    Visit.WantsUses = IsTyped;
    Visit.Uses = AddTypes;
  }
  if (WantsCalls) {
    Visit.Calls = AddCalls;
    Visit.Export = AddExport;
    Visit.Tables = AddTables;
    Visit.Pointers = AddPointers;
  }
  if (Error E = readMachineFacts(
          Parts.Loaded, Parts.Symbols, Parts.Mini, *Result.File, Result.Image,
          [&](layout::LinkAddress A) {
            return Gathered.Known.contains(A.Value);
          },
          Visit, Result.Counts.Code))
    return E;
  if (Visit.Uses)
    Result.Types = std::move(ByType).finish();
  return Error::success();
}

/// The functions that are not known and that do not run at start-up only.
Error countUnspoken(const ElfParts &Parts, const GatheredFacts &Gathered,
                    Binary &Result) {
  auto Ignore = [](const facts::Fact &) {};
  CodeVisitor Visit{Ignore};
  Visit.Dead = &Gathered.Dead;
  CodeCounts Counts;
  Error E = readMachineFacts(
      Parts.Loaded, Parts.Symbols, Parts.Mini, *Result.File, Result.Image,
      [&](layout::LinkAddress A) { return Gathered.Known.contains(A.Value); },
      Visit, Counts);
  Result.Counts.Unspoken = Counts.DataUsers;
  return E;
}

} // namespace

Error readFacts(const ElfParts &Parts, StartUpCode StartUp,
                const ReadOptions &Options, Binary &Result) {
  GatheredFacts Gathered{layout::AccessJoin(Result.Image, StartUp.Functions)};
  if (!StartUp.GivenBack.empty()) {
    auto Once = findBetween(Parts.Symbols, facts::OnceBegin, facts::OnceEnd);
    if (!Once)
      return Once.takeError();
    Gathered.Accesses.setOnce(*Once);
  }
  for (layout::LinkAddress Address : StartUp.Functions)
    Gathered.Calls.markStartUp(Address);
  for (layout::AddressRange Code : StartUp.GivenBack)
    Gathered.Calls.markGivenBack(Code);
  if (Options.Facts != FactsFrom::Code) {
    if (Options.DeadCode == Unreached::Skip && Result.Files.Facts &&
        !Result.Unlinked && StartUp.GivenBack.empty()) {
      auto Found = findUnreachedFunctions(Parts.Loaded, Parts.Symbols,
                                          Parts.Mini, *Result.File);
      if (!Found)
        return Found.takeError();
      Gathered.Dead = std::move(*Found);
    }
    if (Error E = readCompilerFacts(Parts, Options.Types, Gathered, Result))
      return E;
    if (Gathered.Calls.hasCalls() &&
        (Result.Unlinked || !isExecutable(Parts.Loaded)))
      if (Error E = visitExports(Parts.Loaded, [&](layout::LinkAddress A) {
            Gathered.Calls.markExported(A);
          }))
        return E;
  }
  if (Options.Facts != FactsFrom::Compiler) {
    if (Error E = readCodeFacts(Parts, Options, Gathered, Result))
      return E;
  } else if (Options.CountsUnspoken && Result.HasFacts && !Result.Unlinked) {
    if (Error E = countUnspoken(Parts, Gathered, Result))
      return E;
  }
  if (Error E = finishCalls(std::move(Gathered.Calls), Parts, Result))
    return E;
  if (!Gathered.Pointers.empty()) {
    layout::JoinedPointers Joined =
        std::move(Gathered.Pointers)
            .join(Result.Calls, [&](const facts::Fact &Fact) {
              Gathered.Accesses.add(Fact);
            });
    Gathered.Accesses.setPassages(std::move(Joined.Passages));
    Result.Counts.Pointers = Joined.Counts;
  }
  std::vector<layout::AddressRange> Unowned = Gathered.Accesses.unownedBytes();
  if (!Unowned.empty())
    Result.Image =
        layout::nameUnowned(std::move(Result.Image), Unowned, Result.Names);
  Result.Accesses = std::move(Gathered.Accesses).finish();
  // Programs in other languages may get threads from a library whose functions
  // are not known to start any.
  const CodeCounts &Code = Result.Counts.Code;
  if ((Code.IsRust || Code.IsOfProcesses) && Code.StartsNoThread)
    Result.Accesses.markThreadless();
  if (Code.StartsInRust)
    Result.Accesses.markRust();
  if (Code.IsGo)
    Result.Accesses.markGo();
  Result.Accesses.settleOnceFlags(Result.Image, Result.Calls);
  Result.Accesses.settleThreadIndices(Result.Calls);
  return Error::success();
}

} // namespace linesman::input
