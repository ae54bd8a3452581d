// Draws in a header's functions.
struct Draws {
  static std::minstd_rand engine;
  static unsigned next() { return engine(); }
};

inline int random_text(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += rand() % 26;
  return sum;
}

// A draw for each call, and one that nobody here calls.
inline int random_letter() { return rand() % 26; }
inline int random_words(int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += random() % 26;
  return sum;
}
