// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decoder against byte literals: what each record means, every complaint,
// random damage, and the annotated example of docs/facts-format.md.

#include "FactBytes.h"
#include "linesman/Facts/Facts.h"
#include "linesman/Facts/Format.h"
#include "linesman/Facts/Pointers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <random>
#include <vector>

using namespace llvm;
using namespace linesman::facts;

namespace {

std::string good() {
  return contribution(files() + functions(0x1000) + objects(0x2000) +
                      references() + record(5, calls()) + record(9, "\1") +
                      record(1, access()) + types() + record(6, typeAccess()) +
                      record(11, pointers()));
}

TEST(Decode, ReadsAllFields) {
  std::string Section = good() + good();
  unsigned Visits = 0;
  auto Counts = decodeFacts(Section, Strings, [&](const Fact &F) {
    ++Visits;
    EXPECT_EQ(F.Function, 0x1000u);
    EXPECT_EQ(F.Object, 0x2000u);
    EXPECT_EQ(F.FunctionName, "f");
    EXPECT_EQ(F.DeclFile, "a.c");
    EXPECT_EQ(F.DeclLine, 7u);
    EXPECT_FALSE(F.IsInitializer);
    EXPECT_TRUE(F.HasProfile);
    ASSERT_EQ(F.Accesses.size(), 1u);
    const Access &A = F.Accesses[0];
    EXPECT_EQ(A.Kind, AccessKind::Write);
    EXPECT_EQ(A.Offset, 300u);
    EXPECT_EQ(A.Size, 8u);
    EXPECT_EQ(A.Weight, 1.0);
    EXPECT_EQ(A.File, "a.c");
    EXPECT_EQ(A.Line, 9u);
    EXPECT_EQ(A.StagesBefore, 1u);
  });
  ASSERT_TRUE(static_cast<bool>(Counts)) << toString(Counts.takeError());
  EXPECT_EQ(Visits, 2u);
  EXPECT_EQ(Counts->Contributions, 2u);
  EXPECT_EQ(Counts->Facts, 2u);
}

TEST(Decode, ReadsCalls) {
  const FunctionRef F{FunctionRef::Name, hashName("f")};
  const FunctionRef H{FunctionRef::Address, 0x1100};
  const FunctionRef K{FunctionRef::Name, hashName("k")};
  // h calls through a pointer of type 7, twice in one circle; the table takes
  // the address of f.
  std::string More("\1\2\x27\7\0\x0f\0\4\1\2\2", 11);
  std::vector<Calls> Seen;
  auto Counts = decodeFacts(
      contribution(references() + record(5, calls() + More)), Strings,
      [](const Fact &) {}, [&](const Calls &C) { Seen.push_back(C); });
  ASSERT_TRUE(static_cast<bool>(Counts)) << toString(Counts.takeError());
  EXPECT_EQ(Counts->Callers, 3u);
  ASSERT_EQ(Seen.size(), 3u);

  EXPECT_EQ(Seen[0].Caller, F);
  ASSERT_EQ(Seen[0].Edges.size(), 2u);
  const CallEdge &Start = Seen[0].Edges[0], &Call = Seen[0].Edges[1];
  EXPECT_EQ(Start.Kind, CallKind::Start);
  EXPECT_EQ(Start.Callee, H);
  EXPECT_EQ(Start.Weight, 1);
  EXPECT_EQ(Start.Stage, 0u);
  EXPECT_FALSE(Start.InLoop);
  EXPECT_EQ(Call.Kind, CallKind::Direct);
  EXPECT_EQ(Call.Callee, K);
  EXPECT_EQ(Call.Weight, 32);
  EXPECT_EQ(Call.Stage, 1u);
  EXPECT_TRUE(Call.InLoop);

  EXPECT_EQ(Seen[1].Caller, H);
  ASSERT_EQ(Seen[1].Edges.size(), 2u);
  const CallEdge &Indirect = Seen[1].Edges[0];
  EXPECT_EQ(Indirect.Kind, CallKind::Indirect);
  EXPECT_EQ(Indirect.Callee, FunctionRef());
  EXPECT_EQ(Indirect.Signature, 7);
  EXPECT_EQ(Seen[1].Edges[1].Stage, 0u);

  EXPECT_EQ(Seen[2].Caller.Kind, FunctionRef::Table);
  ASSERT_EQ(Seen[2].Edges.size(), 1u);
  EXPECT_EQ(Seen[2].Edges[0].Kind, CallKind::Address);
  EXPECT_EQ(Seen[2].Edges[0].Callee, F);
}

TEST(Decode, ReadsTypeFacts) {
  // Then, h reads an element of an array in S somewhere, as often as not after
  // two stages; writes S somewhere; and writes S on line 5 of the same file.
  std::string More =
      columns({StringRef("\2\1\0\1\1\1\0\3\2", 9), "\x4e\xf4\1\1", "\x88\x7c",
               "\x10\x18", StringRef("\x08\4\0\0", 4),
               StringRef("\x25\1\1\0\0\x0f\1", 7)});
  std::vector<TypeFact> Seen;
  auto Counts = decodeFacts(
      good() + contribution(files() + references() + types() + record(6, More)),
      Strings, [](const Fact &) {}, nullptr,
      [&](const TypeFact &F) { Seen.push_back(F); });
  ASSERT_TRUE(static_cast<bool>(Counts)) << toString(Counts.takeError());
  EXPECT_EQ(Counts->TypeFacts, 3u);
  ASSERT_EQ(Seen.size(), 3u);
  EXPECT_EQ(Seen[0].Unit, 0u);
  EXPECT_EQ(Seen[1].Unit, good().size());
  for (const TypeFact &F : Seen) {
    EXPECT_EQ(F.Type.Name, "S");
    EXPECT_EQ(F.Type.Size, 48u);
    EXPECT_EQ(F.Type.Alignment, 8u);
    EXPECT_EQ(F.Type.Fingerprint, 0x1234u);
  }
  EXPECT_EQ(Seen[0].Function, (FunctionRef{FunctionRef::Name, hashName("f")}));
  ASSERT_EQ(Seen[0].Accesses.size(), 1u);
  const TypeAccess &A = Seen[0].Accesses[0];
  EXPECT_EQ(A.Kind, AccessKind::Atomic);
  EXPECT_EQ(A.Offset, 16u);
  EXPECT_EQ(A.Size, 8u);
  EXPECT_EQ(A.Weight, 4);
  EXPECT_EQ(A.File, "a.c");
  EXPECT_EQ(A.Line, 9u);
  EXPECT_TRUE(A.IsSynchronised);
  EXPECT_FALSE(A.IsLock || A.IsElement || A.IsIndexed || A.StagesBefore);

  EXPECT_EQ(Seen[2].Function, (FunctionRef{FunctionRef::Address, 0x1100}));
  ASSERT_EQ(Seen[2].Accesses.size(), 3u);
  const TypeAccess &B = Seen[2].Accesses[0], &C = Seen[2].Accesses[1];
  EXPECT_EQ(Seen[2].Accesses[2].File, "a.c");
  EXPECT_EQ(Seen[2].Accesses[2].Line, 5u);
  EXPECT_EQ(B.Kind, AccessKind::Read);
  EXPECT_EQ(B.Weight, 0.5);
  EXPECT_EQ(B.Offset, 24u);
  EXPECT_TRUE(B.IsElement && B.IsIndexed);
  EXPECT_FALSE(B.IsSynchronised);
  EXPECT_EQ(B.File, "");
  EXPECT_EQ(B.Line, 0u);
  EXPECT_EQ(B.StagesBefore, 2u);
  EXPECT_EQ(C.Kind, AccessKind::Write);
  EXPECT_EQ(C.Weight, 1);
  EXPECT_EQ(C.Offset, std::nullopt);
}

TEST(Decode, TellsLocksApart) {
  std::string Lock = typeAccess();
  Lock[9] |= 3;
  auto Counts = decodeFacts(
      contribution(files() + references() + types() + record(6, Lock)), Strings,
      [](const Fact &) {}, nullptr,
      [](const TypeFact &F) {
        EXPECT_EQ(F.Accesses[0].Kind, AccessKind::Atomic);
        EXPECT_TRUE(F.Accesses[0].IsLock);
      });
  ASSERT_TRUE(static_cast<bool>(Counts)) << toString(Counts.takeError());
  EXPECT_EQ(Counts->TypeFacts, 1u);
}

TEST(Decode, DropsTypeFactsOfDiscardedFunctions) {
  std::string Payload = typeAccess();
  Payload[5] = 1;
  auto Counts = decodeFacts(
      contribution(files() + references(0) + types() + record(6, Payload)),
      Strings, [](const Fact &) {}, nullptr,
      [](const TypeFact &) { FAIL() << "h was discarded"; });
  ASSERT_TRUE(static_cast<bool>(Counts)) << toString(Counts.takeError());
  EXPECT_EQ(Counts->TypeFacts, 0u);
}

TEST(Decode, TellsNamelessTablesApart) {
  std::string One = contribution(record(5, StringRef("\1\1\0\0\2\1\0\0", 8)));
  std::vector<uint64_t> Seen;
  auto Counts = decodeFacts(
      One + One, Strings, [](const Fact &) {},
      [&](const Calls &C) { Seen.push_back(C.Caller.Value); });
  ASSERT_TRUE(static_cast<bool>(Counts)) << toString(Counts.takeError());
  std::sort(Seen.begin(), Seen.end());
  ASSERT_EQ(Seen.size(), 4u);
  EXPECT_EQ(std::unique(Seen.begin(), Seen.end()), Seen.end());
}

TEST(Decode, DropsCallsOfDiscardedFunctions) {
  for (uint64_t Discarded : {uint64_t(0), UINT64_MAX - 1, UINT64_MAX}) {
    auto Counts = decodeFacts(
        contribution(references(Discarded) +
                     record(5, StringRef("\1\1\0\3\2\1\0\1", 8))),
        Strings, [](const Fact &) {},
        [](const Calls &C) {
          EXPECT_EQ(C.Caller.Kind, FunctionRef::Name);
          EXPECT_EQ(C.Edges[0].Callee, (FunctionRef{FunctionRef::Address, 0}));
        });
    ASSERT_TRUE(static_cast<bool>(Counts)) << toString(Counts.takeError());
    EXPECT_EQ(Counts->Callers, 1u);
  }
}

TEST(Decode, NoNameHashesToAllOnes) {
  std::string Names;
  append(Names, UINT64_MAX, 8);
  auto Counts = decodeFacts(
      contribution(record(7, Names) + record(5, StringRef("\1\0", 2))), Strings,
      [](const Fact &) {}, [](const Calls &) { FAIL() << "it is nobody"; });
  ASSERT_TRUE(static_cast<bool>(Counts)) << toString(Counts.takeError());
  EXPECT_EQ(Counts->Callers, 0u);
}

TEST(Decode, VisitsNamesOnly) {
  std::vector<uint64_t> Names;
  auto Visit = [&](uint64_t Hash) { Names.push_back(Hash); };
  Error E = visitNames(good() + good(), Visit);
  ASSERT_FALSE(static_cast<bool>(E)) << toString(std::move(E));
  uint64_t F = hashName("f"), K = hashName("k");
  EXPECT_EQ(Names, (std::vector<uint64_t>{F, K, F, K}));
  E = visitNames(contribution(record(7, "short")), Visit);
  EXPECT_NE(toString(std::move(E)).find("name table has 5 bytes"),
            std::string::npos);
}

TEST(Decode, CountsUnitsThatHaveNothingToSay) {
  auto Counts =
      decodeFacts(contribution("") + good(), Strings, [](const Fact &) {});
  ASSERT_TRUE(bool(Counts));
  EXPECT_EQ(Counts->EmptyContributions, 1u);
  EXPECT_EQ(Counts->Contributions, 1u);
}

TEST(Decode, CountsWhatItPassesOver) {
  auto Counts = decodeFacts(
      contribution(functions(0) + objects(0x2000, 0) + record(1, access())) +
          contribution(files() + functions(1) + objects(0) +
                       record(1, access()) + record(99, "any")),
      Strings, [](const Fact &F) { EXPECT_EQ(F.Object, 0u); });
  ASSERT_TRUE(static_cast<bool>(Counts)) << toString(Counts.takeError());
  EXPECT_EQ(Counts->DeadFunctions, 1u);
  EXPECT_EQ(Counts->ForeignObjects, 1u);
  EXPECT_EQ(Counts->UnknownRecords, 1u);
  EXPECT_EQ(Counts->Facts, 1u);
}

TEST(Decode, SaysWhatIsWrongAndWhere) {
  auto Tables = files() + functions(1) + objects(2);
  auto Payloaded = [&](StringRef Payload) {
    return contribution(Tables + record(1, Payload));
  };
  std::string Version = good();
  Version[4] = 9;
  std::string Size = good();
  Size[10] = 1;
  EXPECT_EQ(errorOf(""), "");
  EXPECT_EQ(errorOf("abc"), "facts section at offset 0x0: 3 bytes left, "
                            "expected a contribution's header of 12");
  EXPECT_EQ(errorOf("abcdefghijklmnop"),
            "facts section at offset 0x0: found magic 0x64636261, expected "
            "0x43464d4c");
  EXPECT_EQ(errorOf(Version),
            "facts section at offset 0x4: found version 9, expected 2: "
            "its unit was compiled with the plugin of another release; "
            "compile it again");
  EXPECT_NE(errorOf(Size).find("offset 0x8: found a contribution of"),
            std::string::npos);
  auto WithCalls = [&](StringRef Payload) {
    return contribution(references() + record(5, Payload));
  };
  auto WithOrder = [&](StringRef Payload) {
    return contribution(Tables + record(9, Payload) + record(1, access()));
  };
  auto WithTypes = [&](std::string Payload) {
    return contribution(files() + references() + types() + record(6, Payload));
  };
  // The access of one function to one type, and where it is.
  auto OneType = [&](StringRef Flags, StringRef Weights, StringRef Offsets,
                     StringRef Sizes, StringRef Places, StringRef Stages = "") {
    return WithTypes(columns({std::string("\2\1\0\1", 4) + Stages.str(), Flags,
                              Weights, Offsets, Sizes, Places}));
  };
  auto HeadsOf = [&](StringRef Heads, StringRef Flags = "") {
    return WithTypes(columns({Heads, Flags, "", "", "", ""}));
  };
  std::string Aligned = types();
  Aligned[14] = 40;
  const std::pair<std::string, StringRef> Cases[] = {
      {contribution(record(10, "abc")), "type table has 3 bytes"},
      {contribution(types() + types()), "second type table"},
      {WithTypes(""), "found columns beyond their record"},
      {WithTypes("\2\2\2\2"), "found columns beyond their record"},
      {WithTypes(std::string("\1\0\0\0\0", 5)), "columns beyond their record"},
      {WithTypes("\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\1\1\1\1"),
       "found columns beyond their record"},
      {HeadsOf("\2"), "no function and number of types"},
      {HeadsOf(StringRef("\0\0", 2)), "no function and number of types"},
      {HeadsOf("\2\7\1"), "no function and number of types"},
      {HeadsOf("\2\1\1"), "no type and number of accesses"},
      {HeadsOf(StringRef("\2\1\1\0", 4)), "type index 1, expected less"},
      {HeadsOf(StringRef("\2\1\0\1", 4)), "no type and number of accesses"},
      {HeadsOf(StringRef("\2\1\0\0", 4), "\1"), "a column with 1 bytes more"},
      {OneType("\4", "", "", "\1", StringRef("\0", 1)), "an access beyond its"},
      {OneType("\x40", "", "", "\1", StringRef("\0", 1)), "an access beyond"},
      {OneType("\1", "", "", "", StringRef("\0", 1)), "an access beyond its"},
      {OneType("\1", "", "", "\1", ""), "an access beyond its record"},
      {OneType("\1", "", "", "\1", "\1"), "an access beyond its record"},
      {OneType("\1", "", "", "\1\1", StringRef("\0", 1)), "1 bytes more"},
      {OneType("\1", "", "", "\1", "\1\7"), "file number 7"},
      // Line -1, the last line that there is, the one behind it, and far off.
      {OneType("\1", "", "", "\1", "\2"), "beyond 32 bits"},
      {OneType("\1", "", "", "\1", "\xfd\xff\xff\xff\x3f\1"), ""},
      {OneType("\1", "", "", "\1", "\x81\x80\x80\x80\x40\1"), "beyond 32 bits"},
      {OneType("\1", "", "", "\1", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\1"),
       "beyond 32 bits"},
      {OneType("\x81", "", "", "\1", StringRef("\0", 1),
               "\xff\xff\xff\xff\x7f"),
       "beyond 32 bits"},
      {contribution(
           references() + Aligned +
           record(6, columns({StringRef("\2\1\0\0", 4), "", "", "", "", ""}))),
       "alignment 2^40"},
      {contribution(record(7, "abc")), "name table has 3 bytes"},
      {contribution(record(8, "abc")), "local function table has 3 bytes"},
      {WithCalls("\2"), "no caller and number of edges"},
      {WithCalls(StringRef("\0\0", 2)), "found caller 0"},
      {WithCalls("\2\1"), "found caller 2 with 1 edges, expected at most 0"},
      {WithCalls(StringRef("\2\2\0\3", 4)), "an edge beyond its record"},
      {WithCalls("\2\1\x40\3"), "flags of a call 0x40"},
      {WithCalls("\2\1\x10\3"), "an edge beyond its record"},
      {WithCalls("\2\1\x20\3"), "an edge beyond its record"},
      {WithCalls(StringRef("\2\1\x10\0\0\xc0\xff\3", 8)), "found a weight"},
      {WithCalls(StringRef("\2\1\0\xff\x7f", 5)), "found callee 16383"},
      {WithOrder(""), "an order of fewer than 1 accesses"},
      {WithOrder("\xff\xff\xff\xff\x7f"), "a number beyond 32 bits"},
      {WithOrder("\1\1"), "an order of more than 1 accesses"},
      {contribution("abc"), "expected a record's header of 6"},
      {contribution(StringRef("\1\0\x7f\0\0\0", 6)), "found a record of 127"},
      {contribution(files() + files()), "second file table"},
      {contribution(record(3, "abc")), "expected a multiple of 13"},
      {Payloaded(""), "no function and object index"},
      {Payloaded(StringRef("\1\0", 2)),
       "function index 1, expected less than 1"},
      {Payloaded(StringRef("\0\1", 2)), "object index 1, expected less than 1"},
      {Payloaded(StringRef("\0\0\1", 3)), "expected an access of at least 8"},
      {Payloaded(StringRef("\0\0\3\0\0\0\0\0\0\0", 10)), "access flags 0x3"},
      {Payloaded(StringRef("\0\0\x08\0\0\0\0\0\0\0", 10)), "access flags 0x8"},
      {Payloaded(StringRef("\0\0\1\0\0\xc0\xff\0\0\0", 10)), "not a number"},
      {Payloaded(StringRef("\0\0\1\0\0\x80\x7f\0\0\0", 10)), "weight that is"},
      {Payloaded(StringRef("\0\0\5\0\0\0\0\0\0\x80", 10)), "beyond its record"},
      {Payloaded(StringRef("\0\0\1\0\0\0\0\0\2\0", 10)), "file number 2"},
      {Payloaded(StringRef("\0\0\1\0\0\0\0\0\0\xff\xff\xff\xff\x7f", 14)),
       "expected 32 bits"},
      {contribution(files() + functions(1) + objects(2, 1, 10) +
                    record(1, access())),
       "string offset 0xa, expected less than 0xa"},
  };
  for (const auto &[Bytes, Message] : Cases)
    if (Message.empty())
      EXPECT_EQ(errorOf(Bytes), "");
    else
      EXPECT_NE(errorOf(Bytes).find(Message.str()), std::string::npos)
          << Message.str() << " in: " << errorOf(Bytes);
  EXPECT_NE(errorOf(good(), StringRef("f\0g", 3)).find("has no end"),
            std::string::npos);
}

// The uses of one function of a contribution with tables.
std::vector<PointerUse> usesOf(StringRef Payload) {
  std::string Section = contribution(files() + objects(0x2000) + references() +
                                     types() + record(11, Payload));
  std::vector<PointerUse> Uses;
  auto Counts = decodeFacts(
      Section, Strings, [](const Fact &) {}, nullptr, nullptr,
      [&](const PointerFacts &F) {
        Uses.insert(Uses.end(), F.Uses.begin(), F.Uses.end());
      });
  EXPECT_TRUE(static_cast<bool>(Counts)) << toString(Counts.takeError());
  return Uses;
}

TEST(Decode, ReadsUsesOfPointers) {
  unsigned Visits = 0;
  auto Counts = decodeFacts(
      good(), Strings, [](const Fact &) {}, nullptr, nullptr,
      [&](const PointerFacts &F) {
        ++Visits;
        EXPECT_EQ(F.Function.Value, hashName("f"));
        EXPECT_TRUE(F.HasProfile);
        ASSERT_EQ(F.Uses.size(), 1u);
        const PointerUse &U = F.Uses[0];
        EXPECT_EQ(U.Kind, PointerUse::Handed);
        EXPECT_EQ(U.Source.Kind, Origin::Object);
        EXPECT_EQ(U.Source.Value, 0x2000u);
        EXPECT_EQ(U.Offset, 8);
        EXPECT_EQ(U.Callee.Value, hashName("k"));
        EXPECT_EQ(U.Parameter, 0u);
        EXPECT_EQ(U.File, "a.c");
        EXPECT_EQ(U.Line, 9u);
        EXPECT_FALSE(U.IsMay);
      });
  ASSERT_TRUE(static_cast<bool>(Counts)) << toString(Counts.takeError());
  EXPECT_EQ(Visits, 1u);
  EXPECT_EQ(Counts->PointerFacts, 1u);
  EXPECT_EQ(Counts->UnknownRecords, 0u);
}

TEST(Decode, ReadsEachKindOfUseAndOrigin) {
  // Parameter 1 - 8, an atomic access of 4 bytes, weight 4, unless it is the
  // object + 16, 3 stages before; what S + 8 holds, somewhere, is stored into
  // the object at 24; what k returned is returned.
  auto Uses = usesOf(columns(
      {StringRef("\2\6\0\x10\3", 5), StringRef("\xa4\x1a\x4f\4\x0a\0", 6),
       StringRef("\1\0\x08\3", 4), "\x78", "\x88", "\4\1\x19", ""}));
  ASSERT_EQ(Uses.size(), 3u);
  EXPECT_EQ(Uses[0].Kind, PointerUse::Access);
  EXPECT_EQ(Uses[0].Source.Kind, Origin::Parameter);
  EXPECT_EQ(Uses[0].Source.Value, 1u);
  EXPECT_EQ(Uses[0].Offset, -8);
  EXPECT_EQ(Uses[0].Does, AccessKind::Atomic);
  EXPECT_EQ(Uses[0].Size, 4u);
  EXPECT_EQ(Uses[0].Weight, 4);
  EXPECT_EQ(Uses[0].Except, 0x2010u);
  EXPECT_EQ(Uses[0].StagesBefore, 3u);
  EXPECT_EQ(Uses[1].Kind, PointerUse::Stored);
  EXPECT_EQ(Uses[1].Source.Kind, Origin::Field);
  EXPECT_EQ(Uses[1].Source.Record, "S");
  EXPECT_EQ(Uses[1].Source.Offset, 8u);
  EXPECT_EQ(Uses[1].Offset, std::nullopt);
  EXPECT_TRUE(Uses[1].IsMay);
  EXPECT_EQ(Uses[1].Destination.Kind, Origin::Variable);
  EXPECT_EQ(Uses[1].Destination.Value, 0x2000u);
  EXPECT_EQ(Uses[1].Destination.Offset, 24u);
  EXPECT_EQ(Uses[2].Kind, PointerUse::Returned);
  EXPECT_EQ(Uses[2].Source.Kind, Origin::Result);
  EXPECT_EQ(Uses[2].Source.Function.Value, hashName("k"));
}

TEST(Decode, ReadsLocksThatAreHandedOn) {
  // The object, a lock of 16 bytes there; and the same bytes, added to.
  auto Uses = usesOf(columns({"\2\4", StringRef("\0\3\0\2", 4),
                              StringRef("\0\0", 2), "", "", "\x10\x10", ""}));
  ASSERT_EQ(Uses.size(), 2u);
  EXPECT_TRUE(Uses[0].IsLock);
  EXPECT_EQ(Uses[0].Does, AccessKind::Atomic);
  EXPECT_EQ(Uses[0].Size, 16u);
  EXPECT_FALSE(Uses[1].IsLock);
  EXPECT_EQ(Uses[1].Does, AccessKind::Atomic);
}

// What is wrong with the uses of one function.
std::string errorOfUses(std::initializer_list<StringRef> Columns) {
  return errorOf(contribution(files() + objects(0x2000) + references() +
                              types() + record(11, columns(Columns))));
}

TEST(Decode, RefusesUsesThatDoNotFit) {
  const StringRef Zero("\0", 1), Zeros("\0\0", 2);
  EXPECT_EQ(errorOfUses({"\2\2", Zeros, Zero, "", "", "\1", ""}), "");
  for (const std::string &Error : {
           errorOfUses({"\2", "", "", "", "", "", ""}),
           errorOfUses({"\2\4", Zero, Zero, "", "", "\1", ""}),
           errorOfUses({"\2\2", Zero, Zero, "", "", "\1", ""}),
           // No kind of origin, no flag.
           errorOfUses({"\2\2", StringRef("\x18\0", 2), "\1", "", "", "", ""}),
           errorOfUses(
               {"\2\2", StringRef("\0\x40", 2), Zero, "", "", "\1", ""}),
           // Object 1 of 1, type 1 of 1.
           errorOfUses({"\2\2", Zeros, "\1", "", "", "\1", ""}),
           errorOfUses({"\2\2", StringRef("\x0c\0", 2), StringRef("\1\0", 2),
                        "", "", "\1", ""}),
           // An offset without an end, no weight, no size, no stages.
           errorOfUses(
               {"\2\2", StringRef("\x24\0", 2), "\1", "\x80", "", "\1", ""}),
           errorOfUses(
               {"\2\2", StringRef("\x80\0", 2), Zero, "", "", "\1", ""}),
           errorOfUses({"\2\2", Zeros, Zero, "", "", "", ""}),
           errorOfUses(
               {"\2\2", StringRef("\0\x10", 2), Zero, "", "", "\1", ""}),
           // No place, line -1, a line far off.
           errorOfUses(
               {"\2\2", StringRef("\0\x20", 2), Zero, "", "", "\1", ""}),
           errorOfUses(
               {"\2\2", StringRef("\0\x20", 2), Zero, "", "", "\1", "\3\1"}),
           errorOfUses({"\2\2", StringRef("\0\x20", 2), Zero, "", "", "\1",
                        "\xff\xff\xff\xff\xff\xff\xff\xff\xff\1\1"}),
       })
    EXPECT_NE(Error.find("pointer"), std::string::npos) << Error;
  EXPECT_NE(
      errorOfUses({"\2\2", StringRef("\0\x20", 2), Zero, "", "", "\1", "\1\2"})
          .find("file number 2, expected at most 1"),
      std::string::npos);
  EXPECT_NE(errorOfUses({"\2\2", Zeros, Zero, "", "", "\1", "\1"})
                .find("1 bytes more"),
            std::string::npos);
}

TEST(Decode, SurvivesDamage) {
  std::mt19937 Random(20240607);
  std::string Whole = good() + good() +
                      contribution(files() + types() + references() +
                                   compressed(record(6, typeAccess()) +
                                              record(11, pointers())));
  for (int Round = 0; Round < 200000; ++Round) {
    // A copy on the heap with no byte to spare, for the sanitizers.
    std::vector<char> Bytes(Whole.begin(), Whole.end());
    for (unsigned I = Random() % 4; I != 0; --I)
      Bytes[Random() % Bytes.size()] = static_cast<char>(Random());
    if (Random() % 4 == 0)
      Bytes.resize(Random() % Bytes.size());
    auto Counts = decodeFacts(
        StringRef(Bytes.data(), Bytes.size()),
        Strings.take_front(Random() % (Strings.size() + 1)),
        [](const Fact &F) { ASSERT_LE(F.Accesses.size(), 8u); }, nullptr,
        [](const TypeFact &F) { ASSERT_LE(F.Accesses.size(), 80u); },
        [](const PointerFacts &F) { ASSERT_LE(F.Uses.size(), 80u); });
    if (!Counts)
      EXPECT_NE(toString(Counts.takeError()), "");
  }
}

// The lines of the document's dump are "offset  hex bytes  meaning".
TEST(Format, DocumentIsTrue) {
  auto File = MemoryBuffer::getFile(FACTS_FORMAT_DOC);
  ASSERT_TRUE(static_cast<bool>(File));
  auto Dump = (*File)->getBuffer().split("```dump\n").second.split("```").first;
  std::string Section;
  SmallVector<StringRef, 32> Lines;
  Dump.split(Lines, '\n', -1, false);
  for (StringRef Line : Lines) {
    unsigned Offset = 0;
    ASSERT_FALSE(Line.take_front(2).getAsInteger(16, Offset)) << Line.str();
    EXPECT_EQ(Offset, Section.size()) << Line.str();
    for (StringRef Rest = Line.substr(4);
         Rest.size() >= 2 && isHexDigit(Rest[0]) && isHexDigit(Rest[1]);
         Rest = Rest.drop_front(std::min<size_t>(3, Rest.size())))
      Section += fromHex(Rest.take_front(2));
  }
  EXPECT_EQ(toHex(Section), toHex(good()));
}

} // namespace
