// A guard of the standard library with a body, which calls what it is given.
#ifndef GUARDS_H
#define GUARDS_H
#pragma GCC system_header
#include "threads.h"
namespace std {
template <typename M> struct scope_guard {
  explicit scope_guard(M &Lock) : Mutex(Lock) { Mutex.lock(); }
  ~scope_guard() { Mutex.unlock(); }
  M &Mutex;
};
} // namespace std
#endif
