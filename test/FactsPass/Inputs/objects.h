// One definition in every unit that includes it.
template <class T> struct Counter {
  static T total;
};
template <class T> T Counter<T>::total{};
inline int inline_variable;
inline int inlineLocal() {
  static int inline_function_local;
  return ++inline_function_local;
}
// Not inlined: its facts are in its COMDAT group.
template <class T> __attribute__((noinline)) void count(T Value) {
  Counter<T>::total += Value;
  ++inline_variable;
  inlineLocal();
}
