// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A role while it is looked for: where it enters the graph, and which callbacks
// it may run.

#ifndef LINESMAN_LIB_LAYOUT_ROLEDRAFT_H
#define LINESMAN_LIB_LAYOUT_ROLEDRAFT_H

#include "Propagate.h"
#include "linesman/Layout/Roles.h"
#include "llvm/ADT/STLExtras.h"
#include <bitset>
#include <map>
#include <optional>
#include <set>

namespace linesman::layout {

/// A function whose address was taken, perhaps for another thread.
struct Callback {
  NodeIndex Function;
  uint8_t Signature;
  /// See facts::CallEdge.
  uint8_t Declared;
  /// A library was given it, and nobody of this binary can call it.
  bool IsLibrarys;
  auto operator<=>(const Callback &) const = default;
};

/// The calls through pointers that a role makes.
class PointerCalls {
public:
  void add(uint8_t Signature, uint8_t Declared) {
    Any.set(Signature);
    if (Declared)
      Known.insert({Signature, Declared});
    else
      Undeclared.set(Signature);
  }
  bool operator[](uint8_t Signature) const { return Any[Signature]; }
  /// Whether one of them can be of a pointer that is kept like this. What is
  /// not known to be declared may be declared in any way.
  bool canMean(uint8_t Signature, uint8_t Declared) const {
    return Any[Signature] && (!Declared || Undeclared[Signature] ||
                              Known.count({Signature, Declared}));
  }

private:
  std::bitset<256> Any, Undeclared;
  std::set<std::pair<uint8_t, uint8_t>> Known;
};

/// A role as it is found.
struct Draft {
  Role Drafted;
  std::vector<Seed> Seeds;
  /// Of the seeds that are callbacks: their positions in Seeds, by the
  /// signature of the calls that may mean them.
  std::map<uint8_t, std::vector<size_t>> Attached = {};
  /// Of the seeds, those that are no guess come first.
  size_t Certain = 0;
  /// What the first seeds reach, how many they are, and the signatures of the
  /// calls through pointers there.
  std::vector<bool> Reached = {};
  size_t Followed = 0;
  PointerCalls Calls = {};

  /// Whether it makes a call that can mean a pointer that is kept as
  /// \p Signature and \p Declared say. Of machine code, what was handed to
  /// somebody is kept in a record from then on, and nobody knows where in it.
  bool canMean(uint8_t Signature, uint8_t Declared, bool HasSlots) const {
    if (!HasSlots)
      return Calls.canMean(Signature, Declared);
    if (Calls[Signature] || Signature != SlotSignature::Handed)
      return Calls[Signature];
    for (unsigned Slot = SlotSignature::FirstOfRecords;
         Slot != SlotSignature::FirstOfVariables; ++Slot)
      if (Calls[Slot])
        return true;
    return false;
  }
};

/// One call of a pointer is of one function. Types are few functions each; a
/// place in a record is hundreds, most of which the role never calls.
inline void splitAttached(Draft &D, double Share) {
  for (const auto &[Signature, Positions] : D.Attached)
    for (size_t I : Positions)
      D.Seeds[I].Weight = Share / double(Positions.size());
}

/// The stage of the loop in which a function makes most calls. An endless loop
/// counts one turn, and one that only tries a call again makes that one.
inline std::optional<uint32_t> stageOfLoop(const GraphNode &Node) {
  std::map<uint32_t, double> Calls;
  for (const GraphEdge &E : Node.Edges)
    if (E.InLoop && E.Kind != facts::CallKind::Address)
      Calls[E.Stage] += E.Weight;
  auto Most = llvm::max_element(
      Calls, [](const auto &A, const auto &B) { return A.second < B.second; });
  if (Most == Calls.end() || Most->second <= 1)
    return std::nullopt;
  return Most->first;
}

} // namespace linesman::layout

#endif // LINESMAN_LIB_LAYOUT_ROLEDRAFT_H
