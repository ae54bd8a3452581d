// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts joined to the image: who does what to which occupant. The join is by
// address; names are for people.

#ifndef LINESMAN_LAYOUT_ACCESSES_H
#define LINESMAN_LAYOUT_ACCESSES_H

#include "linesman/Facts/Facts.h"
#include "linesman/Layout/Image.h"
#include "linesman/Layout/PointerJoin.h"
#include "linesman/Layout/Roles.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

namespace linesman::layout {

struct CallGraph;

struct Function {
  LinkAddress Address;
  llvm::StringRef Name;
  /// See findEntryLocks.
  uint64_t EntryLock = 0;
  /// Who runs it (AccessTable::sharesOf).
  uint32_t Shares = 0;
  /// Weights of its accesses are a profile's counts.
  bool HasProfile = false;
  /// See findLocked.
  bool IsLocked = false;
};
static_assert(sizeof(Function) == 40, "each access looks at one of many");

/// What few accesses say (facts::Access has each). Where one after the other
/// says the same, it is kept once.
struct AccessDetail {
  uint64_t Stride = 0;
  /// The constant that a plain store writes.
  uint64_t Stored = 0;
  uint64_t OnceFlag = 0;
  uint64_t HeldLock = 0;
  uint32_t Guard = 0;

  friend bool operator==(const AccessDetail &, const AccessDetail &) = default;
};

/// One access to one object. What takes bytes that few need is behind a number
/// of the table's (AccessTable::detailOf, fileOf).
class ObjectAccess {
public:
  ObjectAccess(const facts::Access &Fact, double Weight, uint32_t Function,
               uint32_t File, uint32_t Detail)
      : Weight(Weight),
        Size(uint32_t(std::min<uint64_t>(Fact.Size, UINT32_MAX))),
        Function(Function), Passage(Fact.Passage), Kind(Fact.Kind),
        StoresConstant(Fact.Stored.has_value()), IsByThread(Fact.IsByThread),
        IsLocked(Fact.IsLocked), IsMachineCode(Fact.Instruction != 0),
        KnownStages(Fact.StagesBefore
                        ? std::min(*Fact.StagesBefore, MostStages) + 1
                        : 0),
        Detail(Detail),
        Source(Fact.Instruction ? Fact.Instruction
                                : uint64_t(File) << 32 | Fact.Line) {
    if (Fact.Offset)
      setOffset(*Fact.Offset);
    else
      setSomewhere(Fact.First);
  }

  /// Executions per entry of the function (see facts::Access), or a profile's
  /// count.
  double Weight;
  /// Bytes touched at once, at most 4 GiB; 0 is "not known".
  uint32_t Size;
  /// Index into AccessTable::functions().
  uint32_t Function;
  /// 1 + its position in AccessTable::passages(); 0 for an access that names
  /// its object.
  uint32_t Passage;
  facts::AccessKind Kind : 2;
  /// A plain store writes AccessDetail::Stored, whoever runs it.
  bool StoresConstant : 1;
  /// See facts::Access, both.
  bool IsByThread : 1;
  bool IsLocked : 1;
  /// Its index comes from what all threads are given alike.
  bool IsOfSameElement : 1 = false;
  /// It is behind the test of a flag that the same code sets, also where
  /// somebody clears it.
  bool IsBehindFlag : 1 = false;

  bool writes() const { return Kind != facts::AccessKind::Read; }
  /// From the start of the object's symbol; nothing for "somewhere in it".
  std::optional<uint64_t> offset() const {
    return HasOffset ? std::optional<uint64_t>(int64_t(Place)) : std::nullopt;
  }
  /// Without an offset: see facts::Access.
  uint64_t first() const { return HasOffset ? 0 : int64_t(Place); }
  /// Beyond 2 GiB it is somewhere: only code that is compiled for that has
  /// such objects.
  void setOffset(uint64_t Offset) {
    HasOffset = llvm::isInt<32>(int64_t(Offset));
    Place = HasOffset ? int32_t(Offset) : 0;
  }
  void setSomewhere(uint64_t First) {
    HasOffset = false;
    Place = llvm::isInt<32>(int64_t(First)) ? int32_t(First) : 0;
  }
  /// Machine code tells of it, and not a compiler.
  bool isMachineCode() const { return IsMachineCode; }
  /// Where the instruction is; 0 unless the fact comes from machine code.
  LinkAddress instruction() const { return {IsMachineCode ? Source : 0}; }
  /// In the source; 0 where it is not known, as of machine code.
  uint32_t line() const { return IsMachineCode ? 0 : uint32_t(Source); }
  /// See facts::Access.
  std::optional<uint32_t> stagesBefore() const {
    return KnownStages ? std::optional<uint32_t>(KnownStages - 1)
                       : std::nullopt;
  }

private:
  friend class AccessTable;
  static constexpr uint32_t MostStages = (1 << 23) - 2;

