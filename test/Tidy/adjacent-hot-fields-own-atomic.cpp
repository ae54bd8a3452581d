// RUN: %check_tidy %s linesman-adjacent-hot-fields %t
// A project's own atomic class, on builtins: what its methods do is what the
// standard's do.
template <typename T> class AtomicWord {
  struct {
    volatile T raw;
  } Value;

public:
  T load() const { return Value.raw; }
  void store(T New) { __sync_lock_test_and_set(&Value.raw, New); }
  T fetchSub(T N) { return __sync_fetch_and_sub(&Value.raw, N); }
  bool compareExchange(T Expected, T New) {
    return __sync_bool_compare_and_swap(&Value.raw, Expected, New);
  }
};
template <typename T> class Atomic : public AtomicWord<T> {};

struct Table {
  const unsigned long mask;
  Atomic<long> remaining;
  bool take() { return remaining.fetchSub(1) > 0; }
  // CHECK-MESSAGES: :[[@LINE-1]]:24: warning: 'Table::remaining' (offset 8) is updated here, in 'Table::take', and may share its cache line with 'Table::mask' (offset 0), which 'Table::has' reads and no operation of this unit changes
  bool has(unsigned long hash) const { return (hash & mask) == 0; }
};

// The fix.
struct Apart {
  const unsigned long mask;
  alignas(64) Atomic<long> remaining;
  bool take() { return remaining.fetchSub(1) > 0; }
  bool has(unsigned long hash) const { return (hash & mask) == 0; }
};

// Only looked at; a number of chemistry; several words, which are no atomic.
struct Looked {
  const unsigned long mask;
  Atomic<long> remaining;
  bool any() { return remaining.load() > 0; }
  bool has(unsigned long hash) const { return (hash & mask) == 0; }
};
class AtomicNumber {
  int protons = 0;

public:
  int get() const { return protons; }
  void assign(int n) { protons = n; }
};
struct Element {
  const int period;
  AtomicNumber number;
  void become(int n) { number.assign(n); }
  bool isIn(int p) const { return period == p; }
};
class AtomicPair {
  long first = 0, second = 0;

public:
  long load() const { return first; }
  void add(long n) { second += n; }
};
struct Pairs {
  const unsigned long mask;
  AtomicPair pair;
  void count() { pair.add(1); }
  bool has(unsigned long hash) const { return (hash & mask) == 0; }
};
