// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever a plan and a binary call their symbols, a form of a plan holds
// nothing but what was asked for.

#include "linesman/Plan/Emit.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman::plan;
using linesman::layout::ObjectTypes;

namespace {

Plan isolating(std::string Symbol, std::string File = "") {
  Plan Result;
  Result.Edits.push_back(
      {{EditKind::Isolate, {{Symbol, File, std::nullopt}}, 64, ""}, {}, 0, {}});
  return Result;
}

std::string script(const Plan &Planned) {
  std::string Text;
  raw_string_ostream OS(Text);
  emitLinkerScript(Planned, OS);
  return Text;
}

std::string order(const Plan &Planned) {
  std::string Text;
  raw_string_ostream OS(Text);
  emitOrder(Planned, OS);
  return Text;
}

std::string source(const Plan &Planned, const ObjectTypes::Object *Found) {
  std::string Text;
  raw_string_ostream OS(Text);
  emitSource(Planned, [&](const SymbolRef &) { return Found; }, OS);
  return Text;
}

/// \p Text without comments, of which the script's own reach over lines.
std::string withoutComments(StringRef Text) {
  std::string Result;
  while (!Text.empty()) {
    auto [Code, Rest] = Text.split("/*");
    Result += Code;
    Text = Rest.split("*/").second;
  }
  return Result;
}

TEST(Emit, NamesStayNames) {
  EXPECT_TRUE(StringRef(script(isolating("nil_root")))
                  .contains("    *(.data.nil_root .bss.nil_root)\n"));
  EXPECT_TRUE(StringRef(script(isolating("gr\xc3\xb6\xc3\x9f"
                                         "e")))
                  .contains("    *(\".data.gr\xc3\xb6\xc3\x9f"
                            "e\" \".bss.gr\xc3\xb6\xc3\x9f"
                            "e\")\n"));
  // What a linker would obey is quoted, or only in a comment.
  std::string Quoted = script(isolating("a) } } INCLUDE other.ld"));
  EXPECT_TRUE(StringRef(Quoted).contains(
      "*(\".data.a) } } INCLUDE other.ld\" \".bss.a) } } INCLUDE other.ld\")"));
  for (const char *Name :
       {"a\") } } INCLUDE other.ld", "a\n} INCLUDE other.ld",
        "*/ } INCLUDE other.ld /*", "*", "a\x1b[31m INCLUDE other.ld"}) {
    std::string Code = withoutComments(script(isolating(Name, "f.c")));
    EXPECT_FALSE(StringRef(Code).contains("INCLUDE")) << Code;
    EXPECT_FALSE(StringRef(Code).contains("*(")) << Code;
    EXPECT_FALSE(StringRef(Code).contains('\x1b')) << Code;
  }
  std::string File = script(isolating("a", "f.c*/ } INCLUDE other.ld /*"));
  EXPECT_FALSE(StringRef(withoutComments(File)).contains("INCLUDE")) << File;
}

TEST(Emit, AnOrderHasOneNameALine) {
  EXPECT_TRUE(StringRef(order(isolating("nil_root"))).contains("\nnil_root\n"));
  for (const char *Name : {"a\nother", "#s .incbin \"/etc/shadow\"", " a",
                           ""
                           "\x1b[31mother"}) {
    std::string Text = order(isolating(Name, "f\nother"));
    for (StringRef Line : split(Text, '\n'))
      EXPECT_TRUE(Line.empty() || Line.starts_with("#") ||
                  Line.starts_with("linesman_fence"))
          << Line.str();
  }
}

TEST(Emit, SourceIsOfTheSource) {
  ObjectTypes::Object Found;
  Found.Name = "counter";
  Found.Source.Type = "std::atomic<long>";
  Found.Source.File = "a.cpp";
  Found.Source.Line = 7;
  EXPECT_TRUE(
      StringRef(source(isolating("counter"), &Found))
          .contains("\nOwnLine<std::atomic<long>, 64> counter; // a.cpp:7\n"));
  auto Code = [&] {
    std::string Result;
    std::string Text = source(isolating("counter"), &Found);
    for (StringRef Line : split(Text, '\n'))
      Result += Line.split("//").first;
    return Result;
  };
  Found.Source.Type = "int; } int main() { return system(\"x\")";
  EXPECT_FALSE(StringRef(Code()).contains("main")) << Code();
  Found.Source.Type = "int";
  Found.Source.File = "a.cpp\nint main() {}";
  EXPECT_FALSE(StringRef(Code()).contains("main")) << Code();
  // A backslash at the end of a comment's line takes the next one along.
  Found.Source.File = "a\\";
  Found.Source.Line = 0;
  std::string Text = source(isolating("counter", "b\\"), nullptr);
  EXPECT_FALSE(StringRef(Text).contains("\\\n")) << Text;
}

} // namespace
