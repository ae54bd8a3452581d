// RUN: %check_tidy %s linesman-write-only-global %t
#include <stdatomic.h>

static _Atomic int counted;
static int stored;
static int loaded;
static int added;

void operate(int v) {
  counted++;
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'counted' is written here and never read
  __atomic_store_n(&stored, v, __ATOMIC_RELAXED);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'stored' is written here and never read
  __sync_fetch_and_add(&added, 1);
  // CHECK-MESSAGES: :[[@LINE-1]]:3: warning: 'added' is written here and never read
  __atomic_store_n(&loaded, v, __ATOMIC_RELAXED);
}

int look(void) { return __atomic_load_n(&loaded, __ATOMIC_RELAXED); }

static int used;
int use(void) { return __sync_add_and_fetch(&used, 1); }
static int by_assembly;
void assembly(void) {
  by_assembly = 1;
  __asm__ volatile("" : : "m"(by_assembly));
}
static int sized;
unsigned long size_only(void) { return sizeof(sized); }
