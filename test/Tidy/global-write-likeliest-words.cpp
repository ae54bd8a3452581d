// Atomic words in objects whose threads are elsewhere: of those that no check
// names, the likeliest one of a unit.
// RUN: split-file %s %t
// RUN: %check_tidy %t/pass.cpp 'linesman-*' %t.pass -- -std=c++20 -I%S/Inputs
// RUN: %check_tidy %t/right.cpp 'linesman-*' %t.right -- -std=c++20 -I%S/Inputs
// RUN: %check_tidy -config="{CheckOptions: {Likeliest: false}}" %t/off.cpp 'linesman-*' %t.off -- -std=c++20 -I%S/Inputs
//--- pass.cpp
#include "threads.h"

struct Mesh {
  bool step(int);
  void lock(int);
};

// Two words are counted, and the one in more functions is named. A lambda of a
// template's has no code before it is called.
template <typename M> class Pass {
  std::atomic<int> steps, ends;

public:
  void run(M &mesh) {
    auto one = [&](auto id) {
      while (mesh.step(id))
        steps++;
      // CHECK-MESSAGES: :[[@LINE-1]]:9: warning: 'Pass::steps' is one atomic word for all threads that have the object, and 2 functions change it, here 'Pass::run::operator()': each change moves its cache line to the core that makes it and away from all others; if several threads often do this to the same object, keep one count per thread
    };
    one(0);
    ends++;
  }
  void again(M &mesh) {
    mesh.lock(1);
    steps.fetch_add(2);
  }
};
void both(Pass<Mesh> &pass, Mesh &mesh) {
  pass.run(mesh);
  pass.again(mesh);
}
//--- off.cpp
#include "threads.h"

class Pass {
  std::atomic<int> steps;

public:
  void run() { steps++; }
};
void both(Pass &pass) { pass.run(); }
//--- right.cpp
#include "threads.h"

// The fix: a sum of what each thread has counted.
class FixedPass {
  std::atomic<int> steps;
  int finish(int own) {
    if (own > 1000)
      return own;
    return 0;
  }

public:
  int stop(int own) { return finish(own) + steps.load(); }
};
int use(FixedPass &pass, int own) { return pass.stop(own); }

// Flags, references, and what goes wrong.
class Job {
  std::atomic<int> refs, errors, state;
  std::atomic<bool> stopped;

public:
  void ref() { refs++; }
  void fail() { errors++; }
  void next() { state.fetch_add(1); }
  void stop() { stopped.store(true); }
};
void use(Job &job) {
  job.ref();
  job.fail();
  job.next();
}

// A line of its own, a thread's object, and one that is being made.
struct alignas(64) Padded {
  std::atomic<long> bytes;
};
void use(Padded &padded) { padded.bytes += 2; }
struct WorkerSums {
  std::atomic<long> bytes;
};
void use(WorkerSums &sums) { sums.bytes += 2; }
struct Queue {
  std::atomic<long> length;
  Queue() { length += 1; }
};
long local() {
  std::atomic<long> sum(0);
  sum += 2;
  return sum.load();
}
