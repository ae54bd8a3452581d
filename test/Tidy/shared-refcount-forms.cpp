// RUN: %check_tidy %s linesman-shared-refcount %t
#include "threads.h"

// ---- A count in assembly: its name says what the instruction does.
struct Counter {
  volatile int value;
  bool ref() {
    unsigned char Result;
    asm volatile("lock incl %0; setne %1"
                 : "=m"(value), "=q"(Result)
                 : "m"(value)
                 : "memory");
    return Result;
  }
  bool operator!=(int Other) const { return value != Other; }
  int peek() {
    int Result;
    asm volatile("movl %1, %0" : "=r"(Result) : "m"(value));
    return Result;
  }
};
struct Data {
  Counter count;
  int size;
};
struct Name {
  static Data empty;
  Data *d;
  Name() : d(&empty) { d->count.ref(); }
  // CHECK-MESSAGES: :[[@LINE-1]]:33: warning: 'Name::Name' counts references of the static 'Name::empty'
  explicit Name(Data *Of) : d(Of) {
    if (d != &empty)
      d->count.ref();
  }
  // A comparison is a load, and so is what only looks.
  bool is_shared() { return d->count != 1; }
  int looks() { return d->count.peek(); }
};
Data Name::empty;

// ---- A shared pointer, copied to look at its object.
#include "shared_ptr.h"
struct Settings {
  int limit;
};
std::shared_ptr<Settings> settings = std::make_shared<Settings>();
int limit() {
  auto Now = settings;
  // CHECK-MESSAGES: :[[@LINE-1]]:8: warning: 'limit' copies the shared pointer 'settings' to look at its object
  return Now ? Now->limit : 0;
}
struct Server {
  std::shared_ptr<Settings> options = std::make_shared<Settings>();
  std::shared_ptr<Settings> current;
  int limit() const {
    std::shared_ptr<Settings> Now = options;
    // CHECK-MESSAGES: :[[@LINE-1]]:31: warning: 'Server::limit' copies the shared pointer 'Server::options' to look at its object
    return Now->limit;
  }
  // A reference; a copy that somebody keeps; one that keeps the old object
  // alive while the pointer is changed.
  int limit_by_reference() const {
    const auto &Now = options;
    return Now->limit;
  }
  std::shared_ptr<Settings> share() const {
    auto Now = options;
    return Now;
  }
  int limit_now() const {
    auto Now = current;
    return Now->limit;
  }
  void change(const std::shared_ptr<Settings> &To) { current = To; }
};
