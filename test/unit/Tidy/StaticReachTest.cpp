// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which variables all threads share, and which expressions certainly name one.

#include "Analysis/Addresses/StaticReach.h"
#include "ParsedUnit.h"

using namespace clang;

namespace linesman::tidy {
namespace {

TEST(StaticReach, KnowsWhatThreadsShare) {
  ParsedUnit Unit(R"(
    struct Node { int n; };
    struct Counted { mutable int refs; };
    Node plain;
    const Node constant = {};
    const Counted counted_constant = {};
    thread_local Node local_to_thread;
    Node table[4];
    Node single[1];
    int number;
    struct Class { static Node member; };
    Node Class::member;
    void f(Node parameter) { static Node inside; Node automatic; })");
  auto IsShared = [&](const char *Name) {
    return isSharedStatic(Unit.get<VarDecl>(Name));
  };
  auto IsRecord = [&](const char *Name) {
    return isSharedStaticRecord(Unit.get<VarDecl>(Name));
  };
  for (const char *Name :
       {"plain", "counted_constant", "member", "inside", "single"}) {
    EXPECT_TRUE(IsShared(Name)) << Name;
    EXPECT_TRUE(IsRecord(Name)) << Name;
  }
  for (const char *Name : {"table", "number"}) {
    EXPECT_TRUE(IsShared(Name)) << Name;
    EXPECT_FALSE(IsRecord(Name)) << Name;
  }
  for (const char *Name :
       {"constant", "local_to_thread", "automatic", "parameter"})
    EXPECT_FALSE(IsShared(Name)) << Name;
}

TEST(StaticReach, FollowsNamesThatAreCertain) {
  ParsedUnit Unit(R"(
    struct Node { Node *next; };
    Node nil, other;
    Node *const NIL = &nil;
    Node *changing = &nil;
    Node &reference = nil;
    Node *get() { return &nil; }
    Node &instance() { static Node made; return made; }
    Node *choice(bool b) { if (b) return &other; return &nil; }
    auto a = &nil; auto b = NIL; auto c = changing; auto d = &reference;
    auto e = get(); auto f = &instance(); auto g = choice(true); auto h = nil.next;)");
  auto Named = [&](const char *Name) -> std::string {
    const VarDecl *Found = certainStatic(*Unit.get<VarDecl>(Name).getInit());
    return Found ? Found->getNameAsString() : "";
  };
  for (const char *Name : {"a", "b", "d", "e"})
    EXPECT_EQ(Named(Name), "nil") << Name;
  EXPECT_EQ(Named("f"), "made");
  for (const char *Name : {"c", "g", "h"})
    EXPECT_EQ(Named(Name), "") << Name;
}

} // namespace
} // namespace linesman::tidy
