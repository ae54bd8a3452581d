// As much of <random> as the tests of draws need.
#ifndef RANDOM_H
#define RANDOM_H
#pragma GCC system_header

extern "C" int rand(void);
extern "C" long random(void);
extern "C" long lrand48(void);
extern "C" long mrand48(void);
extern "C" double drand48(void);
extern "C" int rand_r(unsigned *seed);
extern "C" long nrand48(unsigned short state[3]);

namespace std {
using ::rand;

template <typename Number, Number Factor> class linear_congruential_engine {
  Number state;

public:
  explicit linear_congruential_engine(Number seed = 1) : state(seed) {}
  void seed(Number value) { state = value; }
  Number operator()() { return state = state * Factor; }
  friend bool operator==(const linear_congruential_engine &one,
                         const linear_congruential_engine &other) {
    return one.state == other.state;
  }
};
using minstd_rand = linear_congruential_engine<unsigned, 48271>;

template <typename Number> class uniform_real_distribution {
  Number low, high;

public:
  uniform_real_distribution(Number low, Number high) : low(low), high(high) {}
  template <typename Engine> Number operator()(Engine &engine) {
    return low + (high - low) * engine() / 4294967296.0;
  }
};

template <typename Number, int Bits, typename Engine>
Number generate_canonical(Engine &engine) {
  return engine() / 4294967296.0;
}
template <typename Iterator, typename Engine>
void shuffle(Iterator begin, Iterator end, Engine &&engine) {
  for (; begin != end; ++begin)
    *begin = engine();
}
} // namespace std
#endif
