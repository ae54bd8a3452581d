// A static variable into which nobody ever stores anything else: all stores but
// the first change nothing.
// RUN: %check_tidy -std=c++17 %s linesman-redundant-store %t
#include "threads.h"

class Manager {
public:
  static Manager *instance() {
    static Manager one;
    created = true;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: every call of 'Manager::instance' stores the same constant to 'Manager::created', also when it is already there
    return &one;
  }
  int next() {
    std::lock_guard<std::mutex> guard(lock);
    return ++n;
  }
  static bool isCreated() { return created; }

  // One place calls it.
  static Manager *first() {
    asked = true;
    return instance();
  }
  static bool isAsked() { return asked; }

private:
  std::mutex lock;
  int n = 0;
  static bool created, asked;
};
bool Manager::created = false, Manager::asked = false;
int next() { return Manager::instance()->next(); }
int again() { return Manager::instance()->next() + Manager::first()->next(); }
void finish() {
  if (Manager::isCreated() || Manager::isAsked())
    Manager::instance()->next();
}

static int used, mode, put_back, looked_at, shared, unread;
int visible;
bool is_used() { return used || mode || put_back || looked_at || shared || visible; }
void change() { mode = 2; } // something else
void clear() { put_back = 0; }
void hand_out(int **place) { *place = &shared; } // anybody may store there

int work(int n) {
  used = 1;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: every call of 'work' stores the same constant to 'used'
  mode = 1;
  put_back = 1;
  if (!looked_at)
    looked_at = 1;
  shared = 1;
  visible = 1; // other units may store to it
  unread = 1;  // another check's
  return n + 1;
}
// Called when something happens.
void set_used() { used = 1; }
int config_load(int n) {
  used = 1;
  return n + 2;
}
int f(int n) { return work(n) + config_load(n); }
int g(int n) { set_used(); return work(n + 1) * config_load(n); }
