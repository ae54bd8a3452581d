// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Without symbols an object begins where something refers to it. One whose
// pattern of pointers repeats is an array of records: distances count from the
// record. A vtable is referred to behind its two first words.

#include "FunctionTables.h"
#include "llvm/ADT/STLExtras.h"
#include <set>

using namespace llvm;

namespace linesman::input {

namespace {

/// Bytes of a record of an array at most, and records of an array at least.
constexpr uint64_t MostStride = 1024, LeastRecords = 3;
/// Pointers of one object that its pattern is looked for in.
constexpr size_t MostLooked = 256;

/// The distance at which the pattern of pointers repeats; 0 where it does not.
uint64_t findStride(ArrayRef<uint64_t> Pointers) {
  assert(!Pointers.empty() && is_sorted(Pointers) && "it is searched");
  Pointers = Pointers.take_front(MostLooked);
  uint64_t First = Pointers.front(), Span = Pointers.back() - First;
  for (uint64_t Stride = 8; Stride <= MostStride; Stride += 8) {
    if (Span < Stride * (LeastRecords - 1))
      return 0;
    size_t Repeated = 0, Looked = 0;
    for (uint64_t P : Pointers) {
      if (P + Stride > Pointers.back())
        break;
      ++Looked;
      Repeated += llvm::binary_search(Pointers, P + Stride);
    }
    // Some fields are null in some records.
    if (Looked && Repeated * 4 >= Looked * 3)
      return Stride;
  }
  return 0;
}

} // namespace

std::vector<facts::CallEdge>
findFunctionTables(const CodeMap &Map, std::vector<uint64_t> References) {
  // Of a shared object most slots lead to variables, and often all do.
  bool HasFunctions = false;
  Map.forEachPointer([&](uint64_t, uint64_t Target) {
    HasFunctions |= Map.isFunction(Target);
  });
  if (!HasFunctions)
    return {};
  std::vector<std::pair<uint64_t, uint64_t>> Pointers; // where, what
  Map.forEachPointer([&](uint64_t Address, uint64_t Target) {
    Pointers.push_back({Address, Target});
    References.push_back(Target);
  });
  llvm::sort(Pointers);
  llvm::sort(References);
  References.erase(llvm::unique(References), References.end());

  std::set<std::pair<uint64_t, uint8_t>> Slots;
  for (size_t I = 0; I != Pointers.size();) {
    // Pointers of one object.
    auto After = llvm::upper_bound(References, Pointers[I].first);
    uint64_t Begin =
        After == References.begin() ? Pointers[I].first : *std::prev(After);
    uint64_t End = After == References.end() ? UINT64_MAX : *After;
    SmallVector<uint64_t, 16> Places;
    size_t First = I;
    for (; I != Pointers.size() && Pointers[I].first < End; ++I)
      Places.push_back(Pointers[I].first);
    uint64_t Stride = findStride(Places);
    for (auto [Found, Target] : ArrayRef(Pointers).slice(First, I - First)) {
      if (!Map.isFunction(Target))
        continue;
      uint64_t Distance = Found - Begin;
      if (Stride)
        Distance %= Stride;
      Slots.insert({Target, layout::SlotSignature::inRecord(Distance)});
      // A variable that is a pointer, and a call that names the whole.
      Slots.insert({Target, layout::SlotSignature::inVariable(Found)});
    }
  }
  std::vector<facts::CallEdge> Edges;
  for (auto [Function, Slot] : Slots) {
    facts::CallEdge &E = Edges.emplace_back();
    E.Kind = facts::CallKind::Address;
    E.Callee = {facts::FunctionRef::Address, Function};
    E.Signature = Slot;
  }
  return Edges;
}

} // namespace linesman::input
