// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All functions of a binary, in parallel, from bytes to facts. Work is cut into
// pieces of a fixed number of bytes and the results are put together in order:
// the output does not depend on the number of processors. A few pieces for each
// processor are one wave; after it their facts are handed over and their pages
// given back, so that memory does not grow with the code.

#include "MachineFacts.h"
#include "CodePointers.h"
#include "FileOrigin.h"
#include "FunctionTables.h"
#include "LockFlow.h"
#include "Sleepers.h"
#include "UnreachedCode.h"
#include "ValueGuards.h"
#include "WrittenRegisters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Parallel.h"
#include <mutex>
#include <tuple>

using namespace llvm;
using namespace linesman::layout;

namespace linesman::input {

namespace {

/// Bytes of code in one piece of work: a disassembler of LLVM's costs as much
/// to set up as it takes to decode some 50 KB.
constexpr uint64_t PieceSize = 1 << 20;
/// Pieces differ in how much of them must be decoded.
constexpr size_t PiecesPerThread = 2;

struct Piece {
  /// Positions of functions, [First, Last). Those that compiler facts speak for
  /// are among them, and left out.
  size_t First = 0, Last = 0;
  std::vector<facts::Fact> Facts;
  std::vector<FunctionCalls> Calls;
  /// Addresses in initialised data that its code forms.
  std::vector<uint64_t> References;
  /// Where its code puts addresses of objects.
  std::vector<CodePointerFacts> Pointers;
  CodeCounts Counts;
};

/// Runs before or after main only, by the names that GCC and clang give.
/// AccessJoin knows main itself and what .init_array says.
bool isInitializer(StringRef Name) {
  auto [Stem, Rest] = Name.split('.');
  // What a compiler split off runs when the whole does. The body of a parallel
  // region is none of that: a team of threads runs it.
  bool IsSplitOff =
      any_of(ArrayRef<StringRef>{"cold", "part", "isra", "constprop"},
             [Rest = Rest](StringRef Part) { return Rest.starts_with(Part); });
  return (Stem == "main" && IsSplitOff) || Stem == "__do_global_dtors_aux" ||
         Stem.starts_with("_GLOBAL__sub_I_") ||
         Stem.starts_with("_GLOBAL__sub_D_") ||
         // What Go hands to C to start with.
         Stem.starts_with("x_cgo_") || Stem.starts_with("_cgo_") ||
         Stem.starts_with("__cxx_global_var_init") ||
         Stem.starts_with("__cxx_global_array_dtor") ||
         Stem.contains("__static_initialization_and_destruction_0");
}

/// One fact an object, in the order of first access.
void addFacts(const CodeFunction &Function, ArrayRef<FoundAccess> Found,
              const CodeCalls &Calls, const CodeMap &Map,
              std::vector<facts::Fact> &Facts) {
  SmallDenseMap<uint64_t, size_t> FactOf;
  for (const FoundAccess &F : Found) {
    std::optional<AddressRange> Object = Map.objectAt(F.Address);
    uint64_t Start = Object ? Object->Begin.Value : F.Address;
    auto [It, IsNew] = FactOf.try_emplace(Start, Facts.size());
    if (IsNew) {
      facts::Fact &Fact = Facts.emplace_back();
      Fact.Function = Function.Range.Begin.Value;
      Fact.FunctionName = Function.Name;
      Fact.IsInitializer = isInitializer(Function.Name);
      Fact.Object = Start;
    }
    facts::Access A;
    A.Kind = F.Kind;
    if (!F.IsSomewhere) {
      A.Offset = F.Address - Start;
    } else if (F.Stride) {
      A.Stride = F.Stride;
      A.First = (F.Address - Start) % F.Stride;
      A.IsByThread = F.IsByThread;
    }
    A.Size = F.Size;
    A.Weight = F.Weight;
    A.Instruction = Function.Range.Begin.Value + F.Offset;
    A.StagesBefore = Calls.stagesBefore(F.Block, F.Offset);
    A.Stored = F.Stored;
    A.OnceFlag = F.OnceFlag;
    A.IsLocked = F.IsLocked;
    A.HeldLock = F.HeldLock;
    Facts[It->second].Accesses.push_back(A);
  }
}

/// What all pieces share.
struct Code {
  const Architecture &Arch;
  const CodeFunctions &Functions;
  const CodeMap &Map;
  function_ref<bool(LinkAddress)> HasFacts;
  LockCallees Locks;
  CallsWanted Calls;
  /// Where execution begins: not a caller of main, which it is given.
  uint64_t Entry;
  /// Parts that a compiler split off functions that have facts.
  DenseSet<uint64_t> ColdParts;
  /// By position; empty where it is not known.
  BitVector Unreached;
  /// The same by address, where they were known before; or null.
  const DenseSet<uint64_t> *Dead = nullptr;