  bool HasOffset : 1;
  bool IsMachineCode : 1;
  /// One more than there are; 0 where it is not known.
  uint32_t KnownStages : 23;
  uint32_t Detail;
  /// The offset, or the first place; less than nothing before an alias's begin.
  int32_t Place;
  /// The instruction, or the file's number and the line.
  uint64_t Source;
};
static_assert(sizeof(ObjectAccess) == 40, "large programs have millions");

/// An object and all that is known to touch it.
struct AccessedObject {
  /// Index into Image::symbols().
  uint32_t Symbol = 0;
  /// Of the image that it was joined to.
  OccupantIndex Occupant = 0;
  /// Where it is declared (AccessTable::fileOf); 0 when that is not known.
  uint32_t DeclFile = 0, DeclLine = 0;
  /// In the table's keeping; in the order of the file, for each alias.
  llvm::ArrayRef<ObjectAccess> Accesses;
};

/// What the join met: nothing is dropped silently.
struct JoinCounts {
  /// Facts about objects that nobody writes after start, about thread-local
  /// ones, and about what the linker makes (.got.plt): they cannot be hazards.
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
  /// The roles that run a function; none of code that nothing runs.
  llvm::ArrayRef<RoleShare> sharesOf(const Function &Code) const {
    return Shares[Code.Shares];
  }
  const JoinCounts &counts() const { return Counts; }
  bool empty() const { return Objects.empty(); }
  llvm::ArrayRef<Role> roles() const { return Roles; }
  const AccessDetail &detailOf(const ObjectAccess &Access) const {
    return Details[Access.Detail];
  }
  /// Where the access is in the source, or the object is declared; empty where
  /// it is not known.
  llvm::StringRef fileOf(const ObjectAccess &Access) const {
    return Files[Access.IsMachineCode ? 0 : Access.Source >> 32];
  }
  llvm::StringRef fileOf(const AccessedObject &Object) const {
    return Files[Object.DeclFile];
  }
  /// On which ways addresses came to accesses through pointers.
  const layout::Passages &passages() const { return Passages; }
  /// Nothing for an access that names its object.
  std::optional<Passage> passageOf(const ObjectAccess &Access) const {
    return Access.Passage ? std::optional(Passages[Access.Passage - 1])
                          : std::nullopt;
  }
  /// Whether an access may as well be to another object.
  bool isMay(const ObjectAccess &Access) const {
    return Access.Passage && Passages.isMay(Access.Passage - 1);
  }
  /// The same, where a compiler says so, or of members: what a member or a
  /// variable holds is mostly something else. Such accesses count on lines
  /// where nothing else makes a finding.
  bool isPerhaps(const ObjectAccess &Access) const {
    return isMay(Access) &&
           (!Access.isMachineCode() || Passages.isMember(Access.Passage - 1));
  }
  /// The one thread of its role that makes the access; 0 where it is not known.
  uint16_t threadOf(const ObjectAccess &Access) const {
    return Access.Passage ? Passages.threadOf(Access.Passage - 1) : 0;
  }
  /// Whether the roles are those of threads, or only the two that are known
  /// without facts about calls.
  bool knowsThreads() const { return Roles.size() > 2; }
  /// Whether machine code may as well mean what has no symbol: mostly it does,
  /// the heap.
  bool isDoubtful(const ObjectAccess &Access) const {
    return Access.isMachineCode() && Access.Passage &&
           Passages.isDoubtful(Access.Passage - 1);
  }
  /// Whether it is known that a thread runs an access in \p Share's role: a
  /// compiler tells of it, or the way to it from where a thread starts is of
  /// direct calls.
  bool isByKnownThread(const ObjectAccess &Access,
                       const RoleShare &Share) const {
    RoleKind Kind = Roles[Share.Role].Kind;
    return !Access.isMachineCode() ||
           (!Share.IsGuess &&
            (Kind == RoleKind::Thread || Kind == RoleKind::Main));
  }
  /// Whether a lock is there that is taken by its address.
  bool holdsLock(AddressRange Bytes) const {
    return llvm::any_of(Locks, [&](uint64_t L) { return Bytes.contains({L}); });
  }
  /// Calls \p Visit with each role that runs an access and its weight for it;
  /// without start-up. In the header, because all accesses are asked, more than
  /// once.
  template <typename Visitor>
  void visitShares(const ObjectAccess &Access, Visitor Visit) const {
    const Function &Code = Functions[Access.Function];
    for (const RoleShare &S : sharesOf(Code)) {
      if (!isRunBy(Access, S))
        continue;
      double Weight = Access.Weight * S.Weight;
      // A guess, unless somebody has counted.
      if (!IsReweighed && !Code.HasProfile)
        Weight = std::min(Weight, mostOf(S.Role));
      Visit(S, Weight);
    }
  }
  /// The lock that is held for an access, the one that was taken first; 0 where
  /// none is known.
  uint64_t lockOf(const ObjectAccess &Access) const {
    uint64_t Entry = Functions[Access.Function].EntryLock;
    return Entry ? Entry : detailOf(Access).HeldLock;
  }
  /// How often a role takes a lock; nothing where that is not known.
  std::optional<double> takesOfLock(uint64_t Lock, RoleIndex Runner) const;
  /// Their sum.
  double concurrentWeight(const ObjectAccess &Access) const {
    double Sum = 0;
    visitShares(Access,
                [&](const RoleShare &, double Weight) { Sum += Weight; });
    return Sum;
  }
  /// Whether an access can meet any other: start-up code can not.
  bool isConcurrent(const ObjectAccess &Access) const {
    return llvm::any_of(sharesOf(Functions[Access.Function]),
                        [&](const RoleShare &S) { return isRunBy(Access, S); });
  }
  /// Null when nothing is known to touch the symbol.
  const AccessedObject *find(uint32_t Symbol) const;

