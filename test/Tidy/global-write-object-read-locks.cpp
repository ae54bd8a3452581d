// Locks of an object that its operations take for reading.
// RUN: %check_tidy -config="{CheckOptions: {Likeliest: false}}" %s linesman-global-write %t

#include "threads.h"

struct Scene {
  std::shared_mutex lock;
  int objects, lights, bounces;
};

int trace(Scene *scene) {
  std::shared_lock<std::shared_mutex> guard(scene->lock);
  // CHECK-MESSAGES: :[[@LINE-1]]:39: warning: 'Scene::lock' is one lock for all that threads do with the object, and 3 functions take it for reading, here 'trace': they let each other in, and each still writes its cache line, {{.*}}; if several threads often call them for the same object, let readers see a snapshot
  return scene->objects * 2;
}
int shade(Scene *scene) {
  std::shared_lock<std::shared_mutex> guard(scene->lock);
  return scene->lights * 2;
}
int bounce(Scene *scene) {
  std::shared_lock<std::shared_mutex> guard(scene->lock);
  return scene->bounces * 2;
}
void rebuild(Scene *scene, int objects) {
  scene->lock.lock();
  scene->objects = objects;
  scene->lock.unlock();
}

// The fix: readers see a snapshot.
struct Snapshot {
  int objects, lights, bounces;
};
struct FixedScene {
  std::atomic<const Snapshot *> now;
};
int trace(FixedScene *scene) { return scene->now.load()->objects * 2; }
int shade(FixedScene *scene) { return scene->now.load()->lights * 2; }
int bounce(FixedScene *scene) { return scene->now.load()->bounces * 2; }

// Two readers, and three with two writers.
struct Few {
  std::shared_mutex lock;
  int a, b;
};
int first(Few *few) {
  std::shared_lock<std::shared_mutex> guard(few->lock);
  return few->a * 2;
}
int second(Few *few) {
  std::shared_lock<std::shared_mutex> guard(few->lock);
  return few->b * 2;
}

struct Written {
  std::shared_mutex lock;
  int a, b, c;
};
int first(Written *w) {
  std::shared_lock<std::shared_mutex> guard(w->lock);
  return w->a * 2;
}
int second(Written *w) {
  std::shared_lock<std::shared_mutex> guard(w->lock);
  return w->b * 2;
}
int third(Written *w) {
  std::shared_lock<std::shared_mutex> guard(w->lock);
  return w->c * 2;
}
void write_first(Written *w, int n) {
  w->lock.lock();
  w->a = n;
  w->lock.unlock();
}
void write_second(Written *w, int n) {
  w->lock.lock();
  w->b = n;
  w->lock.unlock();
}
