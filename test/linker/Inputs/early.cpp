// Written only before the threads start, which only roles tell.
#include <thread>

alignas(64) long table[4];
long limit = 3;

[[gnu::noinline]] void fill() {
  for (int i = 0; i < 1000; ++i) {
    table[i & 3] += i;
    asm volatile("" : : : "memory");
  }
}
[[gnu::noinline]] void look() {
  for (int i = 0; i < 1000; ++i)
    asm volatile("" : : "r"(table[i & 3] + limit) : "memory");
}

int main() {
  fill();
  std::thread a(look), b(look);
  a.join();
  b.join();
}
