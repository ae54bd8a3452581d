// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the address of a static object arrives, and where a test keeps it out.

#include "Analysis/Addresses/AddressAnalyses.h"
#include "Analysis/Addresses/StaticReach.h"
#include "ParsedUnit.h"
#include <set>

using namespace clang;

namespace linesman::tidy {
namespace {

/// Ways for "nil" into "in", each a unit of its own; the function probe()
/// returns the pointer that is asked about.
std::set<std::string> objectsAtProbe(const std::string &Code) {
  ParsedUnit Unit(R"(
    namespace std {
    template <class T> struct remove_reference { using type = T; };
    template <class T> struct remove_reference<T &> { using type = T; };
    template <class T> typename remove_reference<T>::type &&move(T &&V) {
      return static_cast<typename remove_reference<T>::type &&>(V);
    }
    template <class T, class U> T exchange(T &O, U &&N) {
      T Old = O; O = N; return Old;
    }
    template <class T> void swap(T &A, T &B) { T C = A; A = B; B = C; }
    template <class T> struct atomic { T load() const; void store(T); };
    template <class T> struct unique_ptr {
      explicit unique_ptr(T *P) : P(P) {}
      T *operator->() const { return P; }
      T *get() const { return P; }
      T *P;
    };
    template <class T, class... A> unique_ptr<T> make_unique(A &&...a) {
      return unique_ptr<T>(new T(static_cast<A &&>(a)...));
    }
    }
    struct Node { Node *next; };
    Node nil, other;
    )" + Code);
  AddressAnalyses Addresses(Unit.context(), UnitCode::Scope::User);
  const auto &Probe = Unit.get<FunctionDecl>("probe");
  std::set<std::string> Names;
  for (const FunctionCode &Code : Addresses.Code.functions())
    if (Code.Function == &Probe)
      for (const Stmt *Statement : Code.Statements)
        if (const auto *Return = dyn_cast<ReturnStmt>(Statement))
          for (const VarDecl *Object :
               Addresses.Flow.objectsOf(*Return->getRetValue(), &Probe))
            Names.insert(Object->getNameAsString());
  return Names;
}

using Names = std::set<std::string>;

TEST(AddressFlow, InitialisersAndAssignments) {
  EXPECT_EQ(objectsAtProbe("Node *p = &nil; Node *probe() { return p; }"),
            Names({"nil"}));
  EXPECT_EQ(objectsAtProbe("Node *p; void f() { p = &nil; p = &other; }"
                           "Node *probe() { return p; }"),
            Names({"nil", "other"}));
  EXPECT_EQ(objectsAtProbe("struct R { Node *p = &nil; } r;"
                           "Node *probe() { return r.p; }"),
            Names({"nil"}));
  EXPECT_EQ(objectsAtProbe("struct R { Node *p; } r = {&nil};"
                           "Node *probe() { return r.p; }"),
            Names({"nil"}));
  EXPECT_EQ(objectsAtProbe("Node *table[] = {&nil, &other};"
                           "Node *probe() { return table[1]; }"),
            Names({"nil", "other"}));
  EXPECT_EQ(
      objectsAtProbe("Node *probe(bool b) { return b ? &nil : nullptr; }"),
      Names({"nil"}));
}

TEST(AddressFlow, Constructors) {
  EXPECT_EQ(objectsAtProbe("struct R { R(Node *n) : p(n) {} Node *p; };"
                           "R r(&nil); Node *probe() { return r.p; }"),
            Names({"nil"}));
  EXPECT_EQ(objectsAtProbe("struct R { R(Node &n = nil) : p(n) {} Node &p; };"
                           "R r; Node *probe() { return &r.p; }"),
            Names({"nil"}));
  EXPECT_EQ(objectsAtProbe("struct R { R(Node *n) : p(n) {} Node *p; };"
                           "void f() { auto r = std::make_unique<R>(&nil); }"
                           "Node *probe(R &r) { return r.p; }"),
            Names({"nil"}));
}

TEST(AddressFlow, Moves) {
  const std::string Ref =
      "struct R { R() : p(&nil) {} R(R &&o) : p(std::exchange(o.p, &other)) {}"
      " Node *p; };";
  EXPECT_EQ(objectsAtProbe(Ref + "Node *probe(R &r) { return r.p; }"),
            Names({"nil", "other"}));
  EXPECT_EQ(objectsAtProbe("Node *p = &nil, *q; void f() { std::swap(p, q); }"
                           "Node *probe() { return q; }"),
            Names({"nil"}));
  EXPECT_EQ(objectsAtProbe("Node *p = &nil, *q = std::move(p);"
                           "Node *probe() { return q; }"),
            Names({"nil"}));
  EXPECT_EQ(objectsAtProbe("std::atomic<Node *> p; void f() { p.store(&nil); }"
                           "Node *probe() { return p.load(); }"),
            Names({"nil"}));
}

TEST(AddressFlow, FunctionsAndTemplates) {
  EXPECT_EQ(objectsAtProbe("Node *id(Node *n) { return n; }"
                           "Node *probe() { return id(&nil); }"),
            Names({"nil"}));
  EXPECT_EQ(objectsAtProbe("template <class T> T *id(T *n) { return n; }"
                           "Node *probe() { return id(&nil); }"),
            Names({"nil"}));
  EXPECT_EQ(objectsAtProbe(
                "Node *kept; void f() { auto l = [](Node *n) { kept = n; };"
                " l(&nil); } Node *probe() { return kept; }"),
            Names({"nil"}));
}

TEST(AddressFlow, TestsKeepOut) {
  EXPECT_EQ(objectsAtProbe("Node *p = &nil, *q;"
                           "void f() { if (p != &nil) q = p; }"
                           "Node *probe() { return q; }"),
            Names());
  EXPECT_EQ(objectsAtProbe("Node *p = &nil, *q;"
                           "void g(Node *n) { q = n; }"
                           "void f() { if (p == &nil) return; g(p); }"
                           "Node *probe() { return q; }"),
            Names());
  EXPECT_EQ(objectsAtProbe("Node *p = &nil, *q;"
                           "void f() { if (p != &other) q = p; }"
                           "Node *probe() { return q; }"),
            Names({"nil"}));
}

TEST(AddressFlow, NothingWithoutAName) {
  EXPECT_EQ(objectsAtProbe("Node *probe() { return new Node; }"), Names());
  EXPECT_EQ(objectsAtProbe("Node table[4];"
                           "Node *probe(int i) { return &table[i]; }"),
            Names());
  EXPECT_EQ(objectsAtProbe("thread_local Node mine;"
                           "Node *p = &mine; Node *probe() { return p; }"),
            Names());
}

} // namespace
} // namespace linesman::tidy
