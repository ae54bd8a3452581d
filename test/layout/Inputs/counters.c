// Two objects of one line, of which one is written and one only read; a lock
// array; and what only start-up code touches.
long hits;
int log_level;
static int locks[64];
long configured;

void work(int Slot) {
  __atomic_fetch_add(&locks[Slot], 1, __ATOMIC_RELAXED);
  if (log_level > 0)
    hits = Slot;
}

int main(void) {
  configured = 1;
  log_level = 0;
  work(3);
  return 0;
}
