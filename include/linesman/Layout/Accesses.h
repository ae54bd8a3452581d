// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts joined to the image: who does what to which occupant. The join is by
// address; names are for people.

#ifndef LINESMAN_LAYOUT_ACCESSES_H
#define LINESMAN_LAYOUT_ACCESSES_H

#include "linesman/Facts/Facts.h"
#include "linesman/Layout/Image.h"

namespace linesman::layout {

/// Who runs a function: decides which accesses can meet on a line.
///
/// This is the place of "who runs what". Today it knows two answers; roles with
/// their thread entry points and weights come here, and mayRunTogether stays
/// the only question that the score asks.
enum class Role : uint8_t {
  /// Before other threads exist, or after: static initialisers, the targets of
  /// .init_array and .fini_array, main itself.
  StartUp,
  /// On any number of threads.
  Concurrent,
};

/// Whether accesses of the two roles can be on different threads at one time.
/// A role can meet itself: two threads run the same code.
inline bool mayRunTogether(Role A, Role B) {
  return A == Role::Concurrent && B == Role::Concurrent;
}

struct Function {
  LinkAddress Address;
  llvm::StringRef Name;
  Role RunBy = Role::Concurrent;
};

/// One access to one object.
struct ObjectAccess {
  /// Index into AccessTable::functions().
  uint32_t Function = 0;
  facts::AccessKind Kind = facts::AccessKind::Read;
  /// From the start of the object's symbol; nothing for "somewhere in it".
  std::optional<uint64_t> Offset;
  /// Bytes touched at once; 0 is "not known".
  uint64_t Size = 0;
  /// Executions per entry of the function (see facts::Access), or a profile's
  /// count.
  double Weight = 0;
  llvm::StringRef File;
  uint32_t Line = 0;
  /// Where the instruction is; 0 unless the fact comes from machine code.
  LinkAddress Instruction;

  bool writes() const { return Kind != facts::AccessKind::Read; }
};

/// An object and all that is known to touch it.
struct AccessedObject {
  /// Index into Image::symbols().
  uint32_t Symbol = 0;
  /// Where it is declared; empty and 0 when that is not known.
  llvm::StringRef DeclFile;
  uint32_t DeclLine = 0;
  /// In the table's keeping; in the order of the file, for each alias.
  llvm::ArrayRef<ObjectAccess> Accesses;
};

/// What the join met: nothing is dropped silently.
struct JoinCounts {
  /// Facts about objects that nobody writes after start, and about
  /// thread-local ones: they cannot be hazards.
  uint64_t NotShared = 0;
  /// Facts whose address no symbol owns.
  uint64_t Unplaced = 0;
};

class AccessTable {
public:
  AccessTable() = default;
  AccessTable(AccessTable &&) = default;
  AccessTable &operator=(AccessTable &&) = default;

  llvm::ArrayRef<Function> functions() const { return Functions; }
  /// By symbol index, which is address order.
  llvm::ArrayRef<AccessedObject> objects() const { return Objects; }
  const JoinCounts &counts() const { return Counts; }
  bool empty() const { return Objects.empty(); }
  /// Whether an access can meet any other: start-up code can not.
  bool isConcurrent(const ObjectAccess &Access) const {
    return mayRunTogether(Functions[Access.Function].RunBy, Role::Concurrent);
  }
  /// Null when nothing is known to touch the symbol.
  const AccessedObject *find(uint32_t Symbol) const;

private:
  friend class AccessJoin;
  std::vector<Function> Functions;
  std::vector<AccessedObject> Objects;
  /// Of all objects, one after the other.
  std::vector<ObjectAccess> Accesses;
  /// By symbol: one more than its place in Objects, or 0.
  std::vector<uint32_t> Places;
  JoinCounts Counts;
};

/// Collects facts, then joins them.
class AccessJoin {
public:
  /// \p StartUp are the functions that the binary itself says run before or
  /// after main (.init_array and its kin), sorted.
  AccessJoin(const Image &Of, std::vector<LinkAddress> StartUp);

  void add(const facts::Fact &Fact);
  AccessTable finish() &&;

private:
  const Image &Of;
  std::vector<LinkAddress> StartUp;
  AccessTable Table;

  /// A fact to be joined.
  struct Pending {
    LinkAddress Object;
    llvm::StringRef DeclFile;
    uint32_t DeclLine;
    /// The accesses in Table.Accesses.
    uint32_t First, Count;
    bool IsPlaced = false;
  };
  std::vector<Pending> Facts;

  uint32_t internFunction(const facts::Fact &Fact);
  std::optional<OccupantIndex> findObject(LinkAddress Address,
                                          OccupantIndex &Near);
};

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_ACCESSES_H
