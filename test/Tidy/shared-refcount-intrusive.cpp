// RUN: %check_tidy %s linesman-shared-refcount %t
#include "threads.h"

// A project's own pointer, which counts in the object, for all threads.
template <typename T> class Ref {
  T *pointer;

public:
  explicit Ref(T *object) : pointer(object) { pointer->ref(); }
  Ref(const Ref &other) : pointer(other.pointer) {
    if (pointer)
      pointer->ref();
  }
  ~Ref() { pointer->unref(); }
  T *operator->() const { return pointer; }
};
// By a function beside the class, in the initialiser.
template <typename T> T *retained(T *object) {
  object->ref();
  return object;
}
template <typename T> class Handle {
  T *pointer;

public:
  Handle(const Handle &other) : pointer(retained(other.pointer)) {}
  ~Handle() { pointer->unref(); }
  T *operator->() const { return pointer; }
};
// Who copies it only looks.
template <typename T> class View {
  T *pointer;

public:
  View(const View &other) : pointer(other.pointer) {}
  T *operator->() const { return pointer; }
};

class Schema {
  std::atomic<int> refs{0};
  int columns;

public:
  void ref() { refs.fetch_add(1); }
  void unref() {
    if (refs.fetch_sub(1) == 1)
      delete this;
  }
  int width() const { return columns; }
};
// For one thread.
class Sheet {
  int refs = 0;
  int columns;

public:
  void ref() { ++refs; }
  void unref() {
    if (--refs == 0)
      delete this;
  }
  int width() const { return columns; }
};

class Row {
  Ref<Schema> schema;
  Handle<Schema> shape;
  View<Schema> seen;
  Ref<Sheet> sheet;

public:
  Ref<Schema> getSchema() const { return schema; }
  int width() const { return getSchema()->width(); }
  // CHECK-MESSAGES: :[[@LINE-1]]:30: warning: 'Row::width' asks 'Row::getSchema' for a copy of the shared pointer 'Row::schema' to look at its object
  int shapes() const {
    Handle<Schema> now = shape;
    // CHECK-MESSAGES: :[[@LINE-1]]:20: warning: 'Row::shapes' copies the shared pointer 'Row::shape' to look at its object
    return now->width();
  }
  int views() const {
    View<Schema> now = seen;
    return now->width();
  }
  int sheets() const {
    Ref<Sheet> now = sheet;
    return now->width();
  }
  int byReference() const {
    const Ref<Schema> &now = schema;
    return now->width();
  }
  // Who asks keeps it.
  Ref<Schema> kept() const {
    Ref<Schema> now = schema;
    return now;
  }
};
