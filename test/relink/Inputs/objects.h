// An inline variable: a copy in each object, of which the linker keeps one.
template <typename T> struct Table {
  static inline T shared[3] = {7, 8, 9};
};
extern "C" int common_counter;
long others();
