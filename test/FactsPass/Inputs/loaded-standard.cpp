// Much that the compiler emits: threads, exceptions, virtual functions, static
// initialisers, guarded locals, thread_local, aliases, ifuncs, COMDATs.
#include <atomic>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
  virtual int area() const = 0;
  static inline std::atomic<int> alive;
  Shape() { ++alive; }
};
struct Square final : Shape {
  explicit Square(int Side) : Side(Side) {}
  int area() const override { return Side * Side; }
  int Side;
};

static std::map<std::string, int> names;
static std::mutex names_lock;
static std::shared_mutex table_lock;
inline std::unordered_map<int, std::string> table;
static thread_local int depth;
std::atomic<long> total{5};
volatile int signalled;
int histogram[64] __attribute__((aligned(64)));
int exported_count;
extern "C" int aliased __attribute__((alias("exported_count")));
static int (*chosen)(int);

extern "C" {
static int plain(int X) { return X + exported_count++; }
int (*resolve(void))(int) { return plain; }
int resolved(int) __attribute__((ifunc("resolve")));
}

static const std::string &greeting() {
  static const std::string Text = "a text too long for the small buffer, hello";
  return Text;
}

template <class Key> int remember(const Key &K) {
  static int seen;
  std::lock_guard<std::mutex> Guard(names_lock);
  names[K] += ++seen;
  if (names.size() > 100)
    throw std::runtime_error("too many");
  return seen;
}

__attribute__((noinline)) static void work(int N) {
  for (int I = 0; I < N; ++I) {
    ++histogram[(I * 7) & 63];
    total += I;
    ++depth;
    int *Place = I & 1 ? &exported_count : &histogram[3];
    *Place += aliased;
    std::shared_lock<std::shared_mutex> Guard(table_lock);
    if (auto It = table.find(I); It != table.end())
      signalled = static_cast<int>(It->second.size());
  }
}

int main(int Argc, char **Argv) {
  chosen = Argc > 1 ? resolved : plain;
  table[3] = Argv[0] ? "x" : "y";
  std::vector<std::unique_ptr<Shape>> Shapes;
  for (int I = 0; I < 4; ++I)
    Shapes.push_back(std::make_unique<Square>(I));
  try {
    remember(std::string("a") + greeting());
    remember("b");
  } catch (const std::exception &E) {
    std::fprintf(stderr, "%s\n", E.what());
  }
  std::thread One(work, 1000), Two(work, 1000);
  One.join();
  Two.join();
  int Sum = 0;
  for (auto &S : Shapes)
    Sum += S->area();
  std::printf("%d %d %d\n", Sum, chosen(1) != 0, Shape::alive.load());
  return 0;
}
