// RUN: %check_tidy %s linesman-adjacent-writers %t
//
// Plain words that each party keeps for itself, in a record whose ends are
// apart.
#include "threads.h"

class Buffer {
  char data[256];
  bool write_wrapped = false;
  bool read_wrapped = false;
  // CHECK-MESSAGES: :[[@LINE-1]]:8: warning: 'Buffer::write_wrapped' (offset 256) and 'Buffer::read_wrapped' (offset 257) are on one cache line and have different writers, 'Buffer::acquire_write' and 'Buffer::acquire_read': each write of one makes the other's next access a miss; keep them a line apart
  alignas(64) std::atomic<unsigned> r;
  alignas(64) std::atomic<unsigned> w;

public:
  char *acquire_write(unsigned n) {
    unsigned at = w.load(), seen = r.load();
    if (at + n <= 256)
      return &data[at];
    if (n < seen) {
      write_wrapped = true;
      return data;
    }
    return nullptr;
  }
  void release_write(unsigned n) {
    unsigned at = w.load();
    if (write_wrapped) {
      write_wrapped = false;
      at = 0;
    }
    w.store(at + n);
  }
  char *acquire_read() {
    unsigned at = r.load(), seen = w.load();
    if (at == seen)
      return nullptr;
    if (at == 256) {
      read_wrapped = true;
      return data;
    }
    return &data[at];
  }
  void release_read(unsigned n) {
    unsigned at = r.load();
    if (read_wrapped) {
      read_wrapped = false;
      at = 0;
    }
    r.store(at + n);
  }
};

// ---- From here on: nothing.

// Its fix: each beside its own end.
class Sides {
  char data[256];
  alignas(64) std::atomic<unsigned> r;
  bool read_wrapped = false;
  alignas(64) std::atomic<unsigned> w;
  bool write_wrapped = false;

public:
  void write(unsigned n) {
    unsigned at = w.load();
    if (write_wrapped) {
      write_wrapped = false;
      at = 0;
    }
    w.store(at + n);
  }
  void read(unsigned n) {
    unsigned at = r.load();
    if (read_wrapped) {
      read_wrapped = false;
      at = 0;
    }
    r.store(at + n);
  }
};

// Nobody thought of lines: both may be one thread's.
class Together {
  bool write_wrapped = false;
  bool read_wrapped = false;
  std::atomic<unsigned> r;
  std::atomic<unsigned> w;

public:
  void write(unsigned n) {
    if (write_wrapped) {
      write_wrapped = false;
      n++;
    }
    w.store(n);
  }
  void read(unsigned n) {
    if (read_wrapped) {
      read_wrapped = false;
      n++;
    }
    r.store(n);
  }
};

// One party looks at both.
class OneSide {
  bool wrapped = false;
  bool looked = false;
  alignas(64) std::atomic<unsigned> r;
  alignas(64) std::atomic<unsigned> w;

public:
  void write(unsigned n) {
    if (wrapped) {
      wrapped = false;
      looked = true;
    }
    w.store(n);
  }
  void read(unsigned n) {
    if (looked) {
      looked = false;
      n++;
    }
    r.store(n);
  }
};

// What tells the parties is missing: both write one end.
class OneEnd {
  bool opened = false;
  bool closed = false;
  alignas(64) std::atomic<unsigned> w;

public:
  void open(unsigned n) {
    if (!opened)
      opened = true;
    w.store(n);
  }
  void close(unsigned n) {
    if (!closed)
      closed = true;
    w.store(n + 1);
  }
};
