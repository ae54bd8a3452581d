// Draws in a header's functions.
struct Draws {
  static unsigned state;
  static unsigned next() {
    state = state * 1103515245u + 12345u;
    return state >> 16;
  }
};

inline int random_text(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += rand() % 26;
  return sum;
}
