// Locks of an object that its operations take for a few statements each.
// RUN: %check_tidy %s linesman-global-write %t

#include "threads.h"

class Jobs {
public:
  void push(int job) {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      // CHECK-MESSAGES: :[[@LINE-1]]:41: warning: 'Jobs::mutex_' is one lock for all that threads do with the object, and 3 functions take it for a few statements each, here 'Jobs::push': {{.*}} if several threads often call them for the same object, hand over several at once, or split what it guards
      jobs_.push_back(int(job));
      ++pushed_;
    }
    wake();
  }
  void push_twice(int job) {
    std::lock_guard<std::mutex> guard(mutex_);
    jobs_.push_back(int(job));
    jobs_.push_back(int(job));
  }
  void drop() {
    std::lock_guard<std::mutex> guard(mutex_);
    --pushed_;
  }

private:
  void wake();
  std::mutex mutex_;
  std::vector<int> jobs_;
  long pushed_ = 0;
};

void use(Jobs &jobs) {
  jobs.push(1);
  jobs.push_twice(2);
  jobs.drop();
}

// Sums of an element: two functions are enough, as nothing else is done.
struct Sums {
  long bytes, last;
};
class Tracker {
public:
  void reference(int id, long bytes) {
    std::lock_guard<std::mutex> guard(mutex_);
    // CHECK-MESSAGES: :[[@LINE-1]]:39: warning: 'Tracker::mutex_' is one lock for all that threads do with the object, and 2 functions take it only to add up, here 'Tracker::reference': {{.*}} keep one copy per thread and add them where they are read
    auto &sums = sums_[id];
    sums.bytes += bytes;
    sums.last = bytes;
  }
  void read(int id, long bytes) {
    std::lock_guard<std::mutex> guard(mutex_);
    auto &sums = read_[id];
    sums.bytes += bytes;
  }

private:
  std::mutex mutex_;
  Sums sums_[8], read_[8];
};

void track(Tracker &tracker) {
  tracker.reference(1, 2);
  tracker.read(1, 2);
}

// The fix: each thread has a part of its own.
struct Part {
  std::vector<int> jobs;
  long pushed;
};
class SplitJobs {
public:
  void push(int job) { own().jobs.push_back(int(job)); }
  void drop() { --own().pushed; }

private:
  static Part &own() {
    static thread_local Part part;
    return part;
  }
};

void use(SplitJobs &jobs) {
  jobs.push(1);
  jobs.drop();
}

// Two functions are often a beginning and its end.
class Names {
public:
  void add(int name) {
    std::lock_guard<std::mutex> guard(mutex_);
    names_.push_back(int(name));
  }
  void remove() {
    std::lock_guard<std::mutex> guard(mutex_);
    --used_;
    at_ = names_.size();
  }

private:
  std::mutex mutex_;
  std::vector<int> names_;
  long used_ = 0;
  unsigned long at_ = 0;
};

void use(Names &names) {
  names.add(1);
  names.remove();
}

// Settings, for which a class locks as it does for everything, what is done
// now and then, and what takes long under the lock.
class Settings {
public:
  void set_level(int level) {
    std::lock_guard<std::mutex> guard(mutex_);
    changes_++;
    level_ = level;
  }
  void set_name(int name) {
    std::lock_guard<std::mutex> guard(mutex_);
    changes_++;
    name_ = name;
  }
  void level(int level) {
    std::lock_guard<std::mutex> guard(mutex_);
    level_ = level;
  }
  void name(int name) {
    std::lock_guard<std::mutex> guard(mutex_);
    name_ = name;
  }
  void init_all() {
    std::lock_guard<std::mutex> guard(mutex_);
    changes_++;
  }
  void walk() {
    std::lock_guard<std::mutex> guard(mutex_);
    for (int i = 0; i < level_; ++i)
      changes_++;
  }

private:
  std::mutex mutex_;
  int level_ = 0, name_ = 0, changes_ = 0;
};

void use(Settings &settings) {
  settings.set_level(1);
  settings.set_name(1);
  settings.level(1);
  settings.name(1);
  settings.init_all();
  settings.walk();
}
