// RUN: %check_tidy %s linesman-lock-neighbour %t
// A lock that one function takes, after a look beside it that mostly ends the
// call; others look, too.
#include "threads.h"

class Logger {
  std::mutex mutex;
  int level = 2;
  long lines = 0;

public:
  void log(int urgency) {
    if (urgency < level)
      return;
    std::lock_guard<std::mutex> guard(mutex);
    // CHECK-MESSAGES: :[[@LINE-1]]:33: warning: 'Logger::mutex' (offset 0) is taken here, in 'Logger::log', and may share its cache line with 'Logger::level' (offset 40), which 2 functions read without it: each attempt to take the lock makes their next access a miss; keep them a line apart [linesman-lock-neighbour]
    lines++;
  }
  bool isOn(int urgency) const { return urgency >= level; }
  int getLevel() const { return level; }
};

// One getter alone is no evidence; a line apart; nobody else looks; the test decides about something else; it is
// changed all the time; the test is behind the lock.
class Quiet {
  std::mutex mutex;
  int most = 2;
  long lines = 0;

public:
  void add(int size) {
    if (size > most)
      return;
    std::lock_guard<std::mutex> guard(mutex);
    lines++;
  }
  int getMost() const { return most; }
};
class Apart {
  alignas(64) std::mutex mutex;
  long lines = 0;
  alignas(64) int level = 2;

public:
  void log(int urgency) {
    if (urgency < level)
      return;
    std::lock_guard<std::mutex> guard(mutex);
    lines++;
  }
  bool isOn(int urgency) const { return urgency >= level; }
};
class Alone {
  std::mutex mutex;
  int level = 2;
  long lines = 0;

public:
  void log(int urgency) {
    if (urgency < level)
      return;
    std::lock_guard<std::mutex> guard(mutex);
    lines++;
  }
};
class Either {
  std::mutex mutex;
  int level = 2;
  long lines = 0, loud = 0;

public:
  void log(int urgency) {
    int step = 1;
    if (urgency < level)
      step = 2;
    std::lock_guard<std::mutex> guard(mutex);
    lines += step;
  }
  bool isOn(int urgency) const { return urgency >= level; }
};
class Moving {
  std::mutex mutex;
  int level = 2;
  long lines = 0;

public:
  void log(int urgency) {
    if (urgency < level)
      return;
    std::lock_guard<std::mutex> guard(mutex);
    lines++;
  }
  bool isOn(int urgency) const { return urgency >= level; }
  void next() { level++; }
};
class Behind {
  std::mutex mutex;
  int level = 2;
  long lines = 0;

public:
  void log(int urgency) {
    std::lock_guard<std::mutex> guard(mutex);
    if (urgency < level)
      return;
    lines++;
  }
  bool isOn(int urgency) const { return urgency >= level; }
};

void use(Logger &a, Apart &b, Alone &c, Either &d, Moving &e, Behind &f,
         Quiet &g) {
  g.add(a.getLevel());
  g.add(g.getMost());
  if (a.isOn(1) || b.isOn(1) || d.isOn(1) || e.isOn(1) || f.isOn(1))
    a.log(1);
  b.log(1);
  c.log(1);
  d.log(1);
  e.log(1);
  e.next();
  f.log(1);
}