  /// Replaces the roles. \p Graph is what they were assigned to. What is behind
  /// a flag runs at most as often as somebody clears it.
  void setRoles(RoleAssignment Assigned, const CallGraph &Graph);
  /// Code that runs while a flag is zero and sets it runs once, if nobody else
  /// clears the flag: settles which flags are such, of accesses and of the
  /// calls in \p Graph, and makes what they guard rare. Before setRoles.
  void settleOnceFlags(const Image &Program, CallGraph &Graph);
  /// An index that machine code takes from a function's first parameter is the
  /// thread's where threads start with different ones. Settles which are.
  void settleThreadIndices(const CallGraph &Graph);
  /// The program is known to run on one thread: atomic operations and locks do
  /// not say that threads meet.
  void markThreadless() { IsThreadless = true; }
  bool isThreadless() const { return IsThreadless; }
  /// The program was made by Rust: most of its statics are its libraries'.
  void markRust() { IsRust = true; }
  bool isRust() const { return IsRust; }
  /// The program was made by Go, or has a part that was.
  void markGo() { IsGo = true; }
  bool isGo() const { return IsGo; }
  /// See RoleAssignment; false where roles are not known.
  bool isLibrary() const { return IsLibrary; }
  /// Whether threads are known to start at boxed closures: then tables of all
  /// traits look alike, and that one leads to a function says little of who
  /// runs it.
  bool startsClosures() const { return StartsClosures; }
  /// Replaces the weights of accesses by what a sampling profiler saw: the
  /// samples of a function, in proportion to its weights. A function that was
  /// never seen has half a sample.
  void reweigh(llvm::function_ref<double(LinkAddress)> SamplesOf);
  /// Whether it has been called.
  bool isReweighed() const { return IsReweighed; }

private:
  friend class AccessJoin;
  std::vector<Role> Roles = {{RoleKind::StartUp, Instances::One, "", 0},
                             {RoleKind::Concurrent, Instances::Many, "", 0}};
  std::vector<Function> Functions;
  /// By Function::Shares. Where one after the other is run alike, it is kept
  /// once. The first ones are for functions until it is known who runs them.
  enum : uint32_t { SharesOfStartUp, SharesOfAll, SharesOfLifeCycle };
  std::vector<RoleShares> Shares = {shareOf(StartUpRole),
                                    shareOf(ConcurrentRole),
                                    shareOf(ConcurrentRole, SetUpWeight)};
  /// These are many. This vector grows where it is, which std::vector cannot:
  /// two copies would be the largest thing in memory.
  llvm::SmallVector<AccessedObject, 0> Objects;
  /// Of all objects, one after the other.
  llvm::SmallVector<ObjectAccess, 0> Accesses;
  /// By ObjectAccess::Detail; the first is of those that say nothing.
  std::vector<AccessDetail> Details = {{}};
  /// By number; the first is the one that is not known.
  std::vector<llvm::StringRef> Files = {""};
  layout::Passages Passages;
  /// By symbol: one more than its place in Objects, or 0.
  std::vector<uint32_t> Places;
  /// By lock and role.
  llvm::DenseMap<std::pair<uint64_t, RoleIndex>, double> LockTakes;
  llvm::DenseSet<uint64_t> Locks;
  JoinCounts Counts;
  /// Weights are samples.
  bool IsReweighed = false;
  /// Who calls whom is known from machine code.
  bool IsFromCode = false;
  bool IsThreadless = false;
  bool IsRust = false;
  bool IsGo = false;
  bool IsLibrary = false;
  bool StartsClosures = false;