  bool isUnreached(size_t Function) const {
    return (Function < Unreached.size() && Unreached[Function]) ||
           (Dead && Dead->contains(Functions.addressOf(Function).Value));
  }
};

/// A cold part has an address of its own, and its function's name.
void findColdParts(Code &Program) {
  const CodeFunctions &Functions = Program.Functions;
  if (!Functions.mayHaveNamesWith(".cold"))
    return;
  DenseMap<StringRef, SmallVector<uint64_t, 1>> Parts;
  for (size_t I = 0; I != Functions.size(); ++I) {
    if (Program.HasFacts(Functions.addressOf(I)))
      continue;
    StringRef Name = Functions.nameOf(I);
    size_t Dot = Name.find('.');
    if (Dot != StringRef::npos && Name.substr(Dot).contains(".cold"))
      Parts[Name.split(".cold").first].push_back(Functions.addressOf(I).Value);
  }
  if (Parts.empty())
    return;
  for (size_t I = 0; I != Functions.size(); ++I)
    if (Program.HasFacts(Functions.addressOf(I)))
      if (auto It = Parts.find(Functions.nameOf(I)); It != Parts.end())
        Program.ColdParts.insert_range(It->second);
}

/// A function's code, as it was read.
struct Reading {
  std::vector<Step> Steps;
  ControlFlow Flow;
  FoundFacts Found;
};

/// Whether a function can tell nothing: it returns from its only block, calls
/// nobody and names no address. What it does through its parameters is asked
/// for where an object is given to it (Rereader). In what is loaded where it
/// says, any number may be an address.
bool tellsNothing(ArrayRef<Step> Steps, const CodeMap &Map) {
  if (Map.isFixed() || Steps.empty() || Steps.back().Kind != StepKind::End ||
      Steps.back().Dst == NoRegister)
    return false;
  return none_of(Steps.drop_back(), [&](const Step &S) {
    switch (S.Kind) {
    case StepKind::Call:
    case StepKind::CallThrough:
    case StepKind::Jump:
    case StepKind::Branch:
    case StepKind::IndirectJump:
    case StepKind::End:
      return true;
    default:
      return S.Spot.IsAddress || S.Spot.IsOwn || Map.isFunction(S.Spot.Disp);
    }
  });
}

void follow(Reading &R, const CodeFunction &Function, const Code &Program,
            PointersWanted Pointers) {
  R.Flow = recoverControlFlow(R.Steps, Function, Program.Map);
  R.Found = followRegisters(R.Steps, R.Flow, Function, Program.Arch,
                            Program.Map, Program.Calls, Pointers);
  weighChanges(R.Steps, R.Flow, R.Found);
  markLocked(R.Steps, R.Flow, Program.Locks, R.Found);
}

void readPiece(Piece &P, const Code &Program,
               std::unique_ptr<StepDecoder> &Decoder) {
  Reading R;
  std::vector<Step> &Steps = R.Steps;
  WrittenRegisters Written(Program.Functions, Program.Arch, Program.Map,
                           BareReturns::Unknown);
  for (size_t I = P.First; I != P.Last; ++I) {
    LinkAddress Address = Program.Functions.addressOf(I);
    if (Program.isUnreached(I)) {
      ++P.Counts.Unreached;
      continue;
    }
    if (Program.HasFacts(Address) ||
        Program.ColdParts.contains(Address.Value)) {
      ++P.Counts.Skipped;
      continue;
    }
    CodeFunction Function = Program.Functions.unnamed(I);
    ++P.Counts.Functions;
    P.Counts.Bytes += Function.Bytes.size();
    if (Program.Calls == CallsWanted::No &&
        !Program.Arch.mayTouchData(Function.Bytes, Address.Value, Program.Map))
      continue;
    if (!Decoder)
      Decoder = Program.Arch.createDecoder(Program.Map);
    ++P.Counts.Decoded;
    Steps.clear();
    DecodeTrouble Trouble;
    Decoder->decode(Function.Bytes, Address.Value, Steps, Trouble);
    P.Counts.Undecodable += Trouble.Undecodable;
    if (tellsNothing(Steps, Program.Map))
      continue;
    Function.Name = Program.Functions.nameOf(I);
    if (Program.Calls == CallsWanted::Yes)
      for (const Step &S : Steps)
        if (S.Kind == StepKind::Add && S.Spot.IsAddress &&
            S.Spot.Base == NoRegister && Program.Map.isSlot(S.Spot.Disp))
          P.References.push_back(S.Spot.Disp);
    bool WantsPointers = Program.Calls == CallsWanted::Yes;
    const auto Wanted =
        WantsPointers ? PointersWanted::Addresses : PointersWanted::No;
    follow(R, Function, Program, Wanted);
    // Most need not know what their callees leave alone. Followed steps name
    // slots of the stack as registers, so they are read anew.
    if (R.Found.HandsPerhaps) {
      Steps.clear();
      Decoder->decode(Function.Bytes, Address.Value, Steps, Trouble);
      Written.narrow(Steps, *Decoder);
      follow(R, Function, Program, Wanted);
    }
    CodeCalls Calls(R.Flow, std::move(R.Found.Calls));
    size_t FactsBefore = P.Facts.size();
    addFacts(Function, R.Found.Accesses, Calls, Program.Map, P.Facts);
    // Who goes through the linker's own words uses no variable.
    P.Counts.DataUsers +=
        !Program.Map.isPltEntry(Address.Value) &&
        any_of(ArrayRef(P.Facts).drop_front(FactsBefore),
               [](const facts::Fact &F) { return !F.IsInitializer; });
    if (WantsPointers && R.Found.tellsOfPointers())
      P.Pointers.push_back(pointerFactsOf(Address.Value, R.Found, Calls));
    // Entries of the PLT call for their callers.
    bool IsCaller = Address.Value != Program.Entry &&
                    !Program.Map.isPltEntry(Address.Value);
    if (!IsCaller)
      continue;
    FunctionCalls Own{{{facts::FunctionRef::Address, Address.Value},
                       Calls.edges(),
                       std::move(R.Found.Takes),
                       R.Found.LeavesLock,
                       Calls.closures()},
                      Function.Name,
                      isInitializer(Function.Name),
                      neverReturns(R.Flow),
                      R.Found.LeavesLock,
                      std::move(R.Found.OwnFlagsSet)};
    if (!Own.Calls.Edges.empty() || Own.NeverReturns || Own.IsInitializer ||
        Own.LeavesLock || !Own.Calls.Takes.empty() || !Own.OwnFlagsSet.empty())
      P.Calls.push_back(std::move(Own));
  }
}

/// Reads functions once more: what is given the address of an object.
class Rereader {
public:
  explicit Rereader(const Code &Program) : Program(Program) {}

