// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads come and go: pthread_create is wrapped, a key's destructor sees the
// end. A thread that was made some other way is adopted at its first access.

#include "Record.h"
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace linesman::record {

using CreateFunction = int (*)(pthread_t *, const pthread_attr_t *,
                               void *(*)(void *), void *);
using MutexFunction = int (*)(pthread_mutex_t *);
static CreateFunction RealCreate;
static MutexFunction RealLock, RealTryLock, RealUnlock;
static pthread_key_t EndKey;

static void nameThread(const Thread *T) {
  ThreadName &Entry = S.Names[T->Number];
  Entry.KernelId = T->KernelId;
  pthread_getname_np(pthread_self(), Entry.Name, sizeof(Entry.Name));
}

static void endThread(void *Memory) {
  auto *T = static_cast<Thread *>(Memory);
  nameThread(T);
  Self = nullptr;
  __atomic_fetch_sub(&S.Live, 1, __ATOMIC_RELAXED);
  munmap(T, sizeof(Thread));
}

static Thread *beginThread() {
  uint32_t Number = __atomic_add_fetch(&S.ThreadCount, 1, __ATOMIC_RELAXED);
  auto *T = static_cast<Thread *>(Number <= MaxThreads ? reserve(sizeof(Thread))
                                                       : nullptr);
  if (!T) {
    lose(S.Lost.Threads);
    return nullptr;
  }
  T->Number = static_cast<uint16_t>(Number);
  T->KernelId = static_cast<int>(syscall(SYS_gettid));
  Self = T;
  nameThread(T);
  pthread_setspecific(EndKey, T);
  return T;
}

Thread *adoptThread() {
  if (Self)
    return Self;
  Thread *T = beginThread();
  if (T)
    __atomic_fetch_add(&S.Live, 1, __ATOMIC_RELAXED);
  return T;
}

void initializeThreads() {
  RealCreate =
      reinterpret_cast<CreateFunction>(dlsym(RTLD_NEXT, "pthread_create"));
  RealLock =
      reinterpret_cast<MutexFunction>(dlsym(RTLD_NEXT, "pthread_mutex_lock"));
  RealTryLock = reinterpret_cast<MutexFunction>(
      dlsym(RTLD_NEXT, "pthread_mutex_trylock"));
  RealUnlock =
      reinterpret_cast<MutexFunction>(dlsym(RTLD_NEXT, "pthread_mutex_unlock"));
  pthread_key_create(&EndKey, endThread);
  // The main thread is counted in Live already.
  beginThread();
}

struct StartArguments {
  void *(*Start)(void *);
  void *Argument;
};

static void *startThread(void *Memory) {
  StartArguments Arguments = *static_cast<StartArguments *>(Memory);
  munmap(Memory, sizeof(StartArguments));
  if (!beginThread())
    __atomic_fetch_sub(&S.Live, 1, __ATOMIC_RELAXED);
  return Arguments.Start(Arguments.Argument);
}

/// glibc's lock, owner and user count: the 16 bytes that locking writes.
static void recordMutex(pthread_mutex_t *Mutex, uint64_t Pc) {
  recordAccess(reinterpret_cast<uint64_t>(Mutex), 16, AtomicWrite, Pc);
}

} // namespace linesman::record

using namespace linesman::record;

#define CALLER reinterpret_cast<uint64_t>(__builtin_return_address(0))

extern "C" {

int pthread_create(pthread_t *Handle, const pthread_attr_t *Attributes,
                   void *(*Start)(void *), void *Argument) {
  initialize();
  auto *Memory = static_cast<StartArguments *>(reserve(sizeof(StartArguments)));
  if (!Memory)
    return RealCreate(Handle, Attributes, Start, Argument);
  *Memory = {Start, Argument};
  // Before the thread exists, so that no access of it is missed.
  __atomic_fetch_add(&S.Live, 1, __ATOMIC_RELAXED);
  int Result = RealCreate(Handle, Attributes, startThread, Memory);
  if (Result != 0) {
    __atomic_fetch_sub(&S.Live, 1, __ATOMIC_RELAXED);
    munmap(Memory, sizeof(StartArguments));
  }
  return Result;
}

int pthread_mutex_lock(pthread_mutex_t *Mutex) {
  initialize();
  recordMutex(Mutex, CALLER);
  return RealLock(Mutex);
}

int pthread_mutex_trylock(pthread_mutex_t *Mutex) {
  initialize();
  recordMutex(Mutex, CALLER);
  return RealTryLock(Mutex);
}

int pthread_mutex_unlock(pthread_mutex_t *Mutex) {
  initialize();
  recordMutex(Mutex, CALLER);
  return RealUnlock(Mutex);
}

} // extern "C"
