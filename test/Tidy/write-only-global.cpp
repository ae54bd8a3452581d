// RUN: %check_tidy %s linesman-write-only-global %t
#include "threads.h"

static int last_error;
void fail(int Code) {
  last_error = Code;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'last_error' is written here and never read: nobody in this file looks at it and nobody else can, but the store takes its cache line, and what the linker put beside it, away from the other cores; remove it [linesman-write-only-global]
}

namespace {
std::atomic<long> calls;
struct Trace {
  int line;
  const char *file;
} trace;
} // namespace
void call() {
  calls++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'calls' is written here and never read
  calls.fetch_add(1);
  trace.line = __LINE__;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'trace' is written here and never read
  static long entries;
  entries += 1;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'call::entries' is written here and never read
}

static int history[4];
void remember(int I) {
  history[I & 3] = I;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'history' is written here and never read
}

template <typename T> struct Box {
  void put(T) { puts = sizeof(T); }
  static long puts;
};

// ---- From here on: nothing.

static int read_somewhere;
void write_it() { read_somewhere = 1; }
int read_it() { return read_somewhere; }

static int result_used;
int next() { return ++result_used; }

static int address_taken;
void publish(int *);
void hand_out() {
  address_taken = 1;
  publish(&address_taken);
}

static int by_reference;
int &refer() {
  by_reference = 2;
  return by_reference;
}

static int through_alias;
int alias() {
  int &A = through_alias;
  A = 3;
  return A;
}

static int through_pointer;
int pointer() {
  int *P = &through_pointer;
  *P = 3;
  return *P;
}

static int captured;
void capture() {
  captured = 1;
  auto F = [] { return captured; };
  F();
}

int external;
void write_external() { external = 1; }
static volatile int device;
void write_device() { device = 1; }
[[gnu::used]] static int for_debugger;
void write_debug() { for_debugger = 1; }
static thread_local int own;
void write_own() { own = 1; }
static int only_at_start;
void init_start() { only_at_start = 1; }
static std::lock_guard<std::mutex> *raii;
struct Holder {
  Holder();
  ~Holder();
  Holder &operator=(int);
};
static Holder holder;
void assign() { holder = 1; }
static int compared;
bool compare() { compared = 4; return compared == 5; }
[[clang::annotate("linesman:shared-ok")]] static int accepted;
void accept() { accepted = 1; }
static int silenced;
void silence() { silenced = 1; } // NOLINT(linesman-write-only-global)
