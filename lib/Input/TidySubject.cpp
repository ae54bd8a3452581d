// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what LinesmanCheck::warn writes:
//
//     words for people [field Cache::hits, beside Cache::limit, in Cache::hit]
//                       kind  name         ...roles
//
// Roles come in one order, so each is looked for behind the one before: names
// of operators may have any character.

#include "TidySubject.h"
#include "linesman/Layout/Checks.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::input {

namespace {

struct KindRow {
  StringLiteral Word;
  SubjectKind Kind;
};
constexpr KindRow Kinds[] = {
    {"variable", SubjectKind::Variable}, {"field", SubjectKind::Field},
    {"type", SubjectKind::Type},         {"function", SubjectKind::Function},
    {"macro", SubjectKind::Macro},
};

/// Takes the last role of \p Text away, if it is there.
std::string takeRole(StringRef &Text, StringRef Word) {
  size_t Position = Text.find((", " + Word + " ").str());
  if (Position == StringRef::npos)
    return "";
  std::string Name = Text.drop_front(Position + Word.size() + 3).str();
  Text = Text.take_front(Position);
  return Name;
}

bool takeSubject(SuspectedFinding &Finding) {
  StringRef Message = Finding.Message;
  if (!Message.consume_back("]"))
    return false;
  for (const KindRow &Row : Kinds) {
    size_t Position = Message.rfind((" [" + Row.Word + " ").str());
    if (Position == StringRef::npos)
      continue;
    StringRef Text = Message.drop_front(Position + Row.Word.size() + 3);
    Finding.Subject = Row.Kind;
    Finding.Function = takeRole(Text, "in");
    Finding.Neighbour = takeRole(Text, "beside");
    Finding.Field = takeRole(Text, "field");
    Finding.Id = Text.str();
    Finding.Message = Message.take_front(Position).str();
    return true;
  }
  return false;
}

} // namespace

bool describeSuspected(SuspectedFinding &Finding) {
  if (!StringRef(Finding.Check).starts_with("linesman-"))
    return false;
  if (const CheckRow *Row =
          find_if(CheckTable,
                  [&](const CheckRow &R) { return R.Name == Finding.Check; });
      Row != std::end(CheckTable)) {
    Finding.Kind = Row->Kind;
    Finding.Cure = Row->Cure;
  }
  if (!takeSubject(Finding))
    Finding.Id = Finding.Source;
  return true;
}

} // namespace linesman::input
