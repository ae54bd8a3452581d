// Locks of the whole program that are taken before a test that needs none.
// RUN: %check_tidy -config="{CheckOptions: {Likeliest: false}}" %s linesman-global-write %t
#include "threads.h"

struct Labels {
  std::atomic<float> first;
  std::atomic<bool> is_many;
  std::atomic<long> left;
  bool is_plain;
};

static std::mutex labels_mutex;

void observe(Labels &labels, float label) {
  std::lock_guard<std::mutex> guard(labels_mutex);
  // CHECK-MESSAGES: :[[@LINE-1]]:37: warning: each call of 'observe' takes 'labels_mutex', one lock for the whole program, to ask whether 'Labels::is_many' is set, which is atomic and stays set
  if (labels.is_many.load() || label < 0)
    return;
  if (labels.first.load() != label)
    labels.is_many = true;
}

// The fix: it is asked before.
void observe_first(Labels &labels, float label) {
  if (labels.is_many.load())
    return;
  std::lock_guard<std::mutex> guard(labels_mutex);
  if (labels.is_many.load())
    return;
  if (labels.first.load() != label)
    labels.is_many = true;
}

// A plain word wants the lock.
void observe_plain(Labels &labels, float label) {
  std::lock_guard<std::mutex> guard(labels_mutex);
  if (labels.is_plain)
    return;
  if (labels.first.load() != label)
    labels.is_plain = true;
}

// It does not stay so.
void take(Labels &labels) {
  std::lock_guard<std::mutex> guard(labels_mutex);
  if (labels.left.load() == 0)
    return;
  labels.left.fetch_sub(1);
}
void open(Labels &labels) {
  std::lock_guard<std::mutex> guard(labels_mutex);
  if (!labels.is_many.load())
    return;
  labels.is_many = false;
}

// Another asks first, and this one is done for the lock's sake.
void observe_other(Labels &labels, float label) {
  std::lock_guard<std::mutex> guard(labels_mutex);
  if (label < 0 || labels.is_many.load())
    return;
  labels.is_many = true;
}

// The object's own lock.
struct Locked {
  std::mutex m;
  std::atomic<bool> is_done;
  void finish() {
    std::lock_guard<std::mutex> guard(m);
    if (is_done.load())
      return;
    is_done = true;
  }
};
void finish(Locked &l) { l.finish(); }

// Once.
void init_labels(Labels &labels) {
  std::lock_guard<std::mutex> guard(labels_mutex);
  if (labels.is_many.load())
    return;
  labels.is_many = true;
}
