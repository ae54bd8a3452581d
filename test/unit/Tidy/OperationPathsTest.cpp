// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Start-up code against operations.

#include "Analysis/Accesses/OperationPaths.h"
#include "ParsedUnit.h"

using namespace clang;
using namespace linesman::tidy;

namespace {

TEST(OperationPathsTest, NamesAndCallersDecide) {
  ParsedUnit Unit(R"(
void run(void (*)());
void get() {}
void init_pool() {}
void HandleFinite() {}
void reconnectToServer() {}
void connectClient() {}
static void only_from_main() {}
static void also_from_get() {}
static void callback() {}
static void helper_of_helper() {}
static void helper() { helper_of_helper(); }
void serve() { also_from_get(); }
int main() { only_from_main(); also_from_get(); helper(); run(callback); }
struct S { S() {} void work() {} };
)");
  UnitAccesses Accesses(Unit.context(), {});
  OperationPaths Paths(Accesses);
  auto Is = [&](const char *Name) {
    return Paths.isOperation(&Unit.get<FunctionDecl>(Name));
  };
  for (const char *Name : {"get", "also_from_get", "callback", "serve", "work",
                           "HandleFinite", "connectClient"})
    EXPECT_TRUE(Is(Name)) << Name;
  for (const char *Name : {"main", "init_pool", "only_from_main", "helper",
                           "helper_of_helper", "reconnectToServer"})
    EXPECT_FALSE(Is(Name)) << Name;
  EXPECT_FALSE(Paths.isOperation(nullptr));
}

// A private step of making an object is known by its callers; one that somebody
// else may call, or that an operation calls, is not.
TEST(OperationPathsTest, PrivateStepsBelongToTheirCallers) {
  ParsedUnit Unit(R"(
class Ring {
public:
  Ring() { rewind(); clear(); }
  ~Ring() { drop(); }
  void push() { grow(); }
  void clear() {}
private:
  void rewind() {}
  void drop() {}
  void grow() {}
  void unused() {}
};
)");
  UnitAccesses Accesses(Unit.context(), {});
  OperationPaths Paths(Accesses);
  auto Is = [&](const char *Name) {
    return Paths.isOperation(&Unit.get<FunctionDecl>(Name));
  };
  for (const char *Name : {"push", "clear", "grow", "unused"})
    EXPECT_TRUE(Is(Name)) << Name;
  for (const char *Name : {"rewind", "drop"})
    EXPECT_FALSE(Is(Name)) << Name;
}

} // namespace
