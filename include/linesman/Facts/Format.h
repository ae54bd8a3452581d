// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of section .debug_linesman: what the pass writes and the decoder
// reads. docs/facts-format.md shows an annotated example of every record.
//
//     contribution   +-----------------------------+
//                    | magic version flags size    |  12 bytes
//                    +-----------------------------+
//                    | kind size | file names      |  tables, at most one each,
//                    | kind size | functions       |  before the accesses that
//                    | kind size | objects         |  index them
//                    | kind size | names           |
//                    +-----------------------------+
//                    | kind size | compressed      |  instead of all that
//                    follow,
//                    +-----------------------------+  if that is shorter
//                    | kind size | fn, obj, access… |  one for each function
//                    | kind size | fn, obj, access… |  and object
//                    | kind size | locks of calls  |
//                    | kind size | flags of calls  |
//                    | kind size | edges of calls  |
//                    | kind size | fn, type, acc…  |
//                    | kind size | fn, uses of     |
//                    |           | pointers        |
//                    +-----------------------------+
//
// Why tables: in an object file a reference costs 24 bytes of relocation, 28 to
// 32 with its place. Each function, object and string is referenced once in a
// contribution, and accesses index it in a byte. Calls mention so many
// functions that even this is too much: there, a hash of the name stands for
// each that has a global one. And they need no COMDAT group of their own: of a
// function's copies in several objects, all have the same calls. The same goes
// for accesses to objects of a type, which are ten times as many as those to
// variables: their weights are a byte, too.
//
// Why columns: accesses by type and uses of pointers are four fifths of a large
// unit of C. What one field says of all of them stands together, and places are
// relative to the last one: they compress to four fifths of what rows would.

#ifndef LINESMAN_FACTS_FORMAT_H
#define LINESMAN_FACTS_FORMAT_H

#include <cstdint>

