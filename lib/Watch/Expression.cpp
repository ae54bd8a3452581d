// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A recursive descent over
//
//     expression = "*" expression | postfix
//     postfix    = (name | "(" expression ")") { "." name | "->" name | "["
//     number "]" }
//
// A name at the beginning may have its source file or its shared object in
// front of it: "pool.c:table", "libx.so.1:table".

#include "linesman/Watch/Expression.h"
#include "linesman/Layout/Names.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace linesman::watch {

namespace {

constexpr StringLiteral Anonymous = "(anonymous namespace)";

/// Of a person's command line; more are a mistake or an attack on the stack.
constexpr unsigned MaxNesting = 64;

/// Also of other alphabets, which are bytes above ASCII.
bool isNameCharacter(char C) {
  return isAlnum(C) || C == '_' || C == '$' || !isASCII(C);
}

class ExpressionParser {
public:
  explicit ExpressionParser(StringRef Text) : Text(Text), Rest(Text) {}
  Expected<Expression> parse();

private:
  Error parsePrefix(unsigned Nesting);
  Error parsePostfix(unsigned Nesting);
  Error parseSuffixes();
  Expected<std::string> parseField();
  Expected<std::string> parseName();
  StringRef takeFile();
  bool takeTemplateArguments(size_t &End) const;
  Error fail(const Twine &Expected) const;
  bool take(StringRef Token) {
    Rest = Rest.ltrim();
    return Rest.consume_front(Token);
  }
  /// What was parsed until now, as the start of a suffix: "*a" becomes "(*a)".
  std::string operand() const {
    StringRef Now = Result.text();
    return Now.starts_with("*") ? ("(" + Now + ")").str() : Now.str();
  }

  StringRef Text, Rest;
  Expression Result;
};

Error ExpressionParser::fail(const Twine &Subject) const {
  StringRef Found = Rest.ltrim();
  return createStringError("'" + Text + "': expected " + Subject +
                           (Found.empty()
                                ? Twine(" at the end")
                                : " at character " +
                                      Twine(Text.size() - Found.size() + 1) +
                                      " ('" + Found.take_front(1) + "')"));
}

Expected<Expression> ExpressionParser::parse() {
  if (Error E = parsePrefix(0))
    return std::move(E);
  if (!Rest.trim().empty())
    return fail("'.', '->' or '['");
  return std::move(Result);
}

Error ExpressionParser::parsePrefix(unsigned Nesting) {
  if (Nesting == MaxNesting)
    return fail("fewer nested operators");
  if (!take("*"))
    return parsePostfix(Nesting);
  if (Error E = parsePrefix(Nesting + 1))
    return E;
  std::string Now = ("*" + Result.text()).str();
  Result.Steps.push_back({StepKind::Dereference, "", 0, Now});
  return Error::success();
}

Error ExpressionParser::parsePostfix(unsigned Nesting) {
  Rest = Rest.ltrim();
  if (!Rest.starts_with(Anonymous) && take("(")) {
    if (Error E = parsePrefix(Nesting + 1))
      return E;
    if (!take(")"))
      return fail("')'");
  } else {
    StringRef File = takeFile();
    Expected<std::string> Name = parseName();
    if (!Name)
      return Name.takeError();
    Result.Root = (File + *Name).str();
  }
  return parseSuffixes();
}

Error ExpressionParser::parseSuffixes() {
  while (true) {
    if (take("->")) {
      std::string Before = operand();
      Result.Steps.push_back(
          {StepKind::Dereference, "", 0, ("*" + Result.text()).str()});
      Expected<std::string> Name = parseField();
      if (!Name)
        return Name.takeError();
      Result.Steps.push_back(
          {StepKind::Field, *Name, 0, Before + "->" + *Name});
    } else if (take(".")) {
      std::string Before = operand();
      Expected<std::string> Name = parseField();
      if (!Name)
        return Name.takeError();
      Result.Steps.push_back({StepKind::Field, *Name, 0, Before + "." + *Name});
    } else if (take("[")) {
      uint64_t Index = 0;
      Rest = Rest.ltrim();
      if (Rest.consumeInteger(0, Index))
        return fail("the number of an element");
      if (!take("]"))
        return fail("']'");
      Result.Steps.push_back({StepKind::Element, "", Index,
                              operand() + "[" + utostr(Index) + "]"});
    } else {
      return Error::success();
    }
  }
}

Expected<std::string> ExpressionParser::parseField() {
  Rest = Rest.ltrim();
  StringRef Name = Rest.take_while(isNameCharacter);
  if (Name.empty() || isDigit(Name.front()))
    return fail("the name of a field");
  Rest = Rest.drop_front(Name.size());
  return Name.str();
}

/// "pool.c:", "libx.so.1:" or both, with their colons; empty where the name
/// begins at once.
StringRef ExpressionParser::takeFile() {
  StringRef Text = Rest;
  for (const layout::FileAndName &Split : layout::splitFile(Text)) {
    if (Split.File.find_first_of("()[]<>* ") != StringRef::npos)
      break;
    Rest = Split.Name;
  }
  return Text.drop_back(Rest.size());
}

/// Nothing else in the grammar has angle brackets, so they only have to match.
bool ExpressionParser::takeTemplateArguments(size_t &End) const {
  unsigned Depth = 0;
  for (size_t Index = End; Index != Rest.size(); ++Index) {
    Depth += Rest[Index] == '<';
    if (Rest[Index] == '>' && --Depth == 0) {
      End = Index + 1;
      return true;
    }
  }
  return false;
}

/// As the demangler writes it: scopes with template arguments.
Expected<std::string> ExpressionParser::parseName() {
  Rest = Rest.ltrim();
  size_t End = 0;
  while (true) {
    if (Rest.substr(End).starts_with(Anonymous)) {
      End += Anonymous.size();
    } else {
      size_t Length = Rest.substr(End).take_while(isNameCharacter).size();
      if (Length == 0 || isDigit(Rest[End])) {
        Rest = Rest.drop_front(End);
        return fail("a name");
      }
      End += Length;
      if (Rest.substr(End).starts_with("<") && !takeTemplateArguments(End)) {
        Rest = Rest.drop_front(End);
        return fail("a '>' that closes this");
      }
    }
    if (!Rest.substr(End).starts_with("::"))
      break;
    End += 2;
  }
  std::string Name = Rest.take_front(End).str();
  Rest = Rest.drop_front(End);
  return Name;
}

} // namespace

Expected<Expression> parseExpression(StringRef Text) {
  return ExpressionParser(Text).parse();
}

std::pair<std::string, std::string> splitScope(StringRef Name) {
  unsigned Depth = 0;
  for (size_t Index = Name.size(); Index-- > 1;) {
    Depth += Name[Index] == '>';
    Depth -= Name[Index] == '<';
    if (Depth == 0 && Name[Index] == ':' && Name[Index - 1] == ':')
      return {Name.take_front(Index - 1).str(), Name.substr(Index + 1).str()};
  }
  return {"", Name.str()};
}

} // namespace linesman::watch
