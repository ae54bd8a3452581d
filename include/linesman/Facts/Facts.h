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
#include <cstdint>
#include <optional>

namespace linesman::facts {

inline constexpr llvm::StringLiteral SectionName = ".debug_linesman";
inline constexpr llvm::StringLiteral StringSectionName = ".debug_linesman_str";

/// Bumped when an old reader would misread new records. New record kinds do
/// not need it: a reader skips the kinds that it does not know.
inline constexpr uint16_t FormatVersion = 1;

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
};

/// All accesses of one function to one object. Strings point into the string
/// section.
struct Fact {
  /// Link-time addresses. 0 as the function means that the linker discarded
  /// it; decodeFacts drops such facts and counts them. 0 as the object means
  /// that it lives in another module.
  uint64_t Function = 0;
  uint64_t Object = 0;
  /// Linker names: for people, and for objects without a symbol. The join is
  /// by address.
  llvm::StringRef FunctionName;
  llvm::StringRef ObjectName;
  /// Where the object is declared; empty and 0 without debug info.
  llvm::StringRef DeclFile;
  uint32_t DeclLine = 0;
  /// Runs before main (a static initialiser or a constructor function).
  bool IsInitializer = false;
  /// Weights are absolute counts of a profile.
  bool HasProfile = false;
  llvm::SmallVector<Access, 4> Accesses;
};

/// What decodeFacts met on its way, for the report: nothing is dropped
/// silently.
struct DecodeCounts {
  uint64_t Contributions = 0;
  uint64_t Facts = 0;
  /// Facts of functions that the linker discarded.
  uint64_t DeadFunctions = 0;
  /// Facts about objects of another module.
  uint64_t ForeignObjects = 0;
  /// Records of kinds that this reader does not know.
  uint64_t UnknownRecords = 0;
};

/// Calls \p Visit for every live fact of a linked \p Section, in its order;
/// the Fact is valid during the call, its strings as long as \p Strings.
/// Fails on bytes that are not facts: a wrong magic, an unknown version, a
/// record beyond its contribution, a string offset beyond \p Strings. The
/// message gives the offset in the section.
llvm::Expected<DecodeCounts>
decodeFacts(llvm::StringRef Section, llvm::StringRef Strings,
            llvm::function_ref<void(const Fact &)> Visit);

} // namespace linesman::facts

#endif // LINESMAN_FACTS_FACTS_H
