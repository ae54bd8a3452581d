// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records out of the compressed one, and what is wrong with one that is
// damaged.

#include "FactBytes.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <vector>

using namespace llvm;
using namespace linesman::facts;

namespace {

TEST(Unpack, ReadsCompressedRecords) {
  std::string One = contribution(
      files() + objects(0x2000) + types() + references() +
      compressed(record(6, typeAccess()) + record(11, pointers())));
  // Two tables without a name, the second with the number that the first would
  // have in the next contribution if only compressed bytes counted.
  auto WithTables = [](size_t Distance) {
    char Calls[] = {1, 1, 0, 0, static_cast<char>(1 + Distance), 1, 0, 0};
    return contribution(compressed(record(5, StringRef(Calls, 8))));
  };
  std::string Two = WithTables(WithTables(80).size());
  ASSERT_EQ(Two.size(), WithTables(80).size());
  std::vector<uint64_t> Tables;
  auto Counts = decodeFacts(
      One + Two + Two, Strings, [](const Fact &) {},
      [&](const linesman::facts::Calls &C) {
        Tables.push_back(C.Caller.Value);
      },
      [](const TypeFact &F) {
        EXPECT_EQ(F.Type.Name, "S");
        EXPECT_EQ(F.Accesses[0].Line, 9u);
      },
      [](const PointerFacts &F) { EXPECT_EQ(F.Uses[0].Line, 9u); });
  ASSERT_TRUE(static_cast<bool>(Counts)) << toString(Counts.takeError());
  EXPECT_EQ(Counts->TypeFacts, 1u);
  EXPECT_EQ(Counts->PointerFacts, 1u);
  EXPECT_EQ(Counts->UnknownRecords, 0u);
  std::sort(Tables.begin(), Tables.end());
  EXPECT_EQ(Tables.size(), 4u);
  EXPECT_EQ(std::unique(Tables.begin(), Tables.end()), Tables.end());
}

TEST(Unpack, RefusesDamagedCompression) {
  std::string Some = record(5, calls());
  std::string Cut = compressed(Some);
  Cut = record(20, StringRef(Cut).slice(6, Cut.size() - 3));
  std::string Nested = compressed(compressed(Some));
  const std::pair<std::string, StringRef> Cases[] = {
      {record(20, ""), "no size of a compressed record"},
      {record(20, "\x80"), "no size of a compressed record"},
      {compressed(Some, 1 << 20), "more than 100 times its bytes"},
      {compressed(Some, UINT64_MAX), "more than 100 times its bytes"},
      {compressed(Some, Some.size() + 1), "bytes compressed, expected"},
      {compressed(Some, Some.size() - 1), "zlib error"},
      {compressed(Some, 0), "zlib error"},
      {record(20, "\1"), "zlib error"},
      {record(20, "\1not a stream"), "zlib error"},
      {Cut, "zlib error"},
      {compressed(Some) + compressed(Some), "second compressed record"},
      {Nested, "second compressed record"},
      {compressed("abc"), "byte 0x0 of what is compressed there: 3 bytes left"},
      {compressed(files() + record(1, "\1")),
       "byte 0x10 of what is compressed there: found no function and object"},
  };
  for (const auto &[Records, Message] : Cases)
    EXPECT_NE(errorOf(contribution(Records)).find(Message.str()),
              std::string::npos)
        << Message.str() << " in: " << errorOf(contribution(Records));
  // Its tables serve the records behind it.
  EXPECT_EQ(errorOf(contribution(compressed(references()) + Some)), "");
  // Names are wanted alone, and are in no compressed record.
  Error E = visitNames(contribution(record(20, "\1not a stream")),
                       [](uint64_t) { FAIL(); });
  EXPECT_FALSE(static_cast<bool>(E));
  consumeError(std::move(E));
}

} // namespace
