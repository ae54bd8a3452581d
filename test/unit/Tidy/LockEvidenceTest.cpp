// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which locks are held at a marked place: mark(N) in the code.

#include "Analysis/Locks/LockEvidence.h"
#include "Analysis/Accesses/UnitAccesses.h"
#include "ParsedUnit.h"

using namespace clang;
using namespace linesman::tidy;

namespace {

constexpr const char *Library = R"(
struct mutex { void lock(); void unlock(); bool try_lock(); };
namespace std { using ::mutex;
template <typename M> struct lock_guard { lock_guard(M &); ~lock_guard(); M &m; };
template <typename M> struct unique_lock { unique_lock(M &); ~unique_lock(); void lock(); void unlock(); M *m; }; }
extern mutex m, n;
void mark(int);
)";

class LockEvidenceTest : public testing::Test {
protected:
  /// The locks at mark(N), joined with commas.
  std::string at(const std::string &Code, int N = 1) {
    ParsedUnit Unit(Library + Code);
    UnitAccesses Accesses(Unit.context(), {});
    TypeKinds Kinds;
    LockEvidence Evidence(Kinds);
    auto Callers = [&](const FunctionDecl &F) { return Accesses.callersOf(F); };
    for (const auto &Entry : Accesses.calls()) {
      const auto *Call = dyn_cast<CallExpr>(Entry.Call);
      if (!Call || !Call->getDirectCallee() ||
          !Call->getDirectCallee()->getIdentifier() ||
          Call->getDirectCallee()->getName() != "mark")
        continue;
      const auto *Literal =
          cast<IntegerLiteral>(Call->getArg(0)->IgnoreParenImpCasts());
      if (Literal->getValue() != N)
        continue;
      LockNames Held = Evidence.heldAt({Entry.Function, Call}, Callers);
      return llvm::join(Held, ",");
    }
    ADD_FAILURE() << "no mark";
    return "";
  }
};

TEST_F(LockEvidenceTest, GuardsHoldToTheEndOfTheirBlock) {
  std::string Code =
      "void f() { { std::lock_guard<mutex> g(m); mark(1); } mark(2); }";
  EXPECT_EQ(at(Code, 1), "m");
  EXPECT_EQ(at(Code, 2), "");
}

TEST_F(LockEvidenceTest, ExplicitCallsAndGuardsThatAreOpened) {
  std::string Code = "void f() { m.lock(); mark(1); m.unlock(); mark(2); }"
                     "void g() { std::unique_lock<mutex> u(n); mark(3); "
                     "u.unlock(); mark(4); u.lock(); mark(5); }";
  EXPECT_EQ(at(Code, 1), "m");
  EXPECT_EQ(at(Code, 2), "");
  EXPECT_EQ(at(Code, 3), "n");
  EXPECT_EQ(at(Code, 4), "");
  EXPECT_EQ(at(Code, 5), "n");
}

TEST_F(LockEvidenceTest, ABranchThatLeavesTakesItsStateAlong) {
  std::string Code = "void f(bool b) { m.lock(); if (b) { m.unlock(); mark(1); "
                     "return; } mark(2); m.unlock(); }";
  EXPECT_EQ(at(Code, 1), "");
  EXPECT_EQ(at(Code, 2), "m");
}

TEST_F(LockEvidenceTest, ABranchThatUnlocksAndStaysEndsIt) {
  EXPECT_EQ(at("void f(bool b) { m.lock(); if (b) m.unlock(); mark(1); }"), "");
}

TEST_F(LockEvidenceTest, ALoopThatTriesUntilItHasTheLock) {
  EXPECT_EQ(at("void f() { while (!m.try_lock()) ; mark(1); m.unlock(); }"),
            "m");
  EXPECT_EQ(at("void f() { do { m.lock(); m.unlock(); } while (n.try_lock()); "
               "n.unlock(); mark(1); }"),
            "");
}

TEST_F(LockEvidenceTest, LoopsAndNestedLocks) {
  std::string Code = "void f() { m.lock(); for (;;) { n.lock(); mark(1); "
                     "n.unlock(); mark(2); } }";
  EXPECT_EQ(at(Code, 1), "m,n");
  EXPECT_EQ(at(Code, 2), "m");
}

