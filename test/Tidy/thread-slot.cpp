// RUN: %check_tidy %s linesman-thread-slot %t
// RUN: %check_tidy -check-suffix=IDS -config="{CheckOptions: {ThreadIdFunctions: 'shard::current'}}" %s linesman-thread-slot %t
#include "threads.h"
extern "C" unsigned long pthread_self();

thread_local int thread_index;
struct Slot {
  long served;
};
static Slot slots[16];

void serve() {
  slots[thread_index].served++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'slots' here, but elements are 8 bytes apart and a cache line has 64: neighbouring threads write the same line; give the element type alignas(64) [linesman-thread-slot]
  // CHECK-MESSAGES-IDS: :[[@LINE-2]]:3: warning: each thread writes its own element of 'slots'
}

long counts[64];
void count() {
  counts[pthread_self() % 64] += 1;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'counts' here, but elements are 8 bytes apart and a cache line has 64: neighbouring threads write the same line; make the element a record with alignas(64)
  // CHECK-MESSAGES-IDS: :[[@LINE-2]]:3: warning: each thread writes its own element of 'counts'
}

// Through a helper, a local, a reference and an accessor.
static int my_index() { return thread_index; }
std::array<std::atomic<long>, 8> totals;
void total() {
  int Mine = my_index();
  auto &Own = totals[Mine];
  Own.fetch_add(1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'totals' here
  // CHECK-MESSAGES-IDS: :[[@LINE-2]]:3: warning: each thread writes its own element of 'totals'
}
struct Server {
  std::vector<Slot> shards;
  Slot &mine() { return shards[my_index()]; }
  void operate() {
    mine().served++;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread writes its own element of 'Server::shards' here
    // CHECK-MESSAGES-IDS: :[[@LINE-2]]:5: warning: each thread writes its own element of 'Server::shards'
  }
};

// An identity that only an option knows.
namespace shard {
int current();
}
int pending[8];
void wait() {
  ++pending[shard::current()];
  // CHECK-MESSAGES-IDS: :[[@LINE-1]]:3: warning: each thread writes its own element of 'pending' here
}

template <typename T> struct PerThread {
  T values[8];
  void set(T V) {
    values[thread_index] = V;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread writes its own element of 'PerThread::values' here
    // CHECK-MESSAGES-IDS: :[[@LINE-2]]:5: warning: each thread writes its own element of 'PerThread::values'
  }
};
void instantiate(PerThread<int> &A, PerThread<int> &B) {
  A.set(1);
  B.set(2);
}

// Numbers and elements that a starting loop hands out.
void start() {
  long sums[8];
  std::vector<std::thread> Threads;
  for (int I = 0; I < 8; ++I)
    Threads.emplace_back([&, I] { sums[I] += I; });
  // CHECK-MESSAGES: :[[@LINE-1]]:35: warning: each thread writes its own element of 'start::sums' here
  // CHECK-MESSAGES-IDS: :[[@LINE-2]]:35: warning: each thread writes its own element of 'start::sums'
}
static long by_number[8];
void work(int Number) {
  by_number[Number]++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'by_number' here
  // CHECK-MESSAGES-IDS: :[[@LINE-2]]:3: warning: each thread writes its own element of 'by_number'
}
void add_to(long *Sum) {
  for (int I = 0; I < 1000; ++I)
    *Sum += I;
}
void start_functions() {
  static long parts[8];
  for (int I = 0; I < 8; ++I) {
    std::thread A(work, I);
    std::thread B(add_to, &parts[I]);
    // CHECK-MESSAGES: :[[@LINE-1]]:27: warning: each thread that this loop starts gets its own element of 'start_functions::parts' to write, but elements are 8 bytes apart and a cache line has 64: neighbouring threads write the same line; make the element a record with alignas(64)
    // CHECK-MESSAGES-IDS: :[[@LINE-2]]:27: warning: each thread that this loop starts gets its own element of 'start_functions::parts'
    A.join();
    B.join();
  }
}

// An element that is an array, or has one: the thread's is the outermost.
long rows[64][3];
struct Cells {
  long cells[3];
  long sum;
};
Cells records[64];
std::array<std::array<std::atomic<int>, 4>, 64> nested;
long by_pointer_to_row[64][4];
void add(int I) {
  rows[thread_index][1]++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'rows' here, but elements are 24 bytes apart and a cache line has 64: neighbouring threads write the same line; make the element a record with alignas(64)
  // CHECK-MESSAGES-IDS: :[[@LINE-2]]:3: warning: each thread writes its own element of 'rows'
  records[thread_index].cells[I]++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'records' here, but elements are 32 bytes apart and a cache line has 64: neighbouring threads write the same line; give the element type alignas(64)
  // CHECK-MESSAGES-IDS: :[[@LINE-2]]:3: warning: each thread writes its own element of 'records'
  nested[thread_index][I]++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'nested' here, but elements are 16 bytes apart
  // CHECK-MESSAGES-IDS: :[[@LINE-2]]:3: warning: each thread writes its own element of 'nested'
  long *Row = by_pointer_to_row[thread_index];
  Row[I]++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'by_pointer_to_row' here, but elements are 32 bytes apart
  // CHECK-MESSAGES-IDS: :[[@LINE-2]]:3: warning: each thread writes its own element of 'by_pointer_to_row'
}

// ---- From here on: nothing.

// Rows that are whole lines, and rows that are elsewhere.
long wide_rows[64][8];
std::vector<std::vector<long>> heap_rows;
template <typename T> struct Owner {
  T &operator*() const;
};
std::vector<Owner<long>> owners;
void add_wide(int I) {
  wide_rows[thread_index][I]++;
  heap_rows[thread_index][I]++;
  *owners[thread_index] += I;
}

// A line for each.
struct alignas(64) Wide {
  long served;
};
Wide wide[16];
void serve_wide() { wide[thread_index].served++; }

// Read-mostly, and another index.
int node_of[64];
int node() { return node_of[thread_index]; }
long histogram[64];
void record(int Bucket) { histogram[Bucket]++; }

// A pointer for each, set once.
Slot *by_pointer[16];
void register_thread() { by_pointer[thread_index] = new Slot; }
void serve_pointer() { by_pointer[thread_index]->served++; }

// A thread's own object.
thread_local long own[8];
void use_own() { own[0]++; }

// Each thread only reads its element, or gets a copy.
long print(const long *Value) { return *Value; }
void show(long Value);
void start_readers() {
  static long inputs[8];
  for (int I = 0; I < 8; ++I) {
    std::thread A(print, &inputs[I]);
    std::thread B(show, inputs[I]);
    A.join();
    B.join();
  }
}

// One thread, no neighbour.
void start_one() {
  static long results[8];
  std::thread A(add_to, &results[0]);
  A.join();
}

[[clang::annotate("linesman:shared-ok")]] long accepted[8];
void accept() { accepted[thread_index]++; }
long silenced[8];
void silence() { silenced[thread_index]++; } // NOLINT(linesman-thread-slot)

// An element for each thread, given out by a function.
struct Search {
  long board[5];
  unsigned long nodes;
};
struct alignas(64) WideSearch {
  unsigned long nodes;
};
class Searches {
  Search own[8];
  WideSearch wide[8];
  Search listed[8];

public:
  Search &of(unsigned thread_id) { return own[thread_id]; }
  // Whole lines; to look at; not by thread.
  WideSearch &wideOf(unsigned thread_id) { return wide[thread_id]; }
  const Search &seen(unsigned thread_id) const { return listed[thread_id]; }
  Search &at(unsigned Position) { return listed[Position]; }
};
void visit(Search &Mine) {
  Mine.nodes++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: whoever 'Searches::of' gives an element of 'Searches::own' counts in it here, in 'visit', but elements are 48 bytes apart and a cache line has 64: neighbours that different threads use write the same line; give the element type alignas(64)
  // CHECK-MESSAGES-IDS: :[[@LINE-2]]:3: warning: whoever 'Searches::of' gives
}
void visit(WideSearch &Mine) { Mine.nodes++; }

// A random place, of a generator that each thread seeds for itself.
struct Random {
  explicit Random(unsigned Seed) : State(Seed) {}
  unsigned operator()() { return State = State * 1664525 + 1013904223; }
  unsigned State;
};
long samples[1024];
void sample(int n) {
  Random random(17 + thread_index);
  for (int i = 0; i < n; ++i)
    samples[random() % 1024]++;
}
