// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that access an object whose address they are given, known by name.
// A lock's callee lies in a library, so nobody who looks at the caller sees the
// access itself; at -O0 the same goes for the small functions of std::mutex and
// std::atomic. An array of 40-byte locks is a classic of false sharing: each
// lock and unlock is an atomic read-modify-write.
//
// Both producers of facts ask here, so that they agree. Header only, because
// the pass is a plugin that links nothing of ours.

#ifndef LINESMAN_FACTS_KNOWNCALLS_H
#define LINESMAN_FACTS_KNOWNCALLS_H

#include "linesman/Facts/Facts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <iterator>
#include <string_view>

namespace linesman::facts {

/// How many bytes: those of a type, or what an argument says.
enum class Span : uint8_t {
  None,
  Unknown,
  Mutex,
  Spin,
  RWLock,
  Cond,
  Sem,
  Barrier,
  /// A constant number of bytes (Operand::Fixed).
  Fixed,
  Argument0,
  Argument1,
  Argument2,
};

struct Operand {
  uint8_t Argument = 0;
  AccessKind Kind = AccessKind::Read;
  Span Bytes = Span::None;
  uint64_t Fixed = 0;
};

struct KnownCall {
  llvm::StringLiteral Name;
  Operand First;
  Operand Second = {};
};

// Sorted by name. The library calls that take a mutex with a condition variable
// unlock and lock it. What a cond or a semaphore does without a waiter may be a
// read only: the name does not tell. The lock of a named critical section of
// OpenMP is a word of a variable that the compiler makes: libgomp's has 4 bytes
// of 8, LLVM's 8 of 32.
// GLib's mutex is a futex of 4 bytes, libuv's are pthreads'. What is given a
// pointer to a lock on the heap (APR, OpenSSL, NSPR) is not here.
// clang-format off
inline constexpr KnownCall KnownCalls[] = {
    {"GOMP_critical_name_end", {0, AccessKind::Atomic, Span::Fixed, 4}},
    {"GOMP_critical_name_start", {0, AccessKind::Atomic, Span::Fixed, 4}},
    {"_ZNSt10lock_guardISt12shared_mutexEC1ERS0_", {1, AccessKind::Atomic, Span::RWLock}},
    {"_ZNSt10lock_guardISt12shared_mutexEC2ERS0_", {1, AccessKind::Atomic, Span::RWLock}},
    {"_ZNSt10lock_guardISt15recursive_mutexEC1ERS0_", {1, AccessKind::Atomic, Span::Mutex}},
    {"_ZNSt10lock_guardISt15recursive_mutexEC2ERS0_", {1, AccessKind::Atomic, Span::Mutex}},
    {"_ZNSt10lock_guardISt5mutexEC1ERS0_", {1, AccessKind::Atomic, Span::Mutex}},
    {"_ZNSt10lock_guardISt5mutexEC2ERS0_", {1, AccessKind::Atomic, Span::Mutex}},
    {"_ZNSt11scoped_lockIJSt12shared_mutexEEC1ERS0_", {1, AccessKind::Atomic, Span::RWLock}},
    {"_ZNSt11scoped_lockIJSt12shared_mutexEEC2ERS0_", {1, AccessKind::Atomic, Span::RWLock}},
    {"_ZNSt11scoped_lockIJSt15recursive_mutexEEC1ERS0_", {1, AccessKind::Atomic, Span::Mutex}},
    {"_ZNSt11scoped_lockIJSt15recursive_mutexEEC2ERS0_", {1, AccessKind::Atomic, Span::Mutex}},
    {"_ZNSt11scoped_lockIJSt5mutexEEC1ERS0_", {1, AccessKind::Atomic, Span::Mutex}},
    {"_ZNSt11scoped_lockIJSt5mutexEEC2ERS0_", {1, AccessKind::Atomic, Span::Mutex}},
    {"_ZNSt11shared_lockISt12shared_mutexEC1ERS0_", {1, AccessKind::Atomic, Span::RWLock}},
    {"_ZNSt11shared_lockISt12shared_mutexEC2ERS0_", {1, AccessKind::Atomic, Span::RWLock}},
    {"_ZNSt11timed_mutex4lockEv", {0, AccessKind::Atomic, Span::Unknown}},
    {"_ZNSt11timed_mutex6unlockEv", {0, AccessKind::Atomic, Span::Unknown}},
    {"_ZNSt11timed_mutex8try_lockEv", {0, AccessKind::Atomic, Span::Unknown}},
    {"_ZNSt11unique_lockISt12shared_mutexEC1ERS0_", {1, AccessKind::Atomic, Span::RWLock}},
    {"_ZNSt11unique_lockISt12shared_mutexEC2ERS0_", {1, AccessKind::Atomic, Span::RWLock}},
    {"_ZNSt11unique_lockISt15recursive_mutexEC1ERS0_", {1, AccessKind::Atomic, Span::Mutex}},
    {"_ZNSt11unique_lockISt15recursive_mutexEC2ERS0_", {1, AccessKind::Atomic, Span::Mutex}},
    {"_ZNSt11unique_lockISt5mutexEC1ERS0_", {1, AccessKind::Atomic, Span::Mutex}},
    {"_ZNSt11unique_lockISt5mutexEC2ERS0_", {1, AccessKind::Atomic, Span::Mutex}},
    {"_ZNSt12shared_mutex11lock_sharedEv", {0, AccessKind::Atomic, Span::RWLock}},
    {"_ZNSt12shared_mutex13unlock_sharedEv", {0, AccessKind::Atomic, Span::RWLock}},
    {"_ZNSt12shared_mutex15try_lock_sharedEv", {0, AccessKind::Atomic, Span::RWLock}},
    {"_ZNSt12shared_mutex4lockEv", {0, AccessKind::Atomic, Span::RWLock}},
    {"_ZNSt12shared_mutex6unlockEv", {0, AccessKind::Atomic, Span::RWLock}},
    {"_ZNSt12shared_mutex8try_lockEv", {0, AccessKind::Atomic, Span::RWLock}},
    {"_ZNSt15recursive_mutex4lockEv", {0, AccessKind::Atomic, Span::Mutex}},
    {"_ZNSt15recursive_mutex6unlockEv", {0, AccessKind::Atomic, Span::Mutex}},
    {"_ZNSt15recursive_mutex8try_lockEv", {0, AccessKind::Atomic, Span::Mutex}},
    {"_ZNSt18condition_variable10notify_allEv", {0, AccessKind::Atomic, Span::Cond}},
    {"_ZNSt18condition_variable10notify_oneEv", {0, AccessKind::Atomic, Span::Cond}},
    {"_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", {0, AccessKind::Atomic, Span::Cond}},
    {"_ZNSt3__111timed_mutex4lockEv", {0, AccessKind::Atomic, Span::Unknown}},
    {"_ZNSt3__111timed_mutex6unlockEv", {0, AccessKind::Atomic, Span::Unknown}},
    {"_ZNSt3__111timed_mutex8try_lockEv", {0, AccessKind::Atomic, Span::Unknown}},
    {"_ZNSt3__112shared_mutex11lock_sharedEv", {0, AccessKind::Atomic, Span::RWLock}},
    {"_ZNSt3__112shared_mutex13unlock_sharedEv", {0, AccessKind::Atomic, Span::RWLock}},
    {"_ZNSt3__112shared_mutex15try_lock_sharedEv", {0, AccessKind::Atomic, Span::RWLock}},
    {"_ZNSt3__112shared_mutex4lockEv", {0, AccessKind::Atomic, Span::RWLock}},
    {"_ZNSt3__112shared_mutex6unlockEv", {0, AccessKind::Atomic, Span::RWLock}},
    {"_ZNSt3__112shared_mutex8try_lockEv", {0, AccessKind::Atomic, Span::RWLock}},
    {"_ZNSt3__115recursive_mutex4lockEv", {0, AccessKind::Atomic, Span::Mutex}},
    {"_ZNSt3__115recursive_mutex6unlockEv", {0, AccessKind::Atomic, Span::Mutex}},
    {"_ZNSt3__115recursive_mutex8try_lockEv", {0, AccessKind::Atomic, Span::Mutex}},
    {"_ZNSt3__118condition_variable10notify_allEv", {0, AccessKind::Atomic, Span::Cond}},
    {"_ZNSt3__118condition_variable10notify_oneEv", {0, AccessKind::Atomic, Span::Cond}},
    {"_ZNSt3__118condition_variable4waitERNS_11unique_lockINS_5mutexEEE", {0, AccessKind::Atomic, Span::Cond}},
    {"_ZNSt3__15mutex4lockEv", {0, AccessKind::Atomic, Span::Mutex}},
    {"_ZNSt3__15mutex6unlockEv", {0, AccessKind::Atomic, Span::Mutex}},
    {"_ZNSt3__15mutex8try_lockEv", {0, AccessKind::Atomic, Span::Mutex}},
    {"_ZNSt5mutex4lockEv", {0, AccessKind::Atomic, Span::Mutex}},
    {"_ZNSt5mutex6unlockEv", {0, AccessKind::Atomic, Span::Mutex}},
    {"_ZNSt5mutex8try_lockEv", {0, AccessKind::Atomic, Span::Mutex}},
    {"__kmpc_critical", {2, AccessKind::Atomic, Span::Fixed, 8}},
    {"__kmpc_critical_with_hint", {2, AccessKind::Atomic, Span::Fixed, 8}},
    {"__kmpc_end_critical", {2, AccessKind::Atomic, Span::Fixed, 8}},
    {"__memcpy_chk", {0, AccessKind::Write, Span::Argument2}, {1, AccessKind::Read, Span::Argument2}},
    {"__memmove_chk", {0, AccessKind::Write, Span::Argument2}, {1, AccessKind::Read, Span::Argument2}},
    {"__mempcpy_chk", {0, AccessKind::Write, Span::Argument2}, {1, AccessKind::Read, Span::Argument2}},
    {"__memset_chk", {0, AccessKind::Write, Span::Argument2}},
    {"bcmp", {0, AccessKind::Read, Span::Unknown}, {1, AccessKind::Read, Span::Unknown}},
    {"bcopy", {1, AccessKind::Write, Span::Argument2}, {0, AccessKind::Read, Span::Argument2}},
    {"bzero", {0, AccessKind::Write, Span::Argument1}},
    {"cnd_broadcast", {0, AccessKind::Atomic, Span::Cond}},
    {"cnd_signal", {0, AccessKind::Atomic, Span::Cond}},
    {"cnd_timedwait", {0, AccessKind::Atomic, Span::Cond}, {1, AccessKind::Atomic, Span::Mutex}},
    {"cnd_wait", {0, AccessKind::Atomic, Span::Cond}, {1, AccessKind::Atomic, Span::Mutex}},
    {"g_bit_lock", {0, AccessKind::Atomic, Span::Fixed, 4}},
    {"g_bit_trylock", {0, AccessKind::Atomic, Span::Fixed, 4}},
    {"g_bit_unlock", {0, AccessKind::Atomic, Span::Fixed, 4}},
    {"g_cond_wait", {0, AccessKind::Atomic, Span::Fixed, 4}, {1, AccessKind::Atomic, Span::Fixed, 4}},
    {"g_mutex_lock", {0, AccessKind::Atomic, Span::Fixed, 4}},
    {"g_mutex_trylock", {0, AccessKind::Atomic, Span::Fixed, 4}},
    {"g_mutex_unlock", {0, AccessKind::Atomic, Span::Fixed, 4}},
    {"memcmp", {0, AccessKind::Read, Span::Unknown}, {1, AccessKind::Read, Span::Unknown}},
    {"memcpy", {0, AccessKind::Write, Span::Argument2}, {1, AccessKind::Read, Span::Argument2}},
    {"memmove", {0, AccessKind::Write, Span::Argument2}, {1, AccessKind::Read, Span::Argument2}},
    {"mempcpy", {0, AccessKind::Write, Span::Argument2}, {1, AccessKind::Read, Span::Argument2}},
    {"memset", {0, AccessKind::Write, Span::Argument2}},
    {"mtx_lock", {0, AccessKind::Atomic, Span::Mutex}},
    {"mtx_timedlock", {0, AccessKind::Atomic, Span::Mutex}},
    {"mtx_trylock", {0, AccessKind::Atomic, Span::Mutex}},
    {"mtx_unlock", {0, AccessKind::Atomic, Span::Mutex}},
    {"pthread_barrier_wait", {0, AccessKind::Atomic, Span::Barrier}},
    {"pthread_cond_broadcast", {0, AccessKind::Atomic, Span::Cond}},
    {"pthread_cond_clockwait", {0, AccessKind::Atomic, Span::Cond}, {1, AccessKind::Atomic, Span::Mutex}},
    {"pthread_cond_signal", {0, AccessKind::Atomic, Span::Cond}},
    {"pthread_cond_timedwait", {0, AccessKind::Atomic, Span::Cond}, {1, AccessKind::Atomic, Span::Mutex}},
    {"pthread_cond_wait", {0, AccessKind::Atomic, Span::Cond}, {1, AccessKind::Atomic, Span::Mutex}},
    {"pthread_mutex_clocklock", {0, AccessKind::Atomic, Span::Mutex}},
    {"pthread_mutex_lock", {0, AccessKind::Atomic, Span::Mutex}},
    {"pthread_mutex_timedlock", {0, AccessKind::Atomic, Span::Mutex}},
    {"pthread_mutex_trylock", {0, AccessKind::Atomic, Span::Mutex}},
    {"pthread_mutex_unlock", {0, AccessKind::Atomic, Span::Mutex}},
    {"pthread_rwlock_clockrdlock", {0, AccessKind::Atomic, Span::RWLock}},
    {"pthread_rwlock_clockwrlock", {0, AccessKind::Atomic, Span::RWLock}},
    {"pthread_rwlock_rdlock", {0, AccessKind::Atomic, Span::RWLock}},
    {"pthread_rwlock_timedrdlock", {0, AccessKind::Atomic, Span::RWLock}},
    {"pthread_rwlock_timedwrlock", {0, AccessKind::Atomic, Span::RWLock}},
    {"pthread_rwlock_tryrdlock", {0, AccessKind::Atomic, Span::RWLock}},
    {"pthread_rwlock_trywrlock", {0, AccessKind::Atomic, Span::RWLock}},
    {"pthread_rwlock_unlock", {0, AccessKind::Atomic, Span::RWLock}},
    {"pthread_rwlock_wrlock", {0, AccessKind::Atomic, Span::RWLock}},
    {"pthread_spin_lock", {0, AccessKind::Atomic, Span::Spin}},
    {"pthread_spin_trylock", {0, AccessKind::Atomic, Span::Spin}},
    {"pthread_spin_unlock", {0, AccessKind::Atomic, Span::Spin}},
    {"sem_clockwait", {0, AccessKind::Atomic, Span::Sem}},
    {"sem_post", {0, AccessKind::Atomic, Span::Sem}},
    {"sem_timedwait", {0, AccessKind::Atomic, Span::Sem}},
    {"sem_trywait", {0, AccessKind::Atomic, Span::Sem}},
    {"sem_wait", {0, AccessKind::Atomic, Span::Sem}},
    {"uv_cond_wait", {0, AccessKind::Atomic, Span::Cond}, {1, AccessKind::Atomic, Span::Mutex}},
    {"uv_mutex_lock", {0, AccessKind::Atomic, Span::Mutex}},
    {"uv_mutex_trylock", {0, AccessKind::Atomic, Span::Mutex}},
    {"uv_mutex_unlock", {0, AccessKind::Atomic, Span::Mutex}},
    {"uv_rwlock_rdlock", {0, AccessKind::Atomic, Span::RWLock}},
    {"uv_rwlock_rdunlock", {0, AccessKind::Atomic, Span::RWLock}},
    {"uv_rwlock_wrlock", {0, AccessKind::Atomic, Span::RWLock}},
    {"uv_rwlock_wrunlock", {0, AccessKind::Atomic, Span::RWLock}},
};
// clang-format on

constexpr bool areKnownCallsSorted() {
  for (size_t I = 1; I < std::size(KnownCalls); ++I)
    if (std::string_view(KnownCalls[I - 1].Name) >=
        std::string_view(KnownCalls[I].Name))
      return false;
  return true;
}
static_assert(areKnownCallsSorted(), "looked up by binary search");

/// The argument that holds the number of bytes; nothing for other spans.
inline std::optional<unsigned> sizeArgument(Span Bytes) {
  switch (Bytes) {
  case Span::Argument0:
    return 0;
  case Span::Argument1:
    return 1;
  case Span::Argument2:
    return 2;
  default:
    return std::nullopt;
  }
}

/// The bytes that operations on a type touch on x86-64 and AArch64 Linux, the
/// same in glibc and musl; 0 for spans that are no type.
inline uint64_t typeSize(Span Bytes) {
  switch (Bytes) {
  case Span::Mutex:
    return 16; // lock, count, owner, users; of 40
  case Span::Spin:
    return 4;
  case Span::RWLock:
    return 28; // from readers to the current writer; of 56
  case Span::Cond:
    return 48;
  case Span::Sem:
  case Span::Barrier:
    return 32;
  default:
    return 0;
  }
}

/// A lock's whole type on x86-64 Linux, by a function that is given one.
struct LockType {
  llvm::StringLiteral Type;
  uint64_t Size;
};
inline std::optional<LockType> lockOf(llvm::StringRef Callee) {
  static constexpr std::pair<llvm::StringLiteral, LockType> Locks[] = {
      {"pthread_mutex_", {"pthread_mutex_t", 40}},
      {"pthread_rwlock_", {"pthread_rwlock_t", 56}},
      {"pthread_cond_", {"pthread_cond_t", 48}},
      {"pthread_spin_", {"pthread_spinlock_t", 4}},
      {"sem_", {"sem_t", 32}}};
  for (const auto &[Prefix, Lock] : Locks)
    if (Callee.starts_with(Prefix))
      return Lock;
  return std::nullopt;
}

/// Whether a known call takes or leaves a lock: pthreads', and what libstdc++
/// makes of them where it is not inlined.
inline bool isLockCall(llvm::StringRef Callee) {
  for (llvm::StringRef Prefix :
       {"pthread_mutex_", "pthread_rwlock_", "pthread_spin_", "mtx_"})
    if (Callee.starts_with(Prefix))
      return true;
  return Callee.starts_with("_ZNSt") &&
         (Callee.contains("lock") || Callee.contains("mutex"));
}

/// libatomic's functions and GCC's old ones with a number of bytes at the end
/// (__atomic_fetch_add_4), or with it as first argument (__atomic_load).
inline std::optional<Operand> operandOfAtomicCall(llvm::StringRef Name) {
  if (!Name.consume_front("__atomic_"))
    return std::nullopt;
  AccessKind Kind = AccessKind::Atomic;
  if (Name.starts_with("load"))
    Kind = AccessKind::Read;
  else if (Name.starts_with("store") || Name.starts_with("clear"))
    Kind = AccessKind::Write;
  else if (Name.starts_with("is_lock_free") || Name.contains("fence"))
    return std::nullopt;

  uint64_t Size = 0;
  auto [Stem, Number] = Name.rsplit('_');
  if (llvm::to_integer(Number, Size, 10))
    return Operand{0, Kind, Span::Fixed, Size};
  if (Name == "load" || Name == "store" || Name == "exchange" ||
      Name == "compare_exchange")
    return Operand{1, Kind, Span::Argument0};
  return std::nullopt;
}

/// The functions that GCC and clang call on AArch64 where a processor may or
/// may not have atomic instructions: __aarch64_ldadd4_acq_rel(value, object).
inline std::optional<Operand> operandOfOutlinedAtomic(llvm::StringRef Name) {
  if (!Name.consume_front("__aarch64_"))
    return std::nullopt;
  llvm::StringRef Operation = Name.take_while(llvm::isAlpha);
  Name = Name.drop_front(Operation.size());
  uint64_t Size = 0;
  if (Name.consumeInteger(10, Size) || !Name.starts_with("_"))
    return std::nullopt;
  if (Operation == "cas") // expected, desired, object
    return Operand{uint8_t(Size == 16 ? 4 : 2), AccessKind::Atomic, Span::Fixed,
                   Size};
  if (Operation == "swp" || Operation == "ldadd" || Operation == "ldclr" ||
      Operation == "ldeor" || Operation == "ldset")
    return Operand{1, AccessKind::Atomic, Span::Fixed, Size};
  return std::nullopt;
}

/// Members of libstdc++'s std::atomic, which are calls at -O0. A const one
/// loads; of the others, store and assignment write.
inline std::optional<Operand> operandOfAtomicMember(llvm::StringRef Name) {
  if (!Name.consume_front("_ZN"))
    return std::nullopt;
  bool IsConst = Name.consume_front("K");
  if (!Name.starts_with("St6atomicI") &&
      !Name.starts_with("St13__atomic_baseI"))
    return std::nullopt;
  if (Name.contains("12is_lock_free"))
    return std::nullopt;
  AccessKind Kind = AccessKind::Atomic;
  if (IsConst)
    Kind = AccessKind::Read;
  else if (Name.contains("E5storeE") || Name.contains("EaSE") ||
           Name.contains("EC1E") || Name.contains("EC2E"))
    Kind = AccessKind::Write;
  return Operand{0, Kind, Span::Unknown};
}

/// absl::Mutex, one word, in whichever inline namespace: its members that take
/// and leave it.
inline std::optional<Operand> operandOfAbslMutex(llvm::StringRef Name) {
  static constexpr llvm::StringLiteral Members[] = {
      "4LockEv",        "6UnlockEv",        "7TryLockEv",
      "10ReaderLockEv", "12ReaderUnlockEv", "13ReaderTryLockEv"};
  auto [Scope, Member] = Name.rsplit("5Mutex");
  if (!Scope.starts_with("_ZN4absl") || !llvm::is_contained(Members, Member))
    return std::nullopt;
  return Operand{0, AccessKind::Atomic, Span::Fixed, 8};
}

/// What a call to a function of that name touches; empty for others.
inline llvm::SmallVector<Operand, 2> knownOperands(llvm::StringRef Name) {
  llvm::SmallVector<Operand, 2> Found;
  const KnownCall *Known = llvm::lower_bound(
      KnownCalls, Name,
      [](const KnownCall &K, llvm::StringRef Name) { return K.Name < Name; });
  if (Known != std::end(KnownCalls) && Known->Name == Name) {
    for (const Operand &Op : {Known->First, Known->Second})
      if (Op.Bytes != Span::None)
        Found.push_back(Op);
  } else if (auto Op = operandOfAtomicCall(Name)) {
    Found.push_back(*Op);
  } else if (auto Op = operandOfOutlinedAtomic(Name)) {
    Found.push_back(*Op);
  } else if (auto Op = operandOfAtomicMember(Name)) {
    Found.push_back(*Op);
  } else if (auto Op = operandOfAbslMutex(Name)) {
    Found.push_back(*Op);
  }
  return Found;
}

} // namespace linesman::facts

#endif // LINESMAN_FACTS_KNOWNCALLS_H
