// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All functions of a binary, in parallel, from bytes to facts. Work is cut into
// pieces of a fixed number of bytes and the results are put together in order:
// the output does not depend on the number of processors.

#include "MachineFacts.h"
#include "RegisterFlow.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Parallel.h"
#include <tuple>

using namespace llvm;
using namespace linesman::layout;

namespace linesman::input {

namespace {

/// Bytes of code in one piece of work: a disassembler of LLVM's costs as much
/// to set up as it takes to decode some 50 KB.
constexpr uint64_t PieceSize = 1 << 20;

struct Piece {
  /// Those that compiler facts speak for are among them, and left out.
  ArrayRef<CodeFunction> Functions;
  std::vector<facts::Fact> Facts;
  CodeCounts Counts;
};

/// Runs before or after main only, by the names that GCC and clang give.
/// AccessJoin knows main itself and what .init_array says.
bool isInitializer(StringRef Name) {
  // What a compiler split off runs when the whole does.
  StringRef Stem = Name.split('.').first;
  return (Stem == "main" && Stem != Name) || Stem == "__do_global_dtors_aux" ||
         Stem.starts_with("_GLOBAL__sub_I_") ||
         Stem.starts_with("_GLOBAL__sub_D_") ||
         Stem.starts_with("__cxx_global_var_init") ||
         Stem.starts_with("__cxx_global_array_dtor") ||
         Stem.contains("__static_initialization_and_destruction_0");
}

/// One fact an object, in the order of first access.
void addFacts(const CodeFunction &Function, ArrayRef<FoundAccess> Found,
              const CodeMap &Map, std::vector<facts::Fact> &Facts) {
  size_t First = Facts.size();
  for (const FoundAccess &F : Found) {
    std::optional<AddressRange> Object = Map.objectAt(F.Address);
    uint64_t Start = Object ? Object->Begin.Value : F.Address;
    auto It = std::find_if(
        Facts.begin() + First, Facts.end(),
        [&](const facts::Fact &Fact) { return Fact.Object == Start; });
    if (It == Facts.end()) {
      facts::Fact &Fact = Facts.emplace_back();
      Fact.Function = Function.Range.Begin.Value;
      Fact.FunctionName = Function.Name;
      Fact.IsInitializer = isInitializer(Function.Name);
      Fact.Object = Start;
      It = std::prev(Facts.end());
    }
    facts::Access A;
    A.Kind = F.Kind;
    if (!F.IsSomewhere)
      A.Offset = F.Address - Start;
    A.Size = F.Size;
    A.Weight = F.Weight;
    A.Instruction = Function.Range.Begin.Value + F.Offset;
    It->Accesses.push_back(A);
  }
}

void readPiece(Piece &P, const Architecture &For, const CodeMap &Map,
               function_ref<bool(const CodeFunction &)> HasFacts) {
  std::unique_ptr<StepDecoder> Decoder;
  std::vector<Step> Steps;
  for (const CodeFunction &Function : P.Functions) {
    if (HasFacts(Function)) {
      ++P.Counts.Skipped;
      continue;
    }
    ++P.Counts.Functions;
    P.Counts.Bytes += Function.Bytes.size();
    if (!For.mayTouchData(Function.Bytes, Function.Range.Begin.Value, Map))
      continue;
    if (!Decoder)
      Decoder = For.createDecoder(Map);
    ++P.Counts.Decoded;
    Steps.clear();
    DecodeTrouble Trouble;
    Decoder->decode(Function.Bytes, Function.Range.Begin.Value, Steps, Trouble);
    P.Counts.Undecodable += Trouble.Undecodable;
    ControlFlow Flow = recoverControlFlow(Steps, Function, Map);
    addFacts(Function, followRegisters(Steps, Flow, For, Map), Map, P.Facts);
  }
}

std::vector<Piece> cutIntoPieces(ArrayRef<CodeFunction> Functions) {
  std::vector<Piece> Pieces;
  while (!Functions.empty()) {
    size_t Count = 0;
    for (uint64_t Bytes = 0; Count != Functions.size() && Bytes < PieceSize;)
      Bytes += Functions[Count++].Bytes.size();
    Pieces.push_back({Functions.take_front(Count), {}, {}});
    Functions = Functions.drop_front(Count);
  }
  return Pieces;
}

} // namespace

Error readMachineFacts(const ElfFile &Elf, const Image &Of,
                       function_ref<bool(const CodeFunction &)> HasFacts,
                       function_ref<void(const facts::Fact &)> Visit,
                       CodeCounts &Counts) {
  std::unique_ptr<Architecture> For =
      createArchitecture(Elf.getHeader().e_machine);
  if (!For)
    return Error::success();
  Counts.IsRead = true;
  Expected<CodeFunctions> Read = readCodeFunctions(Elf);
  if (!Read)
    return Read.takeError();
  Counts.Overlapping = Read->Counts.Overlapping;
  Counts.Stray = Read->Counts.Stray;
  Expected<CodeMap> Map = CodeMap::create(Elf, Of, Read->Functions);
  if (!Map)
    return Map.takeError();

  std::vector<Piece> Pieces = cutIntoPieces(Read->Functions);
  parallelFor(0, Pieces.size(),
              [&](size_t I) { readPiece(Pieces[I], *For, *Map, HasFacts); });
  for (const Piece &P : Pieces) {
    Counts.Functions += P.Counts.Functions;
    Counts.Skipped += P.Counts.Skipped;
    Counts.Bytes += P.Counts.Bytes;
    Counts.Decoded += P.Counts.Decoded;
    Counts.Undecodable += P.Counts.Undecodable;
    Counts.Facts += count_if(
        P.Facts, [](const facts::Fact &F) { return !F.IsInitializer; });
    for_each(P.Facts, Visit);
  }
  return Error::success();
}

} // namespace linesman::input
