// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines over every base, against a brute-force count of bytes; what counts as
// isolation on purpose.

#include "Analysis/Names/RecordLines.h"
#include "ParsedUnit.h"
#include <random>
#include <set>

using namespace clang;
using namespace linesman::tidy;

namespace {

RecordLines linesOf(ParsedUnit &Unit, const char *Name, uint64_t Line = 64) {
  auto Lines =
      RecordLines::build(Unit.get<RecordDecl>(Name), Unit.context(), Line);
  EXPECT_TRUE(Lines) << Name;
  return *Lines;
}

/// The definition, byte by byte. Alternatives of a union are no neighbours.
double fractionByBytes(const RecordLines &Lines, const FieldSpan &A,
                       const FieldSpan &B) {
  if (A.Field != B.Field && A.Offset < B.Offset + B.Size &&
      B.Offset < A.Offset + A.Size)
    return 0;
  unsigned Bases = 0, Shared = 0;
  for (uint64_t Base = 0; Base < Lines.lineSize(); ++Base) {
    if (Base % std::min(Lines.alignment(), Lines.lineSize()) != 0)
      continue;
    std::set<uint64_t> OfA, Common;
    for (uint64_t I = 0; I != A.Size; ++I)
      OfA.insert((Base + A.Offset + I) / Lines.lineSize());
    for (uint64_t I = 0; I != B.Size; ++I)
      if (OfA.count((Base + B.Offset + I) / Lines.lineSize()))
        Common.insert(I);
    ++Bases;
    Shared += !Common.empty();
  }
  return double(Shared) / Bases;
}

TEST(RecordLinesTest, PairsMoreThanALineApartNeverShare) {
  ParsedUnit Unit("struct R { long a; char b[120]; long c; long d; };");
  RecordLines Lines = linesOf(Unit, "R");
  FieldSpan A = *Lines.find(Unit.get<FieldDecl>("a"));
  FieldSpan C = *Lines.find(Unit.get<FieldDecl>("c"));
  FieldSpan D = *Lines.find(Unit.get<FieldDecl>("d"));
  EXPECT_EQ(Lines.sharing(A, C), LineSharing::Never);
  EXPECT_EQ(Lines.sharing(C, D), LineSharing::Possible);
  EXPECT_DOUBLE_EQ(Lines.sharingFraction(C, D), 7.0 / 8);
}

TEST(RecordLinesTest, LineAlignedRecordsAreCertain) {
  ParsedUnit Unit("struct alignas(64) R { long a, b; char c[48]; long d; };");
  RecordLines Lines = linesOf(Unit, "R");
  FieldSpan A = *Lines.find(Unit.get<FieldDecl>("a"));
  FieldSpan B = *Lines.find(Unit.get<FieldDecl>("b"));
  FieldSpan D = *Lines.find(Unit.get<FieldDecl>("d"));
  EXPECT_EQ(Lines.sharing(A, B), LineSharing::Certain);
  EXPECT_EQ(Lines.sharing(A, D), LineSharing::Never);
  EXPECT_FALSE(Lines.isolatesDeliberately());
  // The same record on a machine with longer lines.
  EXPECT_EQ(linesOf(Unit, "R", 128).sharing(A, D), LineSharing::Possible);
}

TEST(RecordLinesTest, BasesAnonymousMembersAndBitFieldsHaveTheirPlaces) {
  ParsedUnit Unit("struct Base { long x; };"
                  "struct R : Base { struct { int y, z; }; "
                  "  unsigned p : 3, q : 7; struct {} none[0]; };");
  RecordLines Lines = linesOf(Unit, "R");
  std::vector<std::tuple<std::string, uint64_t, uint64_t>> Found;
  for (const FieldSpan &Span : Lines.fields())
    Found.emplace_back(Span.Field->getNameAsString(), Span.Offset, Span.Size);
  std::vector<std::tuple<std::string, uint64_t, uint64_t>> Expected = {
      {"x", 0, 8}, {"y", 8, 4}, {"z", 12, 4}, {"p", 16, 1}, {"q", 16, 2}};
  EXPECT_EQ(Found, Expected);
}

TEST(RecordLinesTest, WhatHasNoLayoutHasNoLines) {
  ParsedUnit Unit("struct Incomplete; union Either { int a; long b; };"
                  "template <typename T> struct Pattern { T t; };");
  for (const char *Name : {"Incomplete", "Either", "Pattern"})
    EXPECT_FALSE(
        RecordLines::build(Unit.get<RecordDecl>(Name), Unit.context(), 64))
        << Name;
}

TEST(RecordLinesTest, IsolationIsSeenInFieldsTypesAndPadding) {
  ParsedUnit Unit("struct alignas(64) Own { long v; };"
                  "struct ByField { alignas(64) long a; long b; };"
                  "struct ByType { Own a; long b; };"
                  "struct ByPadding { long a; char pad[56]; long b; };"
                  "struct Small { char a; char pad[7]; long b; };");
  EXPECT_TRUE(linesOf(Unit, "ByField").isolatesDeliberately());
  EXPECT_TRUE(linesOf(Unit, "ByType").isolatesDeliberately());
  EXPECT_TRUE(linesOf(Unit, "ByPadding").isolatesDeliberately());
  EXPECT_FALSE(linesOf(Unit, "Small").isolatesDeliberately());
}

TEST(RecordLinesTest, AgreesWithCountingBytesOnRandomRecords) {
  std::mt19937 Random(20260101);
  for (unsigned Round = 0; Round != 40; ++Round) {
    std::string Code = "struct ";
    if (Random() % 2)
      Code += "alignas(" + std::to_string(8u << (Random() % 4)) + ") ";
    Code += "R {";
    unsigned Count = 2 + Random() % 6;
    for (unsigned I = 0; I != Count; ++I) {
      const char *Types[] = {"char", "short", "int", "long", "double"};
      Code += std::string(Types[Random() % 5]) + " f" + std::to_string(I);
      if (Random() % 3 == 0)
        Code += "[" + std::to_string(1 + Random() % 40) + "]";
      Code += ";";
      if (Random() % 8 == 0)
        Code += "union { char u" + std::to_string(I) + "; long v" +
                std::to_string(I) + "[20]; };";
    }
    ParsedUnit Unit(Code + "};");
    for (uint64_t Line : {32, 64, 128}) {
      RecordLines Lines = linesOf(Unit, "R", Line);
      for (const FieldSpan &A : Lines.fields())
        for (const FieldSpan &B : Lines.fields()) {
          const double Fraction = Lines.sharingFraction(A, B);
          ASSERT_DOUBLE_EQ(Fraction, fractionByBytes(Lines, A, B))
              << Code << " " << A.Offset << " " << B.Offset;
          const llvm::ArrayRef<FieldSpan> Neighbours = Lines.fieldsNear(A);
          ASSERT_TRUE(Fraction == 0 ||
                      (&B >= Neighbours.begin() && &B < Neighbours.end()))
              << Code << " " << A.Offset << " " << B.Offset;
        }
    }
  }
}

} // namespace
