// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "options/Parse.h"
#include "options/Kinds.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace linesman::options;

namespace {

enum class Form { Text, Json };

/// A command's options, as commands declare them.
class ParseTest : public testing::Test {
protected:
  static inline cl::SubCommand Command{"parse-test"};
  static inline cl::opt<std::string> Output{"o", cl::sub(Command)};
  static inline cl::list<std::string> Pads{"pad", cl::sub(Command)};
  static inline cl::opt<bool> All{"all", cl::sub(Command)};
  static inline Number<unsigned> Top{Command, "top", "n", "So many"};
  static inline cl::opt<Form> Shown{
      "format",
      cl::values(clEnumValN(Form::Text, "text", ""),
                 clEnumValN(Form::Json, "json", "")),
      cl::sub(Command)};
  static inline cl::opt<std::string> Input{
      cl::Positional, cl::Required, cl::desc("BINARY"), cl::sub(Command)};

  void SetUp() override { cl::ResetAllOptionOccurrences(); }

  static constexpr Habit Habits[] = {
      {"json", "format=json"}, {"limit", "top"}, {"warmup", "rounds"}};
  static constexpr Grouping Groupings[] = {{"result", {"format", "o"}}};

  /// What is wrong; empty when nothing is.
  std::string parse(ArrayRef<const char *> Line) {
    OptionTable Table("parse-test", Groupings);
    return toString(linesman::options::parse(Table, Line, Habits));
  }
};

TEST_F(ParseTest, TakesValuesInAllForms) {
  EXPECT_EQ(parse({"--format=json", "-top", "3", "-o", "out", "--all", "a"}),
            "");
  EXPECT_EQ(Shown, Form::Json);
  EXPECT_EQ(Top, 3U);
  EXPECT_EQ(Output, "out");
  EXPECT_TRUE(All);
  EXPECT_EQ(Input, "a");
}

TEST_F(ParseTest, RepeatsOnlyLists) {
  EXPECT_EQ(parse({"--pad=a", "--pad=b", "in"}), "");
  EXPECT_EQ(Pads.size(), 2U);
}

TEST_F(ParseTest, RefusesASecondValue) {
  EXPECT_EQ(parse({"--top=1", "--top=2", "in"}), "--top is given twice");
}

TEST_F(ParseTest, WordsBehindDashesAreNoOptions) {
  EXPECT_EQ(parse({"--", "--all"}), "");
  EXPECT_EQ(Input, "--all");
  EXPECT_FALSE(All);
}

TEST_F(ParseTest, SaysWhatAValueMustBe) {
  EXPECT_EQ(parse({"--format=xml", "in"}),
            "--format=xml: expected text or json");
}

TEST_F(ParseTest, GuessesWhatAValueMeant) {
  EXPECT_EQ(parse({"--format=tekst", "in"}),
            "--format=tekst: expected text or json; did you mean 'text'?");
}

TEST_F(ParseTest, SaysWhatANumberMustBe) {
  EXPECT_EQ(parse({"--top=many", "in"}), "--top=many: expected a number");
}

TEST_F(ParseTest, RefusesNegativeNumbers) {
  EXPECT_EQ(parse({"--top=-3", "in"}),
            "--top=-3: expected a number that is not negative");
}

TEST_F(ParseTest, RefusesAValueOfAFlag) {
  EXPECT_EQ(parse({"--all=yes", "in"}), "--all takes no value, found 'yes'");
}

TEST_F(ParseTest, WantsAValue) {
  EXPECT_EQ(parse({"in", "--format"}),
            "--format expects a value: text or json");
}

TEST_F(ParseTest, KnowsHabitsAndMistypedNames) {
  EXPECT_EQ(parse({"--json", "in"}),
            "unknown option '--json'; did you mean '--format=json'?");
  EXPECT_EQ(parse({"--fromat=json", "in"}),
            "unknown option '--fromat'; did you mean '--format'?");
  // A habit that this command has no option for.
  EXPECT_EQ(parse({"--warmup", "in"}), "unknown option '--warmup'");
}

TEST_F(ParseTest, KnowsAnArgumentThatIsTypedAsAnOption) {
  EXPECT_EQ(parse({"--binary", "in"}),
            "unknown option '--binary': BINARY is an "
            "argument, and stands alone");
}

TEST_F(ParseTest, CountsPositionals) {
  EXPECT_EQ(parse({"--all"}), "expected BINARY");
}

TEST_F(ParseTest, RefusesWhatIsTooMuch) {
  EXPECT_EQ(parse({"a", "b"}), "unexpected 'b'; expected BINARY and options");
}

TEST_F(ParseTest, GroupsOptionsAndLeavesNoneOut) {
  OptionTable Table("parse-test", Groupings);
  std::vector<OptionGroup> Groups = Table.groups();
  ASSERT_EQ(Groups.size(), 2U);
  EXPECT_EQ(Groups[0].Title, "result");
  EXPECT_EQ(Groups[0].Rows.size(), 2U);
  EXPECT_EQ(Groups[1].Title, "others");
  EXPECT_EQ(Groups[1].Rows.size(), 3U);
}

} // namespace
