// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a test excludes an object where the assignment "p->n = 1" runs. The
// brute-force case compares with what execution over all inputs shows.

#include "Analysis/Accesses/ObjectWrites.h"
#include "Analysis/Addresses/AddressAnalyses.h"
#include "ParsedUnit.h"
#include <random>

using namespace clang;

namespace linesman::tidy {
namespace {

/// Asks at the only assignment to a field in f().
bool isExcludedIn(const std::string &Body) {
  ParsedUnit Unit(R"(
    struct Node { Node *next; int n; bool is_nil() const; };
    Node nil, other;
    bool Node::is_nil() const { return this == &nil; }
    bool is_real(const Node *x) { return !x->is_nil(); }
    struct Holder { Node *p; bool empty() const { return p == &nil; } };
    struct Ref {
      Node *p;
      Ref &operator=(Node *To) { p = To; return *this; }
      bool is(const Node &x) const { return p == &x; }
      Node *operator->() const { return p; }
      void clear() { p = &nil; }
    };
    void fill(Ref &r) { r = new Node; }
    void fill_if(Ref &r, bool b) { if (b) r = new Node; }
    void fill_after(Ref &r, bool b) { if (b) return; r = new Node; }
    void refill(Ref &r) { fill(r); }
    void set(Ref &r, Node *n) { r = n; }
    Node *next(); void use(); [[noreturn]] void fail();
    )" + Body);
  AddressAnalyses Addresses(Unit.context(), UnitCode::Scope::User);
  const auto &Function = Unit.get<FunctionDecl>("f");
  for (const FunctionCode &Code : Addresses.Code.functions()) {
    if (Code.Function != &Function)
      continue;
    for (const Stmt *Statement : Code.Statements)
      if (std::optional<ObjectWrite> Write = writeOf(*Statement, TypeKinds()))
        if (!Write->Part.Fields.empty() &&
            Write->Part.Fields.back()->getName() == "n")
          return Addresses.isExcluded({&Function, Write->Site,
                                       *pathOf(*Write->Part.Base),
                                       &Unit.get<VarDecl>("nil")});
  }
  ADD_FAILURE() << "no write in " << Body;
  return false;
}

TEST(IdentityGuard, Tests) {
  for (const char *Body : {
           "void f(Node *p) { if (p != &nil) p->n = 1; }",
           "void f(Node *p) { if (&nil != p) p->n = 1; }",
           "void f(Node *p) { if (p == &nil) return; p->n = 1; }",
           "void f(Node *p) { if (p == &nil) fail(); p->n = 1; }",
           "void f(Node *p) { if (p == &nil) use(); else p->n = 1; }",
           "void f(Node *p) { p != &nil ? (void)(p->n = 1) : use(); }",
           "void f(Node *p) { (void)(p != &nil && (p->n = 1)); }",
           "void f(Node *p) { (void)(p == &nil || (p->n = 1)); }",
           "void f(Node *p, bool b) { if (b && !(p == &nil)) p->n = 1; }",
           "void f(Node *p) { if (!p->is_nil()) p->n = 1; }",
           "void f(Node *p) { if (is_real(p)) p->n = 1; }",
           "void f(Node &p) { if (&p != &nil) p.n = 1; }",
           "void f(Holder h) { if (!h.empty()) h.p->n = 1; }",
           "void f(Node *p) { bool real = p != &nil; if (real) p->n = 1; }",
           "void f(Node *p) { if (p == &other) p->n = 1; }",
           "void f(Node *p) { for (; p != &nil; p = p->next) p->n = 1; }",
           "void f(Node *p) { while (!p->is_nil()) { p->n = 1; p = next(); } }",
           "void f(Node *p) { p = new Node; p->n = 1; }",
           "void f(Ref r) { if (!r.is(nil)) r->n = 1; }",
           "void f(Ref r) { if (r.is(nil)) r = new Node; r->n = 1; }",
           "void f(Ref &r) { if (r.is(nil)) fill(r); r->n = 1; }",
           "void f(Ref &r) { if (r.is(nil)) refill(r); r->n = 1; }",
           "void f(Ref &r) { if (r.is(nil)) set(r, new Node); r->n = 1; }",
           "void f(Ref &r, bool b) { if (r.is(nil)) return; fill_if(r, b);"
           " r->n = 1; }",
           "void f(Node *p, bool b) { if (b) { if (p == &nil) return; }"
           " else p = new Node; p->n = 1; }",
       })
    EXPECT_TRUE(isExcludedIn(Body)) << Body;
}

TEST(IdentityGuard, NoTests) {
  for (const char *Body : {
           "void f(Node *p) { p->n = 1; }",
           "void f(Node *p) { if (p) p->n = 1; }",
           "void f(Ref r) { if (!r.is(other)) r->n = 1; }",
           "void f(Ref r, Ref s) { if (!s.is(nil)) r->n = 1; }",
           "void f(Ref &r, bool b) { fill_if(r, b); r->n = 1; }",
           "void f(Ref &r, bool b) { fill_after(r, b); r->n = 1; }",
           "void f(Ref &r) { if (!r.is(nil)) { r.clear(); r->n = 1; } }",
           "void f(Ref &r) { if (!r.is(nil)) { set(r, &nil); r->n = 1; } }",
           "void f(Node *p) { if (p == &nil) p->n = 1; }",
           "void f(Node *p) { if (p != &other) p->n = 1; }",
           "void f(Node *p, Node *q) { if (q != &nil) p->n = 1; }",
           "void f(Node *p) { if (p != &nil) use(); p->n = 1; }",
           "void f(Node *p, bool b) { if (b || p != &nil) p->n = 1; }",
           "void f(Node *p) { if (p != &nil) { p = &nil; p->n = 1; } }",
           "void f(Node *p) { if (p != &nil) { p = p->next; p->n = 1; } }"
           " void g() { Node m; m.next = &nil; }",
           "void f(Node *p, bool b) { if (b && p == &nil) return; p->n = 1; }",
           "void f(Holder h, Holder i) { if (!i.empty()) h.p->n = 1; }",
       })
    EXPECT_FALSE(isExcludedIn(Body)) << Body;
}

/// A random body of tests, assignments and early returns over one pointer with
/// two possible values and two conditions; the write is in the end. Runs it for
/// all inputs: the guard must not exclude an object that arrives.
class RandomBody {
public:
  explicit RandomBody(unsigned Seed) {
    std::mt19937 Random(Seed);
    auto Below = [&](unsigned Limit) {
      return static_cast<unsigned>(Random() % Limit);
    };
    for (int I = 0; I < 6; ++I)
      Steps.push_back({Below(5), Below(2), Below(2)});
  }

