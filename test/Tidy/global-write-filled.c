// RUN: %check_tidy %s linesman-global-write %t
// The address of an atomic is handed to a function of the unit.
int find(int key);
static int read_or_fill(_Atomic long *cache, int key) {
  long known = __c11_atomic_load(cache, 0);
  if (known == 0) {
    known = find(key);
    __c11_atomic_store(cache, known, 0);
  }
  return known;
}
int get(int key) {
  static _Atomic long cache;
  return read_or_fill(&cache, key);
}

// On every call; one that looks, and stores all the same.
static void replace(_Atomic long *last, int key) {
  find(key);
  __c11_atomic_store(last, key, 0);
}
void put(int key) {
  static _Atomic long last_key;
  replace(&last_key, key);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'put::last_key' has static storage
}
static void replace_read(_Atomic long *last, int key) {
  long before = __c11_atomic_load(last, 0);
  find(before);
  __c11_atomic_store(last, key, 0);
}
void put_again(int key) {
  static _Atomic long last_seen;
  replace_read(&last_seen, key);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'put_again::last_seen' has static storage
}
