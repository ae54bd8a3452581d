// A class whose look beside its lock is in a header, so that other units look,
// too.
#include "threads.h"
class Log {
  std::atomic<int> level;
  std::mutex mutex;
  long lines = 0;

public:
  bool isOn(int urgency) const { return urgency >= level.load(std::memory_order_relaxed); }
  void setLevel(int now) { level.store(now); }
  void write(int urgency);
  long takeLines();
};
class Counted {
  std::atomic<int> level;
  std::mutex mutex;
  long lines = 0;

public:
  bool isOn(int urgency) const { return urgency >= level.load(std::memory_order_relaxed); }
  void raise() { level.fetch_add(1); }
  void write(int urgency);
  long takeLines();
};
class Apart {
  std::atomic<int> level;
  alignas(64) std::mutex mutex;
  long lines = 0;

public:
  bool isOn(int urgency) const { return urgency >= level.load(std::memory_order_relaxed); }
  void write(int urgency);
  long takeLines();
};
class Always {
  std::atomic<int> level;
  std::mutex mutex;
  long lines = 0, loud = 0;

public:
  bool isOn(int urgency) const { return urgency >= level.load(std::memory_order_relaxed); }
  void write(int urgency);
  long takeLines();
};
