// RUN: %check_tidy %s linesman-thread-slot %t
// What a list has for a thread is data and no thread's number; what a function
// only picks from a list is elsewhere; elements in storage of bytes are as long
// as what the bytes are read as; a part of a thread's own object is its own.
#include "threads.h"
extern "C" [[noreturn]] void fail();
#define CHECK(condition) ((condition) ? (void)0 : fail())
unsigned thread_index();

struct Cell {
  long value;
};
struct Slices {
  std::vector<unsigned> current;
  std::vector<std::vector<Cell>> cells;
  void step() {
    auto &now = current[thread_index()];
    auto &mine = cells[thread_index()];
    for (int i = 0; i < 8; ++i)
      mine[now].value += i;
    ++now;
    // CHECK-MESSAGES: :[[@LINE-1]]:5: warning: each thread writes its own element of 'Slices::current' here, but elements are 4 bytes apart
  }
};

struct Rows {
  std::vector<std::vector<Cell>> picked;
  std::vector<std::vector<Cell>> grown;
  static void fill(std::vector<Cell> &cells, int from) {
    for (int i = 0; i < from; ++i)
      cells[i].value = i;
  }
  static void grow(std::vector<Cell> &cells, int) {
    cells.push_back(Cell());
  }
  void step() {
    auto &mine = picked[thread_index()];
    for (int i = 0; i < 8; ++i)
      fill(mine, i);
  }
  void append() {
    auto &mine = grown[thread_index()];
    for (int i = 0; i < 8; ++i)
      grow(mine, i);
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: each thread writes its own element of 'Rows::grown' here
  }
};

template <typename T> struct alignas(64) Padded {
  T value;
};
template <typename T> struct Bare {
  T value;
};
template <typename T, template <typename> class Element> class PerCore {
public:
  T &operator[](unsigned i) {
    CHECK(i < 64);
    return elements()[i].value;
  }

private:
  Element<T> *elements() { return (Element<T> *)&bytes[0]; }
  alignas(64) char bytes[64 * sizeof(Element<T>)];
};
struct Tick {
  long depth, now;
};
static PerCore<Tick, Padded> ticks;
static PerCore<Tick, Bare> bare;
void enter() { ticks[thread_index()].depth++; }
void enterBare() {
  bare[thread_index()].depth++;
  // CHECK-MESSAGES: :[[@LINE-1]]:{{[0-9]+}}: warning: each thread writes its own element of 'bare' here, but elements are 16 bytes apart
}

// A thread's own object, which a function gives out, has the array in it.
struct Text {
  char letters[256];
  unsigned length;
};
static Text &ownText() {
  static thread_local Text text;
  return text;
}
void put(char letter) {
  auto &text = ownText();
  const auto at = text.length;
  text.letters[at] = letter;
  text.length = at + 1;
}

void use(Slices &slices, Rows &rows) {
  slices.step();
  rows.step();
  rows.append();
}
