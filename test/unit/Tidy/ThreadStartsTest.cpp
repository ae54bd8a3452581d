// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a loop that starts threads hands to each.

#include "Analysis/Threads/ThreadStarts.h"
#include "ParsedUnit.h"

using namespace clang;
using namespace linesman::tidy;

namespace {

constexpr const char *ThreadLibrary =
    "typedef unsigned long pthread_t;"
    "int pthread_create(pthread_t *, void *, void *(*)(void *), void *);";

TEST(ThreadStartsTest, ElementsHandedInALoop) {
  ParsedUnit Unit(std::string(ThreadLibrary) + R"(
void *run(void *a) { long *n = a; ++*n; return 0; }
void *show(void *a) { long *n = a; return (void *)*n; }
void start(void) {
  pthread_t t; static long in_loop[4], once[4], shown[4];
  for (int i = 0; i < 4; ++i) {
    pthread_create(&t, 0, run, &in_loop[i]);
    pthread_create(&t, 0, show, &shown[i]);
  }
  pthread_create(&t, 0, run, &once[0]);
}
)",
                  /*IsC=*/true);
  UnitAccesses Accesses(Unit.context(), {});
  ThreadStarts Starts(Accesses);
  std::vector<std::pair<std::string, bool>> Found;
  for (const auto &Entry : Starts.handedElements())
    Found.emplace_back(Entry.Object.Array->getNameAsString(),
                       Starts.isWrittenByThreads(Entry));
  EXPECT_EQ(Found, (std::vector<std::pair<std::string, bool>>{
                       {"in_loop", true}, {"shown", false}}));
}

TEST(ThreadStartsTest, NumbersHandedInALoop) {
  ParsedUnit Unit(std::string(ThreadLibrary) + R"(
long slots[4], other[4];
void *run(void *a) { long id = (long)a, b = 0; slots[id]++; other[b]++; return 0; }
void start(void) {
  pthread_t t;
  for (long i = 0; i < 4; ++i)
    pthread_create(&t, 0, run, (void *)i);
}
)",
                  /*IsC=*/true);
  UnitAccesses Accesses(Unit.context(), {});
  ThreadStarts Starts(Accesses);
  for (const char *Name : {"slots", "other"})
    for (unsigned Index : Accesses.of(Unit.get<VarDecl>(Name))) {
      const Access &Use = Accesses.all()[Index];
      EXPECT_EQ(Starts.isThreadNumber(*Use.Object.Index, Use.Function),
                llvm::StringRef(Name) == "slots");
    }
}

} // namespace
