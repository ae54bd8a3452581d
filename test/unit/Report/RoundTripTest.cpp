// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is read of a finding and written again is what it was, for each kind of
// finding: no key that a command writes is unknown to the reader.

#include "linesman/Report/Document.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman::report;

namespace {

struct Kind {
  const char *Name;
  StringLiteral Json;
};

constexpr Kind Kinds[] = {
    {"Variable", R"json({"id": "hits", "rung": "located", "kind": "mixed",
      "score": 12.5,
      "score_parts": {"same_bytes": 2, "other_objects": 10.5, "same_object": 0},
      "line": {"address": "0x4040", "section": ".data", "page": "0x4000"},
      "like_lines": 1, "threads_meet_by": "lock", "behind_lock": "guard",
      "marks": "..ww", "occupants": [
        {"symbol": "_ZL4hits", "name": "hits", "member": "a.b",
         "address": "0x4042", "size": 2,
         "object": {"address": "0x4040", "size": 8, "file": "a.cpp",
                    "origin": "anonymous", "aliases": ["other"]},
         "source": "a.cpp:3", "reads": 0, "writes": 2.5, "atomics": 0,
         "written_by": ["worker"], "read_by": [],
         "members": [{"member": "a.b", "address": "0x4042", "size": 1,
                      "first_bit": 0, "bits": 3,
                      "reads": 0, "writes": 1, "atomics": 0}],
         "arrays": [{"member": "c", "elements": 4, "stride": 16,
                     "per_line": 4}],
         "sites": [{"function": "f(int)", "source": "a.cpp:9",
                    "instruction": "0x1010",
                    "inlined_into": [{"function": "g", "source": ""}],
                    "through": "set(Item*)", "through_source": "0x1020",
                    "perhaps": true, "access": "write", "touches": ["a.b"],
                    "weight": 2.5, "role": "concurrent", "roles": ["worker"]}],
         "perhaps_writes": 1, "more_sites": 7},
        {"symbol": "[hole]", "name": "[hole]", "address": "0x4044", "size": 60,
         "reads": 0, "writes": 0, "atomics": 0, "sites": []}],
      "remedy": {"kind": "isolate", "text": "move it",
                 "symbols": ["hits"]}})json"},
    {"Field", R"json({"id": "Cache::hits", "rung": "suspected", "kind": "mixed",
      "score": 3, "member": "hits",
      "type": {"name": "Cache", "size": 128, "alignment": 8,
               "source": "cache.h:4", "synchronised": true, "array": false,
               "phases": 8, "partner": "limit", "shared_phases": 5},
      "line": {"offset": -16}, "marks": "w", "occupants": [
        {"symbol": "Cache::hits", "name": "Cache::hits", "offset": 0,
         "member": "hits", "size": 8, "reads": 1, "writes": 2, "atomics": 0,
         "sites": []}],
      "remedy": {"kind": "alignas", "text": "align it"}})json"},
    {"Check", R"json({"id": "Cache::hits", "rung": "suspected",
      "kind": "false-sharing", "score": 0, "subject": "field",
      "field": "Cache::hits", "beside": "Cache::limit",
      "check": "linesman-adjacent-hot-fields", "message": "beside it",
      "occupants": [{"name": "Cache::hits", "sites": [
        {"function": "bump", "source": "a.cpp:9", "access": "write"}]}],
      "remedy": {"kind": "alignas", "text": "keep it apart"},
      "fix": [{"source": "a.h:2", "before": "long hits;\nlong all;",
               "after": "alignas(64) long hits;\nlong all;"}],
      "notes": [{"message": "here", "source": "a.h:2"}]})json"},
    {"CheckWithoutNotes", R"json({"id": "a.cpp:9", "rung": "suspected",
      "kind": "true-sharing", "score": 0, "check": "linesman-global-write",
      "message": "m", "occupants": [{"name": "a.cpp:9", "sites": [
        {"source": "a.cpp:9", "access": "write"}]}],
      "remedy": {"kind": "per-thread"}, "notes": []})json"},
    {"Watched", R"json({"id": "nil_root", "rung": "observed",
      "kind": "true-sharing", "line": {"address": "0x4080"},
      "observed": {"verdict": "true-sharing", "outcome": "confirmed",
        "words": [{"offset": 8, "size": 8, "exact": true, "label": "",
          "accesses": [{"thread": 12, "thread_name": "", "reads": 0,
            "writes": 120, "ceiling": true,
            "sites": ["tree.cpp:30", "unlink(Node*)", "?", "0x1010"]}]}],
        "evidence": {"absent": "store", "every_ms": 10, "missed": 0.5,
          "significance": 0.001, "unmet_ms": 0, "threads": [
            {"thread": 12, "thread_name": "shard", "part": "watched",
             "ran_ms": 3.5, "armed_ms": 2, "windows": 4, "missed": 0.5}],
          "rarest_every_ms": 7, "weakest_thread": 12},
        "advice": "watch longer"}})json"},
    {"Recorded", R"json({"id": "heap block of 64 bytes +0", "rung": "observed",
      "score": 40, "line": {"address": "0x7f00"},
      "observed": {"verdict": "sharing", "outcome": "confirmed", "words": []},
      "allocation": {"size": 64, "freed": 0, "stack": ["make a.cpp:3"]}})json"},
    {"Page", R"json({"id": "page 0x8000 of store", "rung": "costed", "score": 0,
      "page": {"module": "store", "address": "0x8000", "size": 4096},
      "occupants": [],
      "cost": {"metric": "ops", "before": 45000, "after": 16100,
        "local": 16000, "alone": 44200, "explains": 0.97, "posterior": 0.995,
        "p": 0.004, "windows": 31, "simulated": false}})json"},
    {"Hunted", R"json({"id": "hits", "rung": "costed", "kind": "mixed",
      "score": 12.5, "line": {"address": "0x4040"},
      "cost": {"metric": "ops", "before": 10, "after": 20, "p": 0.01,
        "windows": 16, "simulated": false,
        "ratio": {"median": 2, "low": 1.9, "high": 2.1}}})json"},
    {"Merged", R"json({"id": "hits", "rung": "located", "kind": "mixed",
      "score": 12.5, "subject": "variable", "check": "linesman-global-write",
      "message": "m", "line": {"address": "0x4040"},
      "notes": [], "evidence": [
        {"from": "checks", "rung": "suspected", "rank": 1, "id": "hits",
         "kind": "true-sharing", "score": 0, "check": "linesman-global-write",
         "message": "m", "source": "a.cpp:9"}],
      "remark": "on the line of x in this build", "contradicted": "one role"})json"},
    {"Scanned", R"json({"id": "hits", "rung": "located", "score": 3,
      "line": {"address": "0x4040"}, "files": [
        {"package": "squid", "path": "usr/sbin/squid"},
        {"package": "", "path": "bin/one"}], "lines": 2})json"},
    {"Newer", R"json({"id": "hits", "rung": "located", "score": 1,
      "line": {"address": "0x4040"}, "not_known_here": {"a": [1, null]}})json"},
};

