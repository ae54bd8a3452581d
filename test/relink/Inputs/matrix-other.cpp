// The second copy of the inline variables, and of a local name.
inline long comdat_a = 21, comdat_b = 22, comdat_c = 23, comdat_d = 24;
namespace {
long anonymous_b = 142;
}
long other(long n) {
  long *p = &anonymous_b, *q = &comdat_b;
  asm volatile("" : "+r"(p), "+r"(q) : : "memory");
  return *p + *q * n + comdat_a + comdat_c + comdat_d;
}
