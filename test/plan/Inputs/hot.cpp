// Two threads' work: one counts, one looks at the level, which lies beside.
#include <cstdio>
#include <thread>

alignas(64) long counter[3] = {1, 0, 0};
long level = 3;

[[gnu::noinline]] void count() {
  for (int i = 0; i < 1000; ++i) {
    counter[0] = counter[0] + i;
    asm volatile("" : : : "memory");
  }
}
[[gnu::noinline]] long look() {
  long sum = 0;
  for (int i = 0; i < 1000; ++i) {
    sum += level + i;
    asm volatile("" : : : "memory");
  }
  return sum;
}

int main() {
  std::thread a(count), b(count);
  long sum = look();
  a.join();
  b.join();
  std::printf("%ld\n", sum);
}
