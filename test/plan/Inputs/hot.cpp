// Two threads' work: one counts, one looks at the level, which lies beside.
#include <cstdio>
#include <thread>

long counter = 0;
long level = 3;
long table[4] = {1, 2, 3, 4};

[[gnu::noinline]] void count() {
  for (int i = 0; i < 1000; ++i) {
    counter = counter + i;
    asm volatile("" : : : "memory");
  }
}
[[gnu::noinline]] long look() {
  long sum = 0;
  for (int i = 0; i < 1000; ++i) {
    sum += level + table[i & 3];
    asm volatile("" : : : "memory");
  }
  return sum;
}

#ifdef ONE_MORE
// Shifts everything behind it by whole lines.
long one_more[8] = {1};
#endif

int main() {
  std::thread a(count), b(count);
  long sum = look();
  a.join();
  b.join();
  std::printf("%ld\n", sum);
}
