// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which objects a member, a variable or a result may point at: inclusion,
// solved for addresses of objects that have one at link time. Members are told
// apart by type and offset, whatever object they are of (Heintze and Tardieu,
// Ultra-fast aliasing analysis using CLA, PLDI 2001).
//
//     return &nil               {nil} in result of nilItem
//     node->next = nilItem()    result of nilItem in Node+8
//     node->next->owner = ...   Node+8 may be nil

#ifndef LINESMAN_LIB_LAYOUT_POINTERTARGETS_H
#define LINESMAN_LIB_LAYOUT_POINTERTARGETS_H

#include "linesman/Layout/PointerJoin.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace linesman::layout {

/// Where in which object a pointer points.
struct Target {
  uint64_t Object = 0;
  /// Nothing when it is not constant.
  std::optional<int64_t> Offset;
  /// It came through a member of a record that machine code has.
  bool IsByMember = false;
};

class Targets {
public:
  explicit Targets(const GraphUses &Uses);

  /// What a use that is not of a parameter may be of, without its own offset.
  llvm::ArrayRef<Target> of(const GraphUse &Use) const;
  /// Whether there are so many that none is told.
  bool areTooMany(const GraphUse &Use) const;
  /// Whether it may be something else, too.
  bool hasOthers(const GraphUse &Use) const;
  /// Whether something else is seen to come there, too: what has no symbol.
  bool isGivenOthers(const GraphUse &Use) const;

private:
  using Cell = uint32_t;
  struct Flow {
    Cell Destination;
    std::optional<int64_t> Shift;
    bool IsLoad = false;
  };
  /// What is stored or loaded at a distance from where a pointer points.
  struct Through {
    Cell Moved;
    int64_t Distance;
    bool IsStore;
  };
  /// One parameter, result, member or variable.
  struct Content {
    llvm::SmallVector<Target, 0> Targets;
    /// Records without an address at link time: see recordOf.
    llvm::SmallVector<Target, 0> Records;
    llvm::SmallVector<Flow, 0> Flows;
    llvm::SmallVector<Through, 0> Throughs;
    bool HasOthers = false;
    bool IsGivenOthers = false;
    bool IsWaiting = false;
    /// What a function returns.
    bool IsResult = false;
    /// A pointer to a record in which an address is put.
    bool IsAsked = false;
    /// Too many: it may be anything.
    bool IsFull = false;
  };
  /// The kind of origin, and what it is of.
  using Key = std::tuple<unsigned, uint64_t, int64_t>;

  /// \p Unknown stands for the offset in a variable where that is not known.
  Key keyOf(const facts::Origin &Start, NodeIndex User, NodeIndex Function,
            int64_t Unknown) const;
  std::optional<Cell> find(const GraphUse &Use) const;
  Cell intern(const Key &Wanted);
  Cell internPointer(const facts::Origin &Source, NodeIndex Owner,
                     NodeIndex Function);
  void addThrough(const GraphUse &U, Cell Moved);
  /// What a cell that nobody knows better points to, as an object: where it
  /// goes, what is stored there is found again.
  static uint64_t recordOf(Cell Pointer);
  static bool isRecord(const Target &T);
  void ask(Cell Pointer);
  void askAll();
  Cell placeIn(uint64_t Object, int64_t Offset);
  void link(Cell Source, Flow Into);
  void meet(Cell Pointer);
  void markUnread();
  void internRecord(llvm::StringRef Name);
  void connectVariables();
  void markEmpty();
  void include(Cell Into, Target New);
  void wait(Cell For);
  void solve();

  llvm::DenseMap<Key, Cell> CellOf;
  /// By the name that facts have, and by the template's: units that were
  /// compiled differently name one type differently.
  llvm::StringMap<uint64_t> Records, Templates;
  std::vector<Content> Contents;
  std::vector<Cell> Waiting;
  /// Until all that are asked for are known: those to look at, and what each
  /// cell is given by calls and loaded from.
  std::vector<Cell> Asked;
  llvm::DenseMap<Cell, llvm::SmallVector<Cell, 2>> GivenBy, LoadedFrom;
  llvm::DenseSet<std::pair<Cell, Cell>> Linked;
  /// Records that are only known as what a place in another one points to; what
  /// those point to in turn is not told apart.
  llvm::DenseSet<uint64_t> PlaceRecords;
};

} // namespace linesman::layout

#endif // LINESMAN_LIB_LAYOUT_POINTERTARGETS_H
