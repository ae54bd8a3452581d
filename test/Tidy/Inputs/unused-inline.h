// Two inline functions that count; the test calls one of them.
#pragma once
#include "threads.h"
inline std::atomic<long> opened, closed;
static inline void note_open() { opened++; }
static inline void note_close() { closed++; }
static inline void open_two() {
  note_open();
  note_open();
}