  std::optional<CodePointerFacts>
  read(uint64_t Address, BareReturns Returns = BareReturns::Unknown) {
    std::optional<size_t> Position = Program.Functions.find(Address);
    if (!Position || Program.HasFacts({Address}))
      return std::nullopt;
    std::unique_ptr<StepDecoder> One = take();
    CodeFunction Function = Program.Functions[*Position];
    Reading R;
    DecodeTrouble Trouble;
    One->decode(Function.Bytes, Address, R.Steps, Trouble);
    WrittenRegisters(Program.Functions, Program.Arch, Program.Map, Returns)
        .narrow(R.Steps, *One);
    giveBack(std::move(One));
    follow(R, Function, Program, PointersWanted::All);
    CodeCalls Calls(R.Flow, std::move(R.Found.Calls));
    return pointerFactsOf(Address, R.Found, Calls);
  }

  /// For types: also marks calls that are given a lock. In a kernel parameters
  /// are known only where the call that each function begins with is known to
  /// return. For the join of addresses that is left unknown: what lock
  /// functions do with a lock's words where they wait would come first (tried),
  /// and each lock is an object there already.
  std::optional<CodePointerFacts> readWithLocks(uint64_t Address) {
    std::optional<CodePointerFacts> Found = read(Address, BareReturns::Known);
    if (Found)
      for (facts::PointerUse &Use : Found->Facts.Uses)
        if (Use.Kind == facts::PointerUse::Handed && Use.Parameter == 0 &&
            Use.Callee.Kind == facts::FunctionRef::Address)
          Use.IsLock =
              Program.Locks.useOf(Use.Callee.Value) != facts::LockUse::None;
    return Found;
  }

private:
  const Code &Program;
  std::mutex Lock;
  std::vector<std::unique_ptr<StepDecoder>> Decoders;