  std::string text() const {
    std::string Text = "void f(Node *p, bool a, bool b) {";
    for (const Step &Taken : Steps) {
      const std::string Condition = Taken.Condition ? "a" : "b";
      const std::string Test = Taken.Outcome ? "p != &nil" : "p == &nil";
      switch (Taken.Kind) {
      case 0:
        Text += "if (" + Test + ") return;";
        break;
      case 1:
        Text += "if (" + Condition + " && " + Test + ") return;";
        break;
      case 2:
        Text += "if (" + Condition +
                ") p = " + (Taken.Outcome ? "&nil;" : "&other;");
        break;
      case 3:
        Text += "if (" + Condition + " || " + Test + ") return;";
        break;
      case 4:
        Text += "if (" + Condition + ") { if (" + Test + ") return; }";
        break;
      }
    }
    return Text + "p->n = 1; }";
  }

  /// Is nil written for some input?
  bool writesNil() const {
    for (bool A : {false, true})
      for (bool B : {false, true})
        for (bool IsNil : {false, true})
          if (run(A, B, IsNil))
            return true;
    return false;
  }

private:
  struct Step {
    unsigned Kind, Condition, Outcome;
  };

  bool run(bool A, bool B, bool IsNil) const {
    for (const Step &Taken : Steps) {
      bool Condition = Taken.Condition ? A : B;
      bool Test = Taken.Outcome ? !IsNil : IsNil;
      if (Taken.Kind == 0 && Test)
        return false;
      if ((Taken.Kind == 1 || Taken.Kind == 4) && Condition && Test)
        return false;
      if (Taken.Kind == 3 && (Condition || Test))
        return false;
      if (Taken.Kind == 2 && Condition)
        IsNil = Taken.Outcome;
    }
    return IsNil;
  }

  std::vector<Step> Steps;
};

TEST(IdentityGuard, NeverExcludesWhatArrives) {
  unsigned Excluded = 0;
  for (unsigned Seed = 0; Seed < 150; ++Seed) {
    RandomBody Body(Seed);
    bool IsExcluded = isExcludedIn(Body.text());
    Excluded += IsExcluded;
    EXPECT_FALSE(IsExcluded && Body.writesNil()) << Body.text();
  }
  // The generator makes both kinds.
  EXPECT_GT(Excluded, 20u);
}

} // namespace
} // namespace linesman::tidy
