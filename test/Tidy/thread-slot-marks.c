// An element says whose thread's it is: threads look for theirs, and write it.
// RUN: %check_tidy %s linesman-thread-slot %t
unsigned long get_thread_id(void);
unsigned long lib_get_tid(void);
unsigned long lib_pick_tid(void);

struct pool {
  char *buffer, *head;
  const void *site;
  unsigned long tid;
  unsigned long uses;
};
static struct pool pools[64];

static unsigned find_pool(const void *site) {
  unsigned i;
  for (i = 0; i < 64; ++i)
    if (pools[i].site == site && pools[i].tid == get_thread_id())
      return i;
  return 0;
}
char *take(unsigned long size, const void *site) {
  unsigned i = find_pool(site);
  char *result = pools[i].head;
  if (pools[i].site == 0) {
    pools[i].site = site;
    pools[i].tid = get_thread_id();
  }
  pools[i].head += size;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'pool::tid' of each element of 'pools' says whose thread's it is, and its owner writes it here, in 'take', but elements are 40 bytes apart and a cache line has 64: neighbours that different threads have write the same line; give the element type alignas(64)
  return result;
}

// The cure: whole lines.
struct wide_pool {
  unsigned long tid;
  unsigned long uses;
  char pad[48];
};
static _Alignas(64) struct wide_pool wide[64];
void use_wide(void) {
  unsigned i;
  for (i = 0; i < 64; ++i)
    if (wide[i].tid == get_thread_id())
      break;
  wide[i].tid = get_thread_id();
  wide[i].uses++;
}

// Who came last is no owner: nobody looks for its own.
struct entry {
  unsigned long last_tid;
  unsigned long hits;
};
static struct entry entries[64];
void hit(unsigned key) {
  entries[key % 64].last_tid = get_thread_id();
  entries[key % 64].hits++;
}
// Filled in once, and looked at from then on.
struct name {
  unsigned long tid;
  const char *text;
};
static struct name names[64];
const char *name_of(void) {
  unsigned i;
  for (i = 0; i < 64; ++i)
    if (names[i].tid == get_thread_id())
      return names[i].text;
  return 0;
}
void set_name(unsigned i, const char *text) {
  names[i].tid = get_thread_id();
  names[i].text = text;
}

// What a library puts before all its names; another verb picks one of them.
static unsigned long turns[64], picks[64];
void turn(void) {
  turns[lib_get_tid()]++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: each thread writes its own element of 'turns' here
  picks[lib_pick_tid()]++;
}