TEST_F(LockEvidenceTest, NamesOfFunctionsCount) {
  EXPECT_EQ(at("void item_lock(int); void item_unlock(int);"
               "void f(int h) { item_lock(h); mark(1); item_unlock(h); }"),
            "(item)");
  EXPECT_EQ(at("void item_lock(int); void item_unlock(int);"
               "void f(int h) { item_lock(h); item_unlock(h); mark(1); }"),
            "");
  // Words, not letters.
  EXPECT_EQ(at("void clock(); void block_init(); void f() { clock(); "
               "block_init(); mark(1); }"),
            "");
  EXPECT_NE(at("void remove_locked() { mark(1); }"), "");
}

TEST_F(LockEvidenceTest, AttributesCount) {
  EXPECT_EQ(at("struct __attribute__((capability(\"m\"))) L {} l;"
               "void f() __attribute__((requires_capability(l)));"
               "void f() { mark(1); }"),
            "l");
  EXPECT_EQ(at("struct __attribute__((capability(\"m\"))) L {} l;"
               "void f() __attribute__((requires_capability(l))) { mark(1); }"),
            "l");
  EXPECT_EQ(at("struct __attribute__((capability(\"m\"))) L {} l;"
               "void take() __attribute__((acquire_capability(l)));"
               "void f() { take(); mark(1); }"),
            "l");
}

TEST_F(LockEvidenceTest, WhatAllCallersHoldIsHeld) {
  EXPECT_EQ(at("static void g() { mark(1); }"
               "void a() { std::lock_guard<mutex> x(m); g(); }"
               "void b() { std::lock_guard<mutex> x(m), y(n); g(); }"),
            "m");
  EXPECT_EQ(at("static void g() { mark(1); }"
               "void a() { std::lock_guard<mutex> x(m); g(); }"
               "void b() { g(); }"),
            "");
}

TEST_F(LockEvidenceTest, ALockWhoseErrorIsTestedIsHeld) {
  const std::string Library = "struct L; int l_lock(L *); int l_unlock(L *); "
                              "int l_trylock(L *); void die(); ";
  const std::string Code =
      Library + "void f(L *l) { if (l_lock(l) != 0) die(); mark(1); "
                "if (l_unlock(l) != 0) die(); mark(2); }"
                "void g(L *l) { if (l_trylock(l) == 0) mark(3); mark(4); }";
  EXPECT_EQ(at(Code, 1), "(l)");
  EXPECT_EQ(at(Code, 2), "");
  EXPECT_EQ(at(Code, 3), "(l)");
}

TEST_F(LockEvidenceTest, WhatIsHeldTogetherIsSaid) {
  const std::string Code =
      "struct L; int l_rdlock(L *); int l_wrlock(L *); int l_unlock(L *); "
      "void f(L *l) { l_rdlock(l); mark(1); l_unlock(l); mark(2); }"
      "void g(L *l) { l_wrlock(l); mark(3); l_unlock(l); }";
  EXPECT_EQ(at(Code, 1), "(l),(shared) (l)");
  EXPECT_EQ(at(Code, 2), "");
  EXPECT_EQ(at(Code, 3), "(l)");
  LockNames Held = {"(l)", "(shared) (l)", "m"};
  LockEvidence::dropShared(Held);
  EXPECT_EQ(llvm::join(Held, ","), "m");
}

TEST_F(LockEvidenceTest, ABlockOfAMacroIsNoLoop) {
  const std::string Code =
      "void f() { do { m.lock(); } while (0); mark(1); "
      "do { m.unlock(); } while (false); mark(2); }"
      "void g(int n) { do { m.lock(); } while (n); mark(3); }";
  EXPECT_EQ(at(Code, 1), "m");
  EXPECT_EQ(at(Code, 2), "");
  EXPECT_EQ(at(Code, 3), "");
}

TEST_F(LockEvidenceTest, WhatLetsGoIsNotBehindTheLock) {
  const std::string Code =
      "struct Ticket { void lock(); void unlock() { mark(1); } "
      "void held() { mark(2); } };"
      "void f(Ticket &t) { t.lock(); t.held(); t.unlock(); }";
  EXPECT_EQ(at(Code, 1), "");
  EXPECT_EQ(at(Code, 2), "f::t");
}

TEST_F(LockEvidenceTest, ALambdaHoldsNothingOfItsMaker) {
  EXPECT_EQ(
      at("void f() { std::lock_guard<mutex> g(m); auto l = [] { mark(1); }; }"),
      "");
}

} // namespace
