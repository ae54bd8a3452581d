// RUN: %check_tidy %s linesman-thread-slot %t -- -target x86_64-linux-gnu
// What a function hands out of the table that it is given, by the number that
// the processor says: assembly that reads a segment or a system register.
#include "threads.h"

template <typename T, unsigned long N> T &own(std::array<T, N> &all) {
  unsigned self;
  asm volatile("movl %%fs:0, %0" : "=r"(self));
  return all[self];
}

struct State {
  unsigned long words[25];
};
struct Count {
  unsigned long value;
};
static std::array<State, 16> states;
static std::array<Count, 16> counts;

static void permute(unsigned long words[25]) {
  for (int round = 0; round < 24; ++round) {
    words[0] ^= words[1] + round;
    words[1] += words[0];
  }
}
void absorb() {
  permute(own(states).words);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'states' here, but elements are 200 bytes apart
}
void serve() {
  ++own(counts).value;
  // CHECK-MESSAGES: :[[@LINE-1]]:{{[0-9]+}}: warning: each thread writes its own element of 'counts' here, but elements are 8 bytes apart
}
static Count numbered[16];
void number() {
  unsigned id;
  asm volatile("rdpid %q0" : "=r"(id));
  ++numbered[id].value;
  // CHECK-MESSAGES: :[[@LINE-1]]:{{[0-9]+}}: warning: each thread writes its own element of 'numbered' here, but elements are 8 bytes apart
}

// The fix: lines of their own.
struct alignas(64) Line {
  unsigned long words[25];
};
static std::array<Line, 16> lines;
void absorbLine() { permute(own(lines).words); }

// Read only; by a clock, which is nobody's number; by what a parameter says; a
// number that the function changes afterwards.
static std::array<State, 16> tables;
static unsigned long sum(const unsigned long words[25]) {
  unsigned long result = 0;
  for (int i = 0; i < 25; ++i)
    result += words[i];
  return result;
}
unsigned long look() { return sum(own(tables).words); }

template <typename T, unsigned long N> T &latest(std::array<T, N> &all) {
  unsigned low;
  asm volatile("rdtsc" : "=a"(low) : : "edx");
  return all[low % N];
}
static std::array<State, 16> timed;
void absorbTimed() { permute(latest(timed).words); }

template <typename T, unsigned long N>
T &given(std::array<T, N> &all, unsigned bucket) {
  return all[bucket];
}
static std::array<State, 16> buckets;
void absorbBucket(unsigned bucket) { permute(given(buckets, bucket).words); }

static Count moved[64];
void move(unsigned bucket) {
  unsigned id;
  asm volatile("movl %%gs:8, %0" : "=r"(id));
  id = bucket;
  ++moved[id].value;
}
