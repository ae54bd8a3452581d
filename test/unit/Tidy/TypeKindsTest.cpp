// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which types are atomics and locks, which expressions name the thread.

#include "Analysis/Names/TypeKinds.h"
#include "ParsedUnit.h"

using namespace clang;
using namespace linesman::tidy;

namespace {

constexpr const char *TypeLibrary = R"(
namespace std {
inline namespace v1 {
template <typename T> struct atomic { T load() const; T fetch_add(T);
  bool compare_exchange_weak(T &, T); void store(T); T operator++(); T v; };
struct mutex { void lock(); void unlock(); };
template <typename M> struct lock_guard { lock_guard(M &); ~lock_guard(); M &m; };
struct condition_variable {};
}
}
namespace absl { struct Mutex {}; }
namespace other { struct Mutex {}; }
typedef int pthread_spinlock_t;
typedef struct { int v; } pthread_mutex_t;
struct RankedMutex { void lock(); void unlock(); int rank; };
struct Surface { void lock(); void unlock(); };
struct QuickLockGuard { QuickLockGuard(RankedMutex &); ~QuickLockGuard(); RankedMutex &m; };
struct LockedValue { std::lock_guard<std::mutex> g; int &v; };
struct Session { std::lock_guard<std::mutex> g; int v; };
struct __attribute__((capability("mutex"))) Annotated {};
struct Derived : std::mutex {};
)";

TypeKind kind(ParsedUnit &Unit, const TypeKinds &Kinds, const char *Variable) {
  return Kinds.kindOf(Unit.get<VarDecl>(Variable).getType());
}

TEST(TypeKindsTest, KnowsNamesTypedefsAndShapes) {
  ParsedUnit Unit(std::string(TypeLibrary) + R"(
extern std::atomic<long> a; extern std::atomic<int> b[4]; _Atomic(int) c;
extern std::mutex d; extern absl::Mutex e; extern other::Mutex f;
extern pthread_spinlock_t g; extern pthread_mutex_t h; extern RankedMutex i;
extern Surface j; extern Annotated k; extern Derived l; extern int m;
extern std::lock_guard<std::mutex> n; extern QuickLockGuard o;
extern LockedValue s; extern Session t;
extern std::condition_variable p; extern std::mutex *q; extern std::mutex &r;
)");
  TypeKinds Kinds;
  for (const char *Name : {"a", "b", "c"})
    EXPECT_EQ(kind(Unit, Kinds, Name), TypeKind::Atomic) << Name;
  for (const char *Name : {"d", "e", "g", "h", "i", "k", "l", "r"})
    EXPECT_EQ(kind(Unit, Kinds, Name), TypeKind::Lock) << Name;
  for (const char *Name : {"n", "o", "s"})
    EXPECT_EQ(kind(Unit, Kinds, Name), TypeKind::LockGuard) << Name;
  EXPECT_EQ(kind(Unit, Kinds, "p"), TypeKind::Synchronizer);
  // Another namespace's, a class that only has the methods, a pointer.
  for (const char *Name : {"f", "j", "m", "q", "t"})
    EXPECT_EQ(kind(Unit, Kinds, Name), TypeKind::Plain) << Name;
}

TEST(TypeKindsTest, OptionsAddNames) {
  ParsedUnit Unit("namespace my { struct Word {}; struct Gate {}; }"
                  "extern my::Word a; extern my::Gate b;");
  auto Atomics = NameList::parse("my::Word"), Locks = NameList::parse("Gate");
  ASSERT_TRUE(bool(Atomics));
  ASSERT_TRUE(bool(Locks));
  TypeKinds Kinds({&*Atomics, &*Locks, nullptr});
  EXPECT_EQ(kind(Unit, Kinds, "a"), TypeKind::Atomic);
  EXPECT_EQ(kind(Unit, Kinds, "b"), TypeKind::Lock);
}

TEST(TypeKindsTest, ThreadIdentities) {
  ParsedUnit Unit(R"(
extern "C" unsigned long pthread_self(); extern "C" int sched_getcpu();
namespace my { int shard(); }
thread_local int own; int shared;
int helper() { return own; }
void f(int parameter) {
  int from_helper = helper();
  int yes[] = {own, own % 8, (int)pthread_self(), sched_getcpu() & 3, from_helper, helper() + 1};
  int no[] = {shared, parameter, 7, own == 3, my::shard()};
}
)");
  TypeKinds Kinds;
  auto Elements = [&](const char *Name) {
    return cast<InitListExpr>(
               Unit.get<VarDecl>(Name).getInit()->IgnoreImplicit())
        ->inits();
  };
  for (const Expr *Part : Elements("yes"))
    EXPECT_TRUE(Kinds.isThreadIdentity(*Part));
  for (const Expr *Part : Elements("no"))
    EXPECT_FALSE(Kinds.isThreadIdentity(*Part));
  auto Functions = NameList::parse("my::shard");
  TypeKinds WithOption({nullptr, nullptr, &*Functions});
  EXPECT_TRUE(WithOption.isThreadIdentity(*Elements("no").back()));
}

} // namespace