  /// A flag that somebody clears, and who writes it, by positions in Accesses.
  struct Door {
    uint64_t Flag;
    /// Behind its own test.
    llvm::SmallVector<uint32_t, 2> Sets;
    /// All others that may clear it.
    llvm::SmallVector<uint32_t, 2> Opens;
  };
  std::vector<Door> Doors;

  void narrowDoors();
  void spreadCallFlags(const CallGraph &Graph);
  uint32_t internShares(const RoleShares &All);
  /// Not before threads start, and not by start-up code.
  bool isRunBy(const ObjectAccess &Access, const RoleShare &Share) const {
    if (Roles[Share.Role].Kind == RoleKind::StartUp)
      return false;
    std::optional<uint32_t> Stages = Access.stagesBefore();
    return !Share.After || !Stages || *Stages > *Share.After;
  }
  /// Of machine code whose callers are not known, and of what a program has and
  /// does not call itself: loops say how long a call takes, and not how often
  /// there is one. What many functions touch comes first then, and not what is
  /// behind many loops.
  double mostOf(RoleIndex Role) const {
    RoleKind Kind = Roles[Role].Kind;
    return Kind == RoleKind::Outside ||
                   (IsFromCode && Kind == RoleKind::Unknown)
               ? 1
               : MaxWeight;
  }
};

/// Collects facts, then joins them.
class AccessJoin {
public:
  /// \p StartUp are the functions that the binary itself says run before or
  /// after main (.init_array and its kin), sorted.
  AccessJoin(const Image &Program, std::vector<LinkAddress> StartUp);

  void add(const facts::Fact &Fact);
  /// Objects that are written once, whatever their writers are called for.
  void setOnce(AddressRange Objects) { Once = Objects; }
  /// What Access::Passage of the facts means.
  void setPassages(Passages All) { Table.Passages = std::move(All); }
  /// The bytes that accesses touch and no symbol owns: by address, merged where
  /// they overlap. Of "somewhere in it" the first access is known.
  std::vector<AddressRange> unownedBytes() const;
  /// The image may have got more objects since.
  AccessTable finish() &&;

private:
  const Image &Program;
  std::vector<LinkAddress> StartUp;
  AddressRange Once;
  AccessTable Table;

  /// A fact to be joined.
  struct Pending {
    LinkAddress Object;
    uint32_t DeclFile, DeclLine;
    /// The accesses in Table.Accesses.
    uint32_t First, Count;
  };
  llvm::SmallVector<Pending, 0> Facts;
  /// Numbers of files, by their names' address: the reader of facts gives one
  /// name for one file.
  llvm::DenseMap<const char *, uint32_t> FileNumbers;
  uint32_t LastFile = 0;

  uint32_t internFunction(const facts::Fact &Fact);
  uint32_t internFile(llvm::StringRef File);
  uint32_t internDetail(const facts::Access &Access);
  /// A record without a symbol is in pieces, each with its own accesses: what a
  /// pointer to its begin leads to is given to the piece that it is in.
  void splitRecords();
  /// Whether its function is one of StartUp.
  bool isStartUp(const Pending &Fact) const;
  /// One entry an object, with the facts in their order in the file. Returns
  /// the places of accesses; those that belong to no object are behind.
  std::vector<uint32_t> placeFacts(llvm::SmallVector<Pending, 0> Found);
  std::optional<OccupantIndex> findObject(LinkAddress Address,
                                          OccupantIndex &Hint);
};

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_ACCESSES_H
