// RUN: %check_tidy %s linesman-redundant-store %t
// A compare-exchange that stores what it expects is a load that takes the line
// away from everybody.
typedef struct {
  int value;
} Word;

int swap(Word *w, int seen, int wanted) {
  return __sync_bool_compare_and_swap(&w->value, seen, wanted);
}

int get(Word *w) {
  int value;
  do {
    value = w->value;
  } while (!swap(w, value, value));
  // CHECK-MESSAGES: :[[@LINE-1]]:13: warning: this read-modify-write leaves 'w' as it is, and takes its cache line away from all other cores all the same; use a load, or a fence where the order is wanted [linesman-redundant-store]
  return value;
}

int peek(Word *w) {
  return __sync_val_compare_and_swap(&w->value, 0, 0);
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: this read-modify-write leaves 'Word::value' as it is
}

long total(long *words) {
  return __sync_add_and_fetch(words, 0);
  // CHECK-MESSAGES: :[[@LINE-1]]:10: warning: this read-modify-write leaves
}
long added(long *words) { return __sync_add_and_fetch(words, 1); }

// Who calls these is told there.
int twice(Word *w) { return get(w) + peek(w); }

// The fix.
int load(Word *w) { return __atomic_load_n(&w->value, __ATOMIC_SEQ_CST); }

// Stores something else, or may.
int claim(Word *w) {
  int seen = __atomic_load_n(&w->value, __ATOMIC_RELAXED);
  return swap(w, seen, seen + 1);
}
int replace(Word *w, int seen, int wanted) {
  return swap(w, seen, wanted);
}
int raise(Word *w) {
  return w->value == 0 && __sync_bool_compare_and_swap(&w->value, 0, 1);
}
