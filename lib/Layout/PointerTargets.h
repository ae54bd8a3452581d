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

#include "linesman/Layout/PointerTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace linesman::layout {

/// Where in which object a pointer points.
struct Target {
  uint64_t Object = 0;
  /// If it is constant.
  int64_t Offset = 0;
  bool HasOffset = false;
  /// It came through a member of a record that machine code has.
  bool IsByMember = false;

  std::optional<int64_t> offset() const {
    return HasOffset ? std::optional(Offset) : std::nullopt;
  }
  /// \p Distance bytes on; nothing when that is not known.
  void move(std::optional<int64_t> Distance) {
    HasOffset &= Distance.has_value();
    Offset = HasOffset ? Offset + *Distance : 0;
  }
  /// Its address, where that is known; 0 for others.
  uint64_t address() const { return HasOffset ? Object + uint64_t(Offset) : 0; }
};

/// What a place may point at.
struct Pointees {
  /// None if there are too many to tell of each.
  llvm::ArrayRef<Target> Targets;
  bool AreTooMany = false;
  /// It may point at something else, too.
  bool HaveOthers = true;
  /// Something else is seen to come there: what has no symbol.
  bool AreGivenOthers = true;
};

class Targets {
public:
  explicit Targets(const PointerTable &Table);

  /// Of the source of a use, if that is no parameter.
  Pointees of(const KeptUse &Use) const;

private:
  using Cell = uint32_t;
  static constexpr Cell NoCell = UINT32_MAX;
  static constexpr uint32_t NoFlow = UINT32_MAX;
  struct Flow {
    Cell Destination;
    bool IsLoad = false;
    bool HasShift = true;
    int64_t Shift = 0;
    std::optional<int64_t> shift() const {
      return HasShift ? std::optional(Shift) : std::nullopt;
    }
    /// Of the same cell.
    uint32_t Next = NoFlow;
  };
  /// What is stored or loaded at a distance from where a pointer points.
  struct FieldUse {
    Cell Moved;
    int64_t Distance;
    bool IsStore;
  };
  /// What only cells of machine code have.
  static constexpr uint32_t NoRecords = UINT32_MAX;
  struct RecordContent {
    /// Records without an address at link time: see recordOf.
    llvm::SmallVector<Target, 0> Records;
    llvm::SmallVector<FieldUse, 0> FieldUses;
  };
  /// One parameter, result, member or variable.
  struct Content {
    llvm::SmallVector<Target, 1> Targets;
    uint32_t Records = NoRecords;
    /// In the order in which they were found.
    uint32_t FirstFlow = NoFlow, LastFlow = NoFlow;
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
  static_assert(sizeof(Content) <= 64, "large programs have millions");
  /// The kind of origin, and what it is of: places that differ in no more than
  /// the names of one type have one.
  using Key = std::tuple<unsigned, uint64_t, int64_t>;

  Key keyOf(const Place &P) const;
  std::optional<Cell> find(const KeptUse &Use) const;
  Cell intern(const Key &Wanted);
  Cell internPlace(uint32_t Number);
  Cell internPointer(uint32_t Source);
  void addUse(const KeptUse &Use);
  void addThrough(const KeptUse &Use, Cell Moved);
  /// What a cell that nobody knows better points to, as an object: where it
  /// goes, what is stored there is found again.
  static uint64_t recordOf(Cell Pointer);
  static bool isRecord(const Target &T);
  void ask(Cell Pointer);
  void askAll();
  Cell placeIn(uint64_t Object, int64_t Offset);
  RecordContent &recordsOf(Cell Pointer);
  llvm::SmallVector<Target, 0> allTargets(Cell Pointer) const;
  void addFlow(Cell Source, Flow Edge);
  void link(Cell Source, Flow Edge);
  void meet(Cell Pointer);
  void markUnread();
  void connectVariables();
  void markEmpty();
  void include(Cell Owner, Target New);
  void wait(Cell For);
  void solve();
  void pass(Cell Source);

  const PointerTable &Table;
  /// Of all cells but those of parameters, which are found by their places.
  llvm::DenseMap<Key, Cell> CellOf;
  /// By place; NoCell for those that have none yet.
  std::vector<Cell> PlaceCells;
  /// By record, the number of its template: units that were compiled
  /// differently name one type differently.
  std::vector<uint32_t> Templates;
  std::vector<Content> Contents;
  /// Of all cells.
  std::vector<Flow> Flows;
  std::vector<RecordContent> RecordContents;
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