  std::unique_ptr<StepDecoder> take() {
    std::lock_guard<std::mutex> Guard(Lock);
    if (Decoders.empty())
      return Program.Arch.createDecoder(Program.Map);
    std::unique_ptr<StepDecoder> One = std::move(Decoders.back());
    Decoders.pop_back();
    return One;
  }
  void giveBack(std::unique_ptr<StepDecoder> One) {
    std::lock_guard<std::mutex> Guard(Lock);
    Decoders.push_back(std::move(One));
  }
};

/// In waves, so that memory does not grow with the code.
void visitUses(const Code &Program, const CodeVisitor &Visit) {
  constexpr size_t FunctionsPerWave = 4096;
  Rereader Reader(Program);
  std::vector<uint64_t> Wanted;
  auto VisitWanted = [&] {
    std::vector<std::optional<CodePointerFacts>> Found(Wanted.size());
    parallelFor(0, Wanted.size(),
                [&](size_t I) { Found[I] = Reader.readWithLocks(Wanted[I]); });
    for (const auto &Context : Found)
      if (Context)
        Visit.Uses(Context->Facts);
    Wanted.clear();
  };
  for (size_t I = 0; I != Program.Functions.size(); ++I) {
    LinkAddress Address = Program.Functions.addressOf(I);
    if (Visit.WantsUses(Address))
      Wanted.push_back(Address.Value);
    if (Wanted.size() == FunctionsPerWave)
      VisitWanted();
  }
  VisitWanted();
}

bool hasMain(const CodeFunctions &Functions) {
  return any_of(seq(Functions.size()),
                [&](size_t I) { return Functions.nameOf(I) == "main"; });
}

/// Whether the program's main is one that Rust's compiler makes. Where the
/// linker optimises, what the library does first is in it: the number of the
/// thread comes before the arguments, in three programs within 90 bytes.
bool startsInRust(const CodeFunctions &Functions, const Architecture &Arch) {
  constexpr size_t FirstBytes = 128;
  return any_of(seq(Functions.size()), [&](size_t I) {
    return Functions.nameOf(I) == "main" &&
           Arch.widensArgument(Functions.codeFrom(Functions.addressOf(I).Value)
                                   .take_front(FirstBytes));
  });
}

/// Where main is in a binary without symbols: _start, where execution begins,
/// hands it to __libc_start_main as the first argument.
std::optional<uint64_t> findMain(uint64_t Entry, const Architecture &Arch,
                                 const CodeFunctions &Functions,
                                 const CodeMap &Map) {
  // Of any C library; no instruction of it is behind that.
  constexpr uint64_t MostBytes = 128;
  std::optional<size_t> Start = Functions.find(Entry);
  // A stripped program can export _start, and not main.
  if (Start && !Functions.nameOf(*Start).empty() && hasMain(Functions))
    return std::nullopt;
  CodeFunction Function;
  if (Start)
    Function = Functions[*Start];
  else
    Function.Bytes = Functions.codeFrom(Entry);
  Function.Bytes = Function.Bytes.take_front(MostBytes);
  Function.Range = {{Entry}, {Entry + Function.Bytes.size()}};
  if (Function.Bytes.empty())
    return std::nullopt;
  std::unique_ptr<StepDecoder> Decoder = Arch.createDecoder(Map);
  std::vector<Step> Steps;
  DecodeTrouble Trouble;
  Decoder->decode(Function.Bytes, Entry, Steps, Trouble);
  ControlFlow Flow = recoverControlFlow(Steps, Function, Map);
  std::optional<uint64_t> Main = findHandedToFirstCall(Steps, Flow, Arch, Map);
  if (!Main || Functions.codeFrom(*Main).empty())
    return std::nullopt;
  // AArch64's start-up file for fixed addresses hands over a jump to main.
  Steps.clear();
  Decoder->decode(Functions.codeFrom(*Main).take_front(MostBytes), *Main, Steps,
                  Trouble);
  if (!Steps.empty() && Steps.front().Kind == StepKind::Jump)
    return Steps.front().Spot.Disp;
  return Main;
}

/// By the names that it has or uses: a start of a thread is a library's. Rust's
/// runtime asks who the thread is in every program, and starts others by one
/// function. A program of processes has their locks.
bool mayStartThreads(const CodeFunctions &Functions, const CodeCounts &Counts) {
  static constexpr StringRef Any[] = {"hread", "thrd_create", "GOMP_",
                                      "__kmpc_"};
  static constexpr StringRef Sure[] = {"hread_create", "hread_new",
                                       "GOMP_",        "M_start_thread",
                                       "__kmpc_",      "thrd_create"};
  static constexpr StringRef Rusts[] = {"pthread_create", "thrd_create",
                                        "GOMP_", "__kmpc_"};
  ArrayRef<StringRef> Names = Counts.IsRust          ? ArrayRef(Rusts)
                              : Counts.IsOfProcesses ? ArrayRef(Sure)
                                                     : ArrayRef(Any);
  return any_of(
      Names, [&](StringRef Name) { return Functions.mayHaveNamesWith(Name); });
}

uint64_t bytesOf(const CodeFunctions &Functions) {
  uint64_t Bytes = 0;
  for (size_t I = 0; I != Functions.size(); ++I)
    Bytes += Functions.sizeOf(I);
  return Bytes;
}

/// The piece that begins with the function at \p First.
Piece cutPiece(const CodeFunctions &Functions, size_t First) {
  Piece P;
  P.First = P.Last = First;
  for (uint64_t Bytes = 0; P.Last != Functions.size() && Bytes < PieceSize;)
    Bytes += Functions.sizeOf(P.Last++);
  return P;
}

} // namespace

Error readMachineFacts(const ElfFile &Elf, const ElfFile &Symbols,
                       const ElfFile *Mini, const MemoryBuffer &File,
                       const Image &Owner,
                       function_ref<bool(LinkAddress)> HasFacts,
                       CodeVisitor Visit, CodeCounts &Counts) {
  std::unique_ptr<Architecture> Arch =
      createArchitecture(Elf.getHeader().e_machine);
  if (!Arch)
    return Error::success();
  Counts.IsRead = true;
  Expected<bool> IsGo = isMadeByGo(Elf);
  if (!IsGo)
    return IsGo.takeError();
  Counts.IsGo = *IsGo;
  Expected<bool> IsRust = hasRustRuntime(Elf);
  if (!IsRust)
    return IsRust.takeError();
  Counts.IsRust = *IsRust;
  Expected<CodeFunctions> Functions =
      readCodeFunctions(Elf, Symbols, Mini, File);
  if (!Functions)
    return Functions.takeError();
  giveBack(File); // the symbol table
  Counts.Overlapping = Functions->counts().Overlapping;
  Counts.Stray = Functions->counts().Stray;
  Counts.CodeBytes = Functions->counts().Bytes;
  Counts.NobodysBytes = Functions->counts().Nobodys;
  Expected<CodeMap> Map = CodeMap::create(Elf, *Arch, Owner, *Functions);
  if (!Map)
    return Map.takeError();
  giveBack(File); // relocations, and symbols that they name
  if (Counts.IsRust)
    Map->expectClosures();
  if (std::optional<uint64_t> Main =
          findMain(Elf.getHeader().e_entry, *Arch, *Functions, *Map))
    Functions->nameMain(*Main);
  Counts.StartsInRust = Counts.IsRust && startsInRust(*Functions, *Arch);
  // A library has no entry; searching its names would take longer.
  bool IsProgram = Elf.getHeader().e_entry != 0 && !hasLibraryName(Elf);
  Counts.IsOfProcesses = IsProgram &&
                         Functions->mayHaveNamesWith("attr_setpshared") &&
                         Functions->mayHaveNamesWith("fork");
  Counts.StartsNoThread = IsProgram && !mayStartThreads(*Functions, Counts);
  Expected<bool> IsKernel = isKernel(Elf);
  if (!IsKernel)
    return IsKernel.takeError();
  bool KnowsWhoRuns =
      Visit.Calls &&
      (*IsKernel || (IsProgram ? !Counts.StartsNoThread && hasMain(*Functions)
                               : bytesOf(*Functions) <= MostLibraryCode));
  if (KnowsWhoRuns && !IsProgram && Visit.Export) {
    if (Error E = visitExports(Elf, Visit.Export))
      return E;
    giveBack(File); // the dynamic symbols
  }
  Map->expectSleepers(findSleepers(*Functions, *Arch, *Map));
  Code Program{*Arch,
               *Functions,
               *Map,
               HasFacts,
               LockCallees(*Functions, *Arch, *Map),
               KnowsWhoRuns ? CallsWanted::Yes : CallsWanted::No,
               Elf.getHeader().e_entry,
               {},
               {},
               Visit.Dead};
  findColdParts(Program);
  giveBack(File); // names
  // Go finds functions in tables of its own, and objects have no addresses in
  // their code yet.
  if (Visit.DeadCode == Unreached::Skip && KnowsWhoRuns && !*IsKernel &&
      !Counts.IsGo && Elf.getHeader().e_phnum) {
    Expected<BitVector> Dead =
        findUnreachedCode(Elf, File, *Arch, *Functions, Map->isFixed());
    if (!Dead)
      return Dead.takeError();
    Program.Unreached = std::move(*Dead);
  }

  std::vector<std::unique_ptr<StepDecoder>> Decoders(
      PiecesPerThread * std::max<size_t>(parallel::getThreadCount(), 1));
  std::vector<uint64_t> References;
  CodePointers Pointers;
  for (size_t Next = 0; Next != Functions->size();) {
    std::vector<Piece> Wave;
    while (Wave.size() != Decoders.size() && Next != Functions->size()) {
      Wave.push_back(cutPiece(*Functions, Next));
      Next = Wave.back().Last;
    }
    parallelFor(0, Wave.size(),
                [&](size_t I) { readPiece(Wave[I], Program, Decoders[I]); });
    for (Piece &P : Wave) {
      for (CodePointerFacts &Context : P.Pointers)
        Pointers.add(std::move(Context));
      Counts.Functions += P.Counts.Functions;
      Counts.Skipped += P.Counts.Skipped;
      Counts.Unreached += P.Counts.Unreached;
      Counts.Bytes += P.Counts.Bytes;
      Counts.Decoded += P.Counts.Decoded;
      Counts.Undecodable += P.Counts.Undecodable;
      Counts.DataUsers += P.Counts.DataUsers;
      for_each(P.Facts, Visit.Fact);
      if (KnowsWhoRuns)
        for (const FunctionCalls &Calls : P.Calls) {
          Visit.Calls(Calls);
          Pointers.addCalls(Calls.Calls);
        }
      append_range(References, P.References);
    }
    giveBack(File);
  }
  if (KnowsWhoRuns && Visit.Pointers) {
    Pointers.addInitial(*Map);
    Rereader Reader(Program);
    Pointers.join([&](uint64_t Address) { return Reader.read(Address); },
                  Visit.Pointers);
    giveBack(File);
  }
  if (Visit.Uses) {
    visitUses(Program, Visit);
    giveBack(File);
  }
  if (KnowsWhoRuns && Visit.Tables)
    Visit.Tables(findFunctionTables(*Map, std::move(References)));
  return Error::success();
}

} // namespace linesman::input
