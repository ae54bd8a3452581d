// clang says nothing more behind a header that is missing, and would instantiate
// no template. The rest of the file is judged all the same, as far as it cannot
// depend on the header.
// RUN: %check_tidy %s linesman-* %t
// With the header all of it is said.
// RUN: %check_tidy -check-suffix=WHOLE %s linesman-* %t.whole -- -DWHOLE
#include "threads.h"
#ifdef WHOLE
namespace header {
struct Guard {
  explicit Guard(std::mutex &) {}
};
} // namespace header
#define LINE_ALIGNED
#else
#include "no/such/header.h"
// CHECK-MESSAGES: :[[@LINE-1]]:10: error: 'no/such/header.h' file not found
#endif

struct Cache {
  std::atomic<long> hits;
  long limit;
};
void hit(Cache &c) { c.hits.fetch_add(1); }
// CHECK-MESSAGES: :[[@LINE-1]]:22: warning: 'Cache::hits' (offset 0) is updated here, in 'hit', and may share its cache line with 'Cache::limit' (offset 8), which 2 functions read
// CHECK-MESSAGES-WHOLE: :[[@LINE-2]]:22: warning: 'Cache::hits' (offset 0) is updated here
long room(Cache &c) { return c.limit; }
long full(Cache &c, long n) {
  while (n < c.limit)
    n += c.limit;
  return n;
}

// Errors that nobody sees are errors.
struct Guarded {
  std::atomic<long> hits;
  long most;
};
std::mutex m;
void hit(Guarded &c) { c.hits.fetch_add(1); }
// CHECK-MESSAGES-WHOLE: :[[@LINE-1]]:24: warning: 'Guarded::hits' (offset 0) is updated here
long most(Guarded &c) { return c.most; }
long most_of(Guarded &c, long n) {
  while (n < c.most)
    n += c.most;
  return n;
}
long locked(Guarded &c) {
  header::Guard guard(m);
  return c.most;
}

// The header's macro aligns, or declares a variable if it is missing.
struct Aligned {
  std::atomic<long> hits;
  LINE_ALIGNED long level;
};
struct Behind {
  std::atomic<long> hits;
  long level;
} LINE_ALIGNED;
LINE_ALIGNED
struct Before {
  std::atomic<long> hits;
  long level;
};
template <class T> struct Part {
  T part;
  void hit() { part.hits.fetch_add(1); }
  // CHECK-MESSAGES-WHOLE: :[[@LINE-1]]:16: warning: 'Aligned::hits' (offset 0) is updated here
  // CHECK-MESSAGES-WHOLE: :[[@LINE-2]]:16: warning: 'Before::hits' (offset 0) is updated here
  // CHECK-MESSAGES-WHOLE: :[[@LINE-3]]:16: warning: 'Behind::hits' (offset 0) is updated here
  long full(long n) const {
    while (n < part.level)
      n += part.level;
    return n;
  }
};
template struct Part<Aligned>;
template struct Part<Behind>;
template struct Part<Before>;

// A template that is whole is instantiated.
template <class T> struct Queue {
  std::atomic<T> pushed;
  T depth;
  void push() { pushed.fetch_add(1); }
  // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: 'Queue::pushed' (offset 0) is updated here
  // CHECK-MESSAGES-WHOLE: :[[@LINE-2]]:17: warning: 'Queue::pushed' (offset 0) is updated here
  T full(T n) const {
    while (n < depth)
      n += depth;
    return n;
  }
};
template struct Queue<long>;

// A macro of the header may read it.
static int last_error;
void fail(int code) { last_error = code; }
// CHECK-MESSAGES-WHOLE: :[[@LINE-1]]:23: warning: 'last_error' is written here and never read

// Of a template's function with an error nothing is known, whatever it is for.
template <class T> struct Counter {
  std::atomic<T> hits;
  T limit;
  void hit() {
    header::Guard guard(m);
    hits.fetch_add(1);
    // CHECK-MESSAGES-WHOLE: :[[@LINE-1]]:5: warning: 'Counter::hits' (offset 0) is updated here
  }
  T full(T n) const {
    while (n < limit)
      n += limit;
    return n;
  }
};
template struct Counter<long>;
