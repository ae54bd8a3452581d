// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fact says what one function does to one object: "f() writes 8 bytes at
// offset 16 of nil_root, three times per entry, at tree.h:41". Producers (the
// pass) encode facts, or hand them over as they are (the reader of machine
// code); Layout joins them to symbols by address.
//
//     section .debug_linesman        section .debug_linesman_str
//     +--------------+               +---------------------------+
//     | contribution |  offsets ---> | f()\0tree.h\0nil_root\0...|
//     | contribution |               +---------------------------+
//     +--------------+
//
//     contribution = header, records...
//     record       = kind, size, payload      (unknown kinds are skipped)
//
// Linkers concatenate contributions and fill in the addresses, so everything
// is little-endian, unaligned, and self-delimiting. docs/facts-format.md has
// the byte-by-byte description; a test holds the two together.

#ifndef LINESMAN_FACTS_FACTS_H
#define LINESMAN_FACTS_FACTS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/xxhash.h"
#include <cstdint>
#include <optional>

namespace linesman::facts {

inline constexpr llvm::StringLiteral SectionName = ".debug_linesman";
inline constexpr llvm::StringLiteral StringSectionName = ".debug_linesman_str";

/// Bumped when an old reader would misread new records. New record kinds do
/// not need it: a reader skips the kinds that it does not know.
inline constexpr uint16_t FormatVersion = 2;

/// What an access does to the line it hits. Atomic is a read-modify-write (or
/// a call that performs one, such as locking a mutex); it counts as a write.
/// Atomic loads and stores are reads and writes.
enum class AccessKind : uint8_t { Read = 0, Write = 1, Atomic = 2 };

/// One access of a function to an object.
struct Access {
  AccessKind Kind = AccessKind::Read;
  /// Bytes from the object's start; nothing when it is not constant
  /// ("somewhere in the object").
  std::optional<uint64_t> Offset;
  /// Without an Offset: the places are First plus multiples of this many
  /// bytes. 0 when nothing is known.
  uint64_t Stride = 0;
  uint64_t First = 0;
  /// Each thread has places of its own, as its number or argument says.
  bool IsByThread = false;
  /// Bytes touched by one execution; 0 when it is not known.
  uint64_t Size = 0;
  /// Executions per entry of the function, per turn in a loop that never ends,
  /// or in total where the compile had a profile (see Fact::HasProfile).
  double Weight = 0;
  /// Where the access is written; empty and 0 without debug info. After
  /// inlining this is the innermost location.
  llvm::StringRef File;
  uint32_t Line = 0;
  /// Link-time address of the instruction, where the fact comes from machine
  /// code; 0 otherwise. It has File and Line only when somebody asks.
  uint64_t Instruction = 0;
  /// How many stages of the function's calls (CallEdge::Stage) can come before
  /// it; nothing where the producer did not say.
  std::optional<uint32_t> StagesBefore;
  /// The value that a plain store writes, where it is a constant.
  std::optional<uint64_t> Stored;
  /// Link-time address of a flag: the access is made only while that is zero,
  /// and the same code sets it (if (!x) x = ...). 0 for all others. Whether
  /// nobody else clears the flag only the whole binary tells.
  uint64_t OnceFlag = 0;
  /// A lock is held, as far as calls before it in the function say.
  bool IsLocked = false;
  /// What is accessed is a lock that a callee was given: a call takes or leaves
  /// it.
  bool IsLock = false;
  /// Link-time address of a lock that is held on every way to here, or of the
  /// variable that points to it, and of several the one that was taken first. 0
  /// where there is none, or none can be told.
  uint64_t HeldLock = 0;
  /// Accesses with one number, if it is not 0, exclude each other: whoever does
  /// them holds one lock. No producer says so; readers of type facts find out.
  uint32_t Guard = 0;
  /// The passage on which the address came here (layout::AccessTable), or 0 for
  /// an access of the function itself. Found by the join of pointers.
  uint32_t Passage = 0;
};

/// All accesses of one function to one object. Strings point into the string
/// section.
struct Fact {
  /// Link-time addresses. 0 as the function means that the linker discarded
  /// it; decodeFacts drops such facts and counts them. 0 as the object means
  /// that it lives in another module.
  uint64_t Function = 0;
  uint64_t Object = 0;
  /// The linker's name: for people. The join is by address, and an object's
  /// name is its symbol's.
  llvm::StringRef FunctionName;
  /// Where the object is declared; empty and 0 without debug info.
  llvm::StringRef DeclFile;
  uint32_t DeclLine = 0;
  /// Runs before main (a static initialiser or a constructor function).
  bool IsInitializer = false;
  /// Weights are absolute counts of a profile.
  bool HasProfile = false;
  llvm::SmallVector<Access, 4> Accesses;
};

/// What a call refers to. Global functions are known by the hash of their
/// linker's name: a reference by address costs an object file 32 bytes, and
/// calls are many.
struct FunctionRef {
  enum RefKind : uint8_t {
    /// Nothing is known (an indirect call).
    None,
    /// Value is the link-time address; 0 was discarded by the linker.
    Address,
    /// Value is hashName of the linker's name, of a function or a table of
    /// functions.
    Name,
    /// A table of functions without a name; Value tells it from the others.
    Table,
  };
  RefKind Kind = None;
  uint64_t Value = 0;