json::Object parse(StringRef Text) {
  Expected<json::Value> Parsed = json::parse(Text);
  if (!Parsed) {
    ADD_FAILURE() << toString(Parsed.takeError());
    return {};
  }
  return std::move(*Parsed->getAsObject());
}

Finding read(const json::Object &Source) {
  Expected<Finding> Read = readFinding(Source);
  if (!Read) {
    ADD_FAILURE() << toString(Read.takeError());
    return {};
  }
  return std::move(*Read);
}

std::string written(const Finding &Found) {
  std::string Text;
  raw_string_ostream OS(Text);
  json::OStream Json(OS, /*IndentSize=*/2);
  writeFinding(Found, Json);
  return Text;
}

class RoundTrip : public testing::TestWithParam<Kind> {};

TEST_P(RoundTrip, LosesNothing) {
  json::Object Before = parse(GetParam().Json);
  json::Object After = toJson(read(Before));
  // As text, which says what differs.
  EXPECT_EQ(formatv("{0:2}", json::Value(std::move(After))).str(),
            formatv("{0:2}", json::Value(std::move(Before))).str());
}

TEST_P(RoundTrip, IsWrittenTheSameAgain) {
  std::string First = written(read(parse(GetParam().Json)));
  EXPECT_EQ(written(read(parse(First))), First);
}

INSTANTIATE_TEST_SUITE_P(Findings, RoundTrip, testing::ValuesIn(Kinds),
                         [](const auto &Test) { return Test.param.Name; });

TEST(ReadFinding, NeedsAnIdentityAndARung) {
  for (StringRef Text : {R"({"rung": "located"})", R"({"id": "hits"})",
                         R"({"id": "hits", "rung": "somewhere"})"}) {
    Expected<Finding> Read = readFinding(parse(Text));
    EXPECT_FALSE(bool(Read)) << Text.str();
    consumeError(Read.takeError());
  }
}

TEST(ReadFinding, WhatHasAnotherTypeIsNotThere) {
  Finding Found = read(parse(R"({"id": "hits", "rung": "located",
    "score": "high", "line": [1], "occupants": {"name": "x"}, "check": 5,
    "remedy": "none", "marks": 7})"));
  EXPECT_FALSE(Found.Score);
  EXPECT_FALSE(Found.line());
  EXPECT_TRUE(Found.Occupants.empty());
  EXPECT_FALSE(Found.Suspicion);
  EXPECT_FALSE(Found.Remedy);
  EXPECT_EQ(Found.Marks, "");
}

TEST(WriteFinding, InfinityIsNoNumberOfJson) {
  Finding Found = read(parse(R"({"id": "hits", "rung": "located",
    "score": 1e999})"));
  EXPECT_EQ(toJson(Found).get("score")->kind(), json::Value::Null);
}

TEST(HighestRung, IsWhatTheCommandCanReach) {
  for (const char *Command : {"layout", "diff", "plan", "scan"})
    EXPECT_EQ(highestRung(Command), linesman::layout::Rung::Located) << Command;
  EXPECT_EQ(highestRung("record"), linesman::layout::Rung::Observed);
  // They take findings from others, and so may anything else.
  for (const char *Command : {"watch", "hunt", "findings", "later"})
    EXPECT_EQ(highestRung(Command), linesman::layout::Rung::Costed) << Command;
}

TEST(Offset, IsFromTheLinesFirstByte) {
  Finding Variable = read(parse(Kinds[0].Json));
  EXPECT_EQ(Variable.offsetOf(Variable.Occupants[0]), 2);
  Finding Field = read(parse(Kinds[1].Json));
  EXPECT_EQ(Field.offsetOf(Field.Occupants[0]), 16);
  Finding Check = read(parse(Kinds[2].Json));
  EXPECT_EQ(Check.offsetOf(Check.Occupants[0]), std::nullopt);
}

} // namespace
