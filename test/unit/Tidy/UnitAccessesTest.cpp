// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one walk finds: kinds, roots, paths, elements, results.

#include "Analysis/Accesses/UnitAccesses.h"
#include "ParsedUnit.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;
using namespace linesman::tidy;

namespace {

/// "update g.n" for each access of f() in order: kind, root or base, path, and
/// the array in brackets.
std::string accessesOf(const std::string &Code, bool IsC = false,
                       const char *Function = "f") {
  ParsedUnit Unit(Code, IsC);
  UnitAccesses Accesses(Unit.context(), {});
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  const char *Kinds[] = {"read", "write", "update", "mutate", "address"};
  for (const Access &Use : Accesses.all()) {
    if (!Use.Function || Use.Function->getNameAsString() != Function)
      continue;
    Out << (Text.empty() ? "" : "; ") << Kinds[unsigned(Use.Kind)] << ' ';
    if (Use.Object.Root)
      Out << Use.Object.Root->getName();
    else if (Use.Object.IsThis)
      Out << "this";
    else if (Use.Object.Base)
      Out << '*' << Use.Object.Base->getName();
    for (const FieldDecl *Field : Use.Object.Path)
      Out << '.' << Field->getName();
    if (Use.Object.Array)
      Out << '[' << Use.Object.Array->getName() << ']';
    if (Use.Atomic != AtomicOperation::None)
      Out << '!';
    if (Use.Kind == AccessKind::Update && Use.IsResultUsed)
      Out << '?';
    Out.flush();
  }
  return Text;
}

constexpr const char *Globals = "struct S { int n; struct { int m, l; } in; "
                                "int a[4]; }; S g; S *p; int i, k;";

TEST(UnitAccessesTest, AssignmentsAndOperators) {
  EXPECT_EQ(accessesOf(std::string(Globals) +
                       "void f() { g.n = i; g.n += 1; k = i++; ++i; }"),
            "read i; write g.n; update g.n; update i?; write k; update i");
}

TEST(UnitAccessesTest, ElementsOfElements) {
  ParsedUnit Unit("struct S { int a[4]; }; S rows[8]; int i, k;"
                  "void f() { rows[i].a[k] = 1; }");
  UnitAccesses Accesses(Unit.context(), {});
  const Place &Written = Accesses.all().back().Object;
  std::string Names;
  for (const Element &Part : Written.elements())
    Names +=
        Part.Array->getNameAsString() + ":" + Part.Type.getAsString() + ' ';
  EXPECT_EQ(Names, "rows:S a:int ");
}

TEST(UnitAccessesTest, PathsAndElements) {
  EXPECT_EQ(accessesOf(std::string(Globals) +
                       "void f() { g.in.m = 1; g.a[i] = 2; p->n = 3; }"),
            "write g.in.m; read i; write g.a[a]; read p; write *p.n");
}

TEST(UnitAccessesTest, AWordInARecordOfItsOwnIsTheObject) {
  EXPECT_EQ(accessesOf("struct W { struct { int v; } only; } w;"
                       "void f() { w.only.v = 1; }"),
            "write w.only");
}

TEST(UnitAccessesTest, AliasesAreLookedThrough) {
  EXPECT_EQ(
      accessesOf(std::string(Globals) +
                 "void f() { int &r = g.n; r = 1; S *q = &g; q->n = 2; }"),
      "address g.n; write g.n; address g; write g.n");
  // Not after the pointer got another value.
  EXPECT_EQ(accessesOf(std::string(Globals) +
                       "void f(S *o) { S *q = &g; q = o; q->n = 2; }"),
            "address g; write *q.n");
}

TEST(UnitAccessesTest, AccessorsAreLookedThrough) {
  EXPECT_EQ(
      accessesOf(
          std::string(Globals) +
          "S &one() { static S only; return only; } void f() { one().n++; }"),
      "update only.n");
}

TEST(UnitAccessesTest, CallsMayWrite) {
  EXPECT_EQ(
      accessesOf(
          std::string(Globals) +
          "void in(const S &); void out(S &); void ptr(S *); void cptr(const S "
          "*); void f() { in(g); out(g); ptr(&g); cptr(&g); }"),
      "read g; mutate g; mutate g; read g");
}

TEST(UnitAccessesTest, ConditionalsAndUnevaluated) {
  EXPECT_EQ(accessesOf(std::string(Globals) +
                       "int f() { if (i) return k; return sizeof(g.n); }"),
            "read i; read k");
}

TEST(UnitAccessesTest, AtomicsOfC) {
  EXPECT_EQ(accessesOf("_Atomic int a; int b; void f(void) { a++; a = 1; "
                       "__atomic_fetch_add(&b, 1, 0); __sync_fetch_and_add(&b, "
                       "1); (void)__atomic_load_n(&b, 0); int e = 0; "
                       "__atomic_compare_exchange_n(&b, &e, 1, 0, 0, 0); }",
                       true),
            "update a!; write a!; update b!; update b!; read b!; update b!");
}

TEST(UnitAccessesTest, ConstructionIsTold) {
  ParsedUnit Unit(
      "struct S { int n; S() : n(1) { n = 2; } void set() { n = 3; } };"
      "void f() { S local; local.n = 4; }");
  UnitAccesses Accesses(Unit.context(), {});
  std::vector<bool> Construction;
  for (unsigned Index : Accesses.of(Unit.get<FieldDecl>("n")))
    Construction.push_back(Accesses.all()[Index].IsConstruction);
  EXPECT_EQ(Construction, (std::vector<bool>{true, true, false, true}));
}

TEST(UnitAccessesTest, WhatIsPublishedIsNotFresh) {
  // Also as something else: whoever has the pointer sees the writes behind it.
  ParsedUnit Unit("struct S { int n; }; S *all; char *bytes;"
                  "void f() { S *s = new S; s->n = 1; all = s; s->n = 2; }"
                  "void g() { S *s = new S; s->n = 1; bytes = (char *)s;"
                  "           s->n = 2; }");
  UnitAccesses Accesses(Unit.context(), {});
  for (const char *Name : {"f", "g"}) {
    std::vector<bool> Construction;
    for (const Access &Use : Accesses.all())
      if (Use.Function && Use.Function->getNameAsString() == Name &&
          Use.Object.field())
        Construction.push_back(Use.IsConstruction);
    EXPECT_EQ(Construction, (std::vector<bool>{true, false})) << Name;
  }
}

TEST(UnitAccessesTest, InstantiationsAreRead) {
  EXPECT_EQ(accessesOf("int g; template <typename T> void f(T t) { g = t; } "
                       "template void f<int>(int);"),
            "write g");
}

} // namespace
