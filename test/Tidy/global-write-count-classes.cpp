// RUN: %check_tidy -config="{CheckOptions: {Likeliest: false}}" %s linesman-global-write %t
// A class that is nothing but one atomic count, and is named after that.
#include "threads.h"

class HitCounter {
  std::atomic<long> hits;

public:
  void add(long n) { hits.fetch_add(n); }
  // CHECK-MESSAGES: :[[@LINE-1]]:22: warning: 'HitCounter::hits' is one count for all threads that use the same 'HitCounter', and 'HitCounter::add' updates it: its cache line, with the objects beside it, moves to the core that runs the call and away from all others; keep one count per thread, on lines of their own, and add them where they are read [linesman-global-write]
  long get() const { return hits.load(); }
};

// By compare-exchange; a switch around it; what an operator gives back.
struct Gauge {
  std::atomic<double> value;
  void change(double n) {
    double seen = value.load();
    while (!value.compare_exchange_weak(seen, seen + n))
      ;
    // CHECK-MESSAGES: :[[@LINE-2]]:13: warning: 'Gauge::value' is one count for all threads that use the same 'Gauge', and 'Gauge::change' updates it
  }
};
struct EvalStats {
  std::atomic<long> inner;
  static bool enabled;
  long operator++() { return enabled ? ++inner : 0; }
  // CHECK-MESSAGES: :[[@LINE-1]]:40: warning: 'EvalStats::inner' is one count
};
template <typename T> struct TypedMeter {
  std::atomic<T> sum;
  void mark(T n) { sum += n; }
  // CHECK-MESSAGES: :[[@LINE-1]]:20: warning: 'TypedMeter{{.*}}::sum' is one count
};

// Right: on lines of its own; for each thread; a number that is handed out; the
// class goes on by it; references; under a lock; set, not counted; more than a
// count.
struct alignas(64) OwnLineCounter {
  std::atomic<long> hits;
  void add() { hits++; }
};
struct SmallCounter {
  std::atomic<long> hits;
  void add() { hits++; }
};
thread_local SmallCounter ownCount;
struct TicketCounter {
  std::atomic<long> last;
  long take() { return last.fetch_add(1); }
};
struct LimitCounter {
  std::atomic<long> taken;
  bool take() {
    if (taken.load() > 100)
      return false;
    taken++;
    return true;
  }
};
struct RefCounter {
  std::atomic<long> n;
  void retain() { n++; }
};
struct GuardedCounter {
  std::atomic<long> n;
  void add(std::mutex &lock) {
    std::lock_guard<std::mutex> guard(lock);
    n++;
  }
};
struct LevelGauge {
  std::atomic<long> level;
  void set(long now) { level.store(now); }
};
struct NamedMetric {
  const char *name;
  std::atomic<long> n;
  void add() { n++; }
};

void use(HitCounter &hits, Gauge &gauge, EvalStats &stats,
         TypedMeter<long> &meter, TypedMeter<double> &other,
         OwnLineCounter &own, TicketCounter &tickets, LimitCounter &limit,
         RefCounter &references, GuardedCounter &guarded, std::mutex &lock,
         LevelGauge &level, NamedMetric &named) {
  hits.add(1);
  gauge.change(1);
  ++stats;
  meter.mark(1);
  other.mark(1);
  own.add();
  ownCount.add();
  tickets.take();
  limit.take();
  references.retain();
  guarded.add(lock);
  level.set(1);
  named.add();
}
