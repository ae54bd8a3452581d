#include <cstdint>
#include <cstdio>

long object_a = 11, object_b = 12, object_c = 13, object_d = 14;
inline long comdat_a = 21, comdat_b = 22, comdat_c = 23, comdat_d = 24;
extern "C" long common_a, common_b, common_c, common_d;
namespace {
long anonymous_a = 41, anonymous_b = 42, anonymous_c = 43, anonymous_d;
}
thread_local long tls_a = 51, tls_b = 52, tls_c = 53, tls_d = 54;
static thread_local char tls_small = 1; // offsets that are no multiples of 8
long data_a = 61, data_b[3] = {62, 0, 62}, data_c = 63, data_d = 64;
// Within one object, found by the distance from its start.
long *data_inner = &data_b[2];
long bss_a, bss_b[3], bss_c, bss_d;
long *bss_inner = &bss_b[2];
extern long member_a, member_b, member_c, member_d;
long other(long);
long callMember();

// Not folded: the values come from memory.
[[gnu::noinline]] void show(const char *name, long *a, long *b, long *c, long *d) {
  asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d) : : "memory");
  *a += 1, *b += 2, *c += 3, *d += 4;
  std::printf("%s %ld %ld %ld %ld\n", name, *a, *b, *c, *d);
}

int main() {
  common_b += 32;
  show("object", &object_a, &object_b, &object_c, &object_d);
  show("member", &member_a, &member_b, &member_c, &member_d);
  show("comdat", &comdat_a, &comdat_b, &comdat_c, &comdat_d);
  show("common", &common_a, &common_b, &common_c, &common_d);
  show("anonymous", &anonymous_a, &anonymous_b, &anonymous_c, &anonymous_d);
  show("tls", &tls_a, &tls_b, &tls_c, &tls_d);
  show("data", &data_a, &data_b[0], &data_c, &data_d);
  show("bss", &bss_a, &bss_b[0], &bss_c, &bss_d);
  *bss_inner += 5;
  std::printf("inner %ld %ld other %ld member %ld small %d\n", *data_inner, bss_b[2], other(3), callMember(), tls_small);
}
