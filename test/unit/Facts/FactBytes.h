// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes of small facts sections, made of literals.

#ifndef LINESMAN_TEST_UNIT_FACTS_FACTBYTES_H
#define LINESMAN_TEST_UNIT_FACTS_FACTBYTES_H

#include "linesman/Facts/Facts.h"
#include "linesman/Facts/Format.h"
#include "linesman/Facts/Pointers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/LEB128.h"
#include <initializer_list>
#include <optional>
#include <string>

namespace linesman::facts {

inline const llvm::StringRef Strings("f\0g\0a.c\0S\0", 10);

inline void append(std::string &Out, uint64_t Value, unsigned Bytes) {
  for (unsigned I = 0; I < Bytes; ++I)
    Out.push_back(static_cast<char>(Value >> (8 * I)));
}

inline std::string record(uint16_t Kind, llvm::StringRef Payload) {
  std::string Out;
  append(Out, Kind, 2);
  append(Out, Payload.size(), 4);
  return Out + Payload.str();
}

inline std::string contribution(llvm::StringRef Records) {
  std::string Out;
  append(Out, format::Magic, 4);
  append(Out, FormatVersion, 2);
  append(Out, 0, 2);
  append(Out, format::HeaderSize + Records.size(), 4);
  return Out + Records.str();
}

// A payload in columns, each shorter than 128 bytes.
inline std::string columns(std::initializer_list<llvm::StringRef> Columns) {
  std::string Sizes, Bytes;
  for (llvm::StringRef Column : Columns) {
    append(Sizes, Column.size(), 1);
    Bytes += Column;
  }
  Sizes.pop_back();
  return Sizes + Bytes;
}

inline std::string files() { return record(2, llvm::StringRef("\4\0\0\0", 4)); }

inline std::string functions(uint64_t Address) {
  std::string Payload;
  append(Payload, Address, 8);
  append(Payload, 0, 4);
  append(Payload, format::HasProfile, 1);
  return record(3, Payload);
}

inline std::string objects(uint64_t Address, uint32_t File = 1,
                           uint32_t Name = 2) {
  std::string Payload;
  append(Payload, Address, 8);
  append(Payload, Name, 4);
  append(Payload, File, 4);
  append(Payload, 7, 4);
  return record(4, Payload);
}

// Function 0, object 0, a write of weight 1 at 300, 8 bytes, file 1, line 9.
inline std::string access() {
  return std::string("\0\0\5\0\0\x80\x3f\xac\2\x08\1\x09", 12);
}

// The local function h, and the names f and k: references 1, 2 and 3.
inline std::string references(uint64_t Local = 0x1100) {
  std::string Locals, Names;
  append(Locals, Local, 8);
  append(Names, hashName("f"), 8);
  append(Names, hashName("k"), 8);
  return record(8, Locals) + record(7, Names);
}

// f starts h, and calls k 32 times in a loop.
inline std::string calls() {
  return std::string("\2\2\1\1\x14\0\0\0\x42\3", 10);
}

// S: 48 bytes, aligned to 8, a fingerprint.
inline std::string types() {
  return record(10, llvm::StringRef("\x08\0\0\0\x30\0\0\0\3\x34\x12", 11));
}

// f hands object 0, 8 bytes on, to parameter 0 of k; file 1, line 9.
inline std::string pointers() {
  return columns({"\2\3", "\x21\x20", llvm::StringRef("\0", 1), "\x08", "",
                  llvm::StringRef("\3\0", 2), "\x25\1"});
}

// f does four atomic operations on 8 bytes at 16 of an S; file 1, line 9.
inline std::string typeAccess() {
  return columns({llvm::StringRef("\2\1\0\1", 4), "\x4e", "\x88", "\x10",
                  "\x08", "\x25\1"});
}

// What the decoder says is wrong; "" if nothing is.
inline std::string errorOf(llvm::StringRef Section,
                           llvm::StringRef Names = Strings) {
  auto Counts = decodeFacts(
      Section, Names, [](const Fact &) {}, nullptr, [](const TypeFact &) {},
      [](const PointerFacts &) {});
  if (Counts)
    return "";
  return llvm::toString(Counts.takeError());
}

// Records, compressed; of \p Claimed bytes, as that says.
inline std::string compressed(llvm::StringRef Records,
                              std::optional<uint64_t> Claimed = std::nullopt) {
  llvm::SmallVector<uint8_t, 0> Stream;
  llvm::compression::zlib::compress(llvm::arrayRefFromStringRef(Records),
                                    Stream);
  std::string Payload;
  llvm::raw_string_ostream OS(Payload);
  llvm::encodeULEB128(Claimed.value_or(Records.size()), OS);
  OS << llvm::toStringRef(Stream);
  return record(20, Payload);
}

} // namespace linesman::facts

#endif // LINESMAN_TEST_UNIT_FACTS_FACTBYTES_H
