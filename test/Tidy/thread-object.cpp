// RUN: %check_tidy %s linesman-thread-object %t
#include "threads.h"
int rand();
struct Task;
extern int count;

// Thieves move the head; the owner is busy with its own words beside it.
struct Worker {
  std::atomic<Task **> head;
  Task *current;
  long done;
};
thread_local Worker *own;
extern Worker *workers[64];

static Task **steal_from(Worker *victim) {
  Task **at = victim->head.load();
  victim->head.store(at + 1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread has a 'Worker' of its own, and 'Worker::head' (offset 0) of another thread's is written here, in 'steal_from'; it may share its cache line with 'Worker::current' (offset 8), which the owner writes in 'run': each write from outside makes the owner's next access a miss; keep what other threads use a line apart from what is the owner's alone [linesman-thread-object]
  return at;
}
Task **look_for_work() {
  int victim = rand() % count;
  return steal_from(workers[victim]);
}
void run(Task *next) {
  own->current = next;
  own->done++;
}

// The fix: what thieves write has lines of its own.
struct Apart {
  alignas(64) std::atomic<Task **> head;
  alignas(64) Task *current;
  long done;
};
thread_local Apart *own_apart;
extern Apart *apart[64];
void steal_apart() {
  Apart *victim = apart[rand() % count];
  victim->head.store(victim->head.load() + 1);
}
void run_apart(Task *next) {
  own_apart->current = next;
  own_apart->done++;
}

// Each looks for the oldest snapshot of all, and counts in its own object.
struct Session {
  static thread_local Session *mine;
  Session **all;
  int sessions;
  std::atomic<long> snapshot;
  long depth;
  long low;
  long oldest() {
    long least = low;
    for (int i = 0; i < sessions; ++i) {
      long each = all[i]->snapshot.load();
      // CHECK-MESSAGES: :[[@LINE-1]]:19: warning: each thread has a 'Session' of its own, and 'Session::snapshot' (offset 16) of another thread's is looked at here, in 'Session::oldest'; it may share its cache line with 'Session::depth' (offset 24), which the owner writes in 'Session::enter': each write of the owner makes the others' next look a miss
      if (each < least)
        least = each;
    }
    return least;
  }
  void enter() { depth++; }
};
long begin() {
  Session::mine->enter();
  return Session::mine->oldest();
}

// The fix.
struct FarSession {
  static thread_local FarSession *mine;
  FarSession **all;
  int sessions;
  alignas(64) std::atomic<long> snapshot;
  alignas(64) long depth;
  long oldest() {
    long least = 0;
    for (int i = 0; i < sessions; ++i)
      if (all[i]->snapshot.load() < least)
        least = all[i]->snapshot.load();
    return least;
  }
  void enter() { depth++; }
};

// Through a vector, and a helper that picks one of them.
struct Lane {
  std::atomic<long> claimed;
  long depth;
};
std::vector<Lane> lanes;
thread_local int lane_number;
static Lane &random_lane() { return lanes[rand() % count]; }
bool claim() {
  return random_lane().claimed.fetch_add(1) == 0;
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: each thread has a 'Lane' of its own, and 'Lane::claimed' (offset 0) of another thread's is written here, in 'claim'; it may share its cache line with 'Lane::depth' (offset 8), which the owner writes in 'descend'
}
void descend() { lanes[lane_number].depth++; }

// A statistic that somebody adds up now and then.
struct Counts {
  std::atomic<long> hits;
  long misses;
};
thread_local Counts *counts;
extern Counts *all_counts[64];
long total() {
  long sum = counts->misses;
  for (int i = 0; i < count; ++i)
    sum += all_counts[i]->hits.load();
  return sum;
}
void miss() {
  counts->misses++;
  counts->misses++;
}
void hit() { counts->hits.fetch_add(1); }

// A flag that is raised for another thread.
struct Flagged {
  std::atomic<bool> wanted;
  long turns;
};
thread_local Flagged *flagged;
extern Flagged *all_flagged[64];
void want(int number) {
  for (int i = 0; i < count; ++i)
    if (i == number)
      all_flagged[i]->wanted.store(true);
}
void turn() { flagged->turns++; }

// Nodes of a tree are no thread's.
struct Node {
  Node *children[4];
  std::atomic<long> version;
  long size;
  bool isNew(long since) {
    for (int i = 0; i < 4; ++i)
      if (children[i]->version.load() > since)
        return true;
    return false;
  }
  void grow() { size++; }
};

// Whoever moves the word looks at the neighbour as well.
struct Together {
  std::atomic<long> top;
  long size;
};
thread_local Together *together;
extern Together *all_together[64];
bool take() {
  Together *victim = all_together[rand() % count];
  return victim->top.fetch_add(1) < victim->size;
}
void grow() { together->size++; }

// Accepted.
struct [[clang::annotate("linesman:shared-ok")]] Accepted {
  std::atomic<long> top;
  long size;
};
thread_local Accepted *accepted;
extern Accepted *all_accepted[64];
long take_accepted() { return all_accepted[rand() % count]->top.fetch_add(1); }
void grow_accepted() { accepted->size++; }
