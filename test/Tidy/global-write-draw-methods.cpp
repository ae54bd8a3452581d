// Random generators of a class of the project's own.
// RUN: %check_tidy %s linesman-global-write %t
#include "threads.h"

std::mutex list_mutex; // There are other threads.
int listed;
void append(int value) {
  std::lock_guard<std::mutex> held(list_mutex);
  listed = value;
}

class Congruent {
  unsigned long seed;
  unsigned next(unsigned bits) {
    seed = (seed * 0x5DEECE66DL + 0xBL) & ((1L << 48) - 1);
    return seed >> (48 - bits);
  }

public:
  explicit Congruent(unsigned long start) : seed(start) {}
  double uniform() { return next(26) / double(1 << 26); }
  void reseed(unsigned long start) { seed = start; }
  unsigned long current() const { return seed; }
};
Congruent picker(477377);
double pick() {
  return picker.uniform();
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'picker' is one random generator for all threads, and 'pick' draws from it: each draw changes it
}

struct Shifted {
  unsigned state = 1;
  unsigned operator()() {
    state ^= state << 13;
    state ^= state >> 17;
    return state;
  }
};
static Shifted dice;
unsigned roll() {
  return dice() % 6;
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: 'dice' is one random generator for all threads, and 'roll' draws from it
}

// The fix.
thread_local Congruent own(1);
double pick_own() { return own.uniform(); }

// Only seeded or looked at; a member of an object; a hash, which takes
// something in; a counter; a large record that happens to have a generator.
Congruent seeded(1);
void seed_again(unsigned long start) { seeded.reseed(start); }
unsigned long look() { return seeded.current(); }
struct Worker {
  Congruent random{2};
  double pick() { return random.uniform(); }
};
struct Hash {
  unsigned long value = 5381;
  unsigned long add(unsigned char byte) {
    value = value * 33 + byte;
    return value;
  }
};
struct Mixed {
  unsigned value = 1;
  unsigned add(unsigned word) { return value ^= word; }
  unsigned finish() {
    value ^= value >> 16;
    return value;
  }
};
static Mixed mixed;
unsigned finish() { return mixed.finish(); }
static Hash names;
unsigned long add_name(unsigned char byte) { return names.add(byte); }
struct Steps {
  int at = 0;
  int next() {
    at = at + 1;
    return at;
  }
};
static Steps steps;
int step() { return steps.next(); }
struct Game {
  int width, height, score, level, lives;
  unsigned state = 1;
  int turn() {
    state = state * 1103515245u + 12345u;
    return score += state >> 16;
  }
};
static Game game;
int turn() { return game.turn(); }