  friend bool operator==(FunctionRef, FunctionRef) = default;
};

/// The hash that stands for a linker's name. In the header for the pass, which
/// links none of our libraries.
inline uint64_t hashName(llvm::StringRef Name) {
  return llvm::xxh3_64bits(Name);
}

enum class CallKind : uint8_t {
  Direct = 0,
  /// Starts a thread at the function; None: at one that is not known.
  Start = 1,
  /// Takes the function's address: hands it to somebody as a callback, or puts
  /// it where others find it.
  Address = 2,
  /// A call through a pointer, or of a library that runs callbacks.
  Indirect = 3,
};

/// What a function does with another one.
struct CallEdge {
  CallKind Kind = CallKind::Direct;
  FunctionRef Callee;
  /// Executions per entry of the caller, also where the compile had a profile.
  double Weight = 1;
  /// Edges are ordered: one of a later stage comes after those of the stages
  /// before, if both run. Edges in one loop are of one stage.
  uint32_t Stage = 0;
  bool InLoop = false;
  /// For Address and Indirect: equal where the types of function and call are;
  /// 0 fits all.
  uint8_t Signature = 0;
  /// See Access.
  uint64_t OnceFlag = 0;
  bool IsLocked = false;
  uint64_t HeldLock = 0;
  /// For Start: all threads are handed one and the same. Of machine code only.
  bool IsOneForAll = false;
  /// For Address and Indirect: equal where the pointer that the function is put
  /// into, and the one that is called, are declared alike; 0 where that is not
  /// known.
  uint8_t Declared = 0;
};

/// A function takes the address of the table of a boxed closure (Rust's
/// `Box<dyn FnOnce()>`). Of machine code only.
struct ClosureUse {
  /// What the closure runs.
  FunctionRef Run;
  double Weight = 1;
  /// Of the call that is given the table, if IsHanded.
  uint32_t Stage = 0;
  bool InLoop = false;
  bool IsHanded = false;
};

/// A function takes a lock (see Access::HeldLock).
struct LockTake {
  uint64_t Lock = 0;
  /// Executions per entry of the function.
  double Weight = 1;
};

/// All edges of one function, or of a table of functions.
struct Calls {
  FunctionRef Caller;
  llvm::SmallVector<CallEdge, 8> Edges;
  llvm::SmallVector<LockTake, 0> Takes = {};
  /// It may leave a lock that it has not taken.
  bool LeavesLock = false;
  llvm::SmallVector<ClosureUse, 0> Closures = {};
};

/// A record type (struct, class or union) as far as one unit knows it.
struct RecordType {
  /// As the compiler names it: "_ZTSN2ns1SE" in C++, "conn" in C.
  llvm::StringRef Name;
  /// Bytes; 0 when it is not known.
  uint64_t Size = 0;
  /// Bytes; it may be more than what is known.
  uint64_t Alignment = 1;
  /// Of the offsets of its members: two that differ are two layouts. 0 where
  /// the producer does not know them.
  uint16_t Fingerprint = 0;
};

/// A record's fingerprint, from the offsets of its members, in their order and
/// in whatever unit. In the header for the pass, which links none of our
/// libraries.
inline uint16_t fingerprintOf(llvm::ArrayRef<uint32_t> Offsets) {
  auto Hash = static_cast<uint16_t>(
      llvm::xxh3_64bits({reinterpret_cast<const uint8_t *>(Offsets.data()),
                         Offsets.size() * sizeof(uint32_t)}));
  return Hash ? Hash : 1;
}

/// An access through a pointer to a record. Offset is from the record's start.
struct TypeAccess : Access {
  /// The access is atomic, or locks: whoever wrote it thinks that threads share
  /// the object.
  bool IsSynchronised = false;
  /// Takes or leaves a lock that the record has.
  bool IsLock = false;
  /// The record is an element of an array, found by its index.
  bool IsElement = false;
  /// Of an array in the record that begins at Offset, an element that is not
  /// known.
  bool IsIndexed = false;
  /// The function takes locks, and holds none here.
  bool IsUnlocked = false;
};

/// All accesses of one function to objects of one type. Accesses to variables
/// are facts about those, and none here.
struct TypeFact {
  FunctionRef Function;
  RecordType Type;
  /// Tells units apart: types in anonymous namespaces have namesakes.
  uint64_t Unit = 0;
  llvm::SmallVector<TypeAccess, 8> Accesses;
};

/// What a function does with pointers (linesman/Facts/Pointers.h).
struct PointerFacts;

/// What decodeFacts met on its way, for the report: nothing is dropped
/// silently.
struct DecodeCounts {
  uint64_t Contributions = 0;
  /// Beside these, those of units that have nothing to say.
  uint64_t EmptyContributions = 0;
  /// Of those, how many are of units compiled with -O0, -O1 or -Og.
  uint64_t LittleOptimised = 0;
  uint64_t Facts = 0;
  /// Facts of functions that the linker discarded.
  uint64_t DeadFunctions = 0;
  /// Facts about objects of another module.
  uint64_t ForeignObjects = 0;
  /// Functions and tables of which the calls are known.
  uint64_t Callers = 0;
  /// Facts about types; 0 where nobody asked for them.
  uint64_t TypeFacts = 0;
  /// Functions of which the uses of pointers are known.
  uint64_t PointerFacts = 0;
  /// Records of kinds that this reader does not know.
  uint64_t UnknownRecords = 0;
};

/// Calls \p Visit for every live fact of a linked \p Section and \p VisitCalls
/// for the calls of every live function, \p VisitType for what it does to
/// objects of a type and \p VisitPointers for what it does with pointers, in
/// its order; what they are given is valid during the call, its strings as long
/// as \p Strings. Fails on bytes that are not facts: a wrong magic, an unknown
/// version, a record beyond its contribution, a string offset beyond \p
/// Strings. The message gives the offset in the section.
llvm::Expected<DecodeCounts> decodeFacts(
    llvm::StringRef Section, llvm::StringRef Strings,
    llvm::function_ref<void(const Fact &)> Visit,
    llvm::function_ref<void(const Calls &)> VisitCalls = nullptr,
    llvm::function_ref<void(const TypeFact &)> VisitType = nullptr,
    llvm::function_ref<void(const PointerFacts &)> VisitPointers = nullptr);

/// Calls \p Visit for the names' hashes that calls refer to, those of discarded
/// functions too, each at least once. Reads no other records; fails as
/// decodeFacts does.
llvm::Error visitNames(llvm::StringRef Section,
                       llvm::function_ref<void(uint64_t)> Visit);

} // namespace linesman::facts

#endif // LINESMAN_FACTS_FACTS_H