namespace linesman::facts::format {

/// "LMFC" as bytes in the file.
inline constexpr uint32_t Magic = 0x43464d4c;

/// Contribution header: u32 Magic, u16 FormatVersion, u16
/// ContributionFlags (a reader ignores those that it does not know), u32 size
/// of the contribution with this header.
inline constexpr uint32_t HeaderSize = 12;

enum ContributionFlags : uint16_t {
  /// The unit was compiled with -O0, -O1 or -Og: most pointers are in memory
  /// still, and what they lead to is not known.
  IsLittleOptimised = 1,
};

/// Record header: u16 RecordKind, u32 size of the payload that follows.
inline constexpr uint32_t RecordHeaderSize = 6;

enum class RecordKind : uint16_t {
  /// ULEB function index, ULEB object index, then accesses up to the end.
  /// Access: u8 AccessFlags, f32 weight, [ULEB offset], ULEB size,
  /// ULEB file (0: none, otherwise index + 1), ULEB line.
  Access = 1,
  /// u32 string offset, repeated.
  Files = 2,
  /// FunctionEntrySize bytes, repeated.
  Functions = 3,
  /// ObjectEntrySize bytes, repeated.
  Objects = 4,
  /// ULEB caller, ULEB number of edges, edges; repeated. Edge: u8 CallFlags,
  /// [f32 weight], [u8 signature], ULEB callee. A reference is 0 for nothing;
  /// then come the local functions, the names, and from there on tables without
  /// a name.
  Calls = 5,
  /// In TypeAccessColumns. Heads: ULEB function (a reference as in Calls), ULEB
  /// number of types, and for each ULEB type index, ULEB number of accesses,
  /// [ULEB stages before] of each; repeated. Of an access, the other columns
  /// have: u8 TypeAccessFlags; [u8 weight]; [ULEB offset]; ULEB size; a place.
  TypeAccess = 6,
  /// u64 hash of a linker's name, repeated.
  Names = 7,
  /// u64 address, repeated.
  LocalFunctions = 8,
  /// ULEB stages before, one for each access of the next record, an Access.
  Order = 9,
  /// TypeEntrySize bytes, repeated.
  Types = 10,
  /// In UseColumns. Heads: ULEB function (a reference as in Calls; 0: initial
  /// values of variables), ULEB number of uses times 2 (plus 1 if weights are a
  /// profile's counts), and of each use [ULEB object, ULEB offset that it is
  /// not], [ULEB stages before]; repeated. Of a use, the other columns have: u8
  /// UseFlags, u8 MoreUseFlags; origin; [SLEB offset]; [u8 weight]; what its
  /// kind asks for; [a place].
  ///
  /// Origin: ULEB object; ULEB parameter; ULEB function; ULEB type, ULEB
  /// offset; or ULEB object, ULEB offset + 1 (0: not constant).
  /// Access: ULEB size. Handed: ULEB function, ULEB parameter. Stored: ULEB
  /// type times 2, ULEB offset; or ULEB object times 2 + 1, ULEB offset + 1.
  Pointers = 11,
  /// For each access of the next record, an Access: ULEB stride times 2 (plus 1
  /// if each thread has places of its own; 0: nothing is known), [ULEB first
  /// place, unless that is 0].
  Strides = 12,
  /// For each access of the next record, an Access, what is held: ULEB 0
  /// (nothing), SomeLock, or FirstLock + object index and ULEB offset.
  HeldLocks = 13,
  /// ULEB function (a reference as in Calls), ULEB number of takes times 2
  /// (plus 1 if it leaves a lock of its callers), takes, ULEB number of edges,
  /// for each ULEB its number in Calls and what is held (as in HeldLocks), ULEB
  /// number of uses and the same for those of Pointers; repeated. Take: ULEB
  /// object, ULEB offset, u8 weight. Before Calls and Pointers.
  CallLocks = 14,
  /// For each access of the next record, an Access, the flag that it is behind:
  /// ULEB 0 (none), or 1 + object index and ULEB offset, which has the bit of
  /// its FlagForm.
  OnceFlags = 15,
  /// For each access of the next record, an Access: ULEB 0, or 1 and ULEB the
  /// constant that it stores.
  StoredConstants = 16,
  /// ULEB function (a reference as in Calls), ULEB number of edges behind
  /// flags, for each ULEB its number in Calls, ULEB object, ULEB offset; ULEB
  /// number of uses and the same for those of Pointers; repeated. Before Calls
  /// and Pointers.
  CallFlags = 17,
  /// A bit for each access of the next record, a TypeAccess, the lowest of a
  /// byte first: its function takes locks, and holds none there.
  Unlocked = 18,
  /// ULEB function (a reference as in Calls), ULEB number of uses of pointers
  /// that mean an element by an index, for each ULEB its number in Pointers,
  /// ULEB stride times 2 (plus
  /// 1 if each thread has places of its own), ULEB first place; repeated.
  /// Before Pointers.
  UseSteps = 19,
  /// ULEB number of bytes, at most MostExpansion times those of the payload;
  /// then a stream of zlib of so many bytes, which are records. At most one in
  /// a contribution, and not Names.
  Compressed = 20,
  /// u8 for each edge of the next record, of Calls, that is an address or an
  /// indirect call: how the pointer is declared (CallEdge::Declared).
  DeclaredTypes = 21,
};

/// The columns of a record: ULEB number of bytes of each but the last, then
/// their bytes, one column after the other. A place is relative to the last one
/// of its record, and to file 0 (none) and line 0 at first: ULEB zigzag(line -
/// last line) * 2, plus 1 if the file is another; then ULEB file (0: none,
/// otherwise index + 1) follows. zigzag(n) is 2n, or -2n - 1 of a negative n.
enum TypeAccessColumns : uint8_t {
  TypeHeads,
  TypeFlags,
  TypeWeights,
  TypeOffsets,
  TypeSizes,
  TypePlaces,
  AllTypeColumns
};

enum UseColumns : uint8_t {
  UseHeads,
  UseFlagBytes,
  UseOrigins,
  UseOffsets,
  UseWeights,
  /// What kinds of uses ask for.
  UseTargets,
  UsePlaces,
  AllUseColumns
};

/// A compressed record that claims to be longer is corrupt, and would have a
/// reader allocate what it likes.
inline constexpr uint32_t MostExpansion = 100;

/// See HeldLocks.
enum Lock : uint8_t { SomeLock = 1, FirstLock = 2 };

inline constexpr uint32_t FileEntrySize = 4;

/// u64 address, u32 string offset of the name, u8 FunctionFlags.
inline constexpr uint32_t FunctionEntrySize = 13;

/// u64 address, u32 string offset of the name, u32 file of the declaration
/// (0: none, otherwise index + 1), u32 line of it.
inline constexpr uint32_t ObjectEntrySize = 20;

enum FunctionFlags : uint8_t { IsInitializer = 1, HasProfile = 2 };

/// Bits of an access's first byte; the others are 0.
enum AccessFlags : uint8_t { KindMask = 3, HasOffset = 4 };

/// Bits of an edge's first byte; the others are 0.
enum CallFlags : uint8_t {
  CallKindMask = 3,
  InLoop = 4,
  /// Of the same stage as the edge before; otherwise of the next one.
  SameStage = 8,
  /// A weight follows; otherwise it is 1.
  HasWeight = 16,
  HasSignature = 32,
  AllCallFlags = 63,
};

/// Bits of the first byte of an access to a type.
enum TypeAccessFlags : uint8_t {
  TypeKindMask = 3,
  /// In place of a kind: an atomic operation that takes or leaves a lock.
  LockKind = 3,
  HasTypeOffset = 4,
  IsSynchronised = 8,
  IsElement = 16,
  IsIndexed = 32,
  /// A weight follows; otherwise it is 1.
  HasTypeWeight = 64,
  HasStages = 128,
};

/// Bits of the first byte of a use of a pointer.
enum UseFlags : uint8_t {
  UseKindMask = 3,
  /// Times the kind of the origin, 0 to 5.
  OriginShift = 2,
  OriginMask = 28,
  /// Neither: the offset is 0.
  HasUseOffset = 32,
  AnyUseOffset = 64,
  /// A weight follows; otherwise it is 1.
  HasUseWeight = 128,
};

/// And of the second.
enum MoreUseFlags : uint8_t {
  UseAccessMask = 3,
  IsMayUse = 4,
  HasException = 8,
  HasUseStages = 16,
  HasUseSource = 32,
  AllMoreUseFlags = 63,
};

/// A weight of an access to a type and of a use of a pointer is 2 to the power
/// of (byte - WeightOfOne) / WeightSteps: within 9 % of the true one, and block
/// frequencies are guesses anyway.
inline constexpr int WeightOfOne = 128, WeightSteps = 4;

/// u32 string offset of the name, u32 size (0: not known), u8 logarithm of the
/// alignment, u16 fingerprint.
inline constexpr uint32_t TypeEntrySize = 11;

inline constexpr uint32_t NameEntrySize = 8;
inline constexpr uint32_t LocalFunctionEntrySize = 8;

/// The shortest access: flags, weight, size, file, line.
inline constexpr uint32_t MinAccessSize = 8;

} // namespace linesman::facts::format

#endif // LINESMAN_FACTS_FORMAT_H
