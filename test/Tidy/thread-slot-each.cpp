// RUN: %check_tidy %s linesman-thread-slot %t
#include "threads.h"
namespace std {
template <typename T> struct list {
  iterator<T> begin();
  iterator<T> end();
};
template <typename T> struct unique_ptr {
  T *operator->() const;
};
} // namespace std

struct Pool {
  template <typename T> void execute(T) {}
  template <typename T> void submit(T) {}
};

// Each worker of a container is handed to a thread, or to a task of a pool.
struct Worker {
  long Done = 0;
  int Depth = 0;
  void run() {
    for (int I = 0; I < 1000; ++I)
      ++Done;
  }
};
void start(std::vector<Worker> &Workers, std::vector<std::thread> &Threads) {
  for (Worker &Each : Workers)
    Threads.emplace_back(&Worker::run, &Each);
  // CHECK-MESSAGES: :[[@LINE-1]]:40: warning: each thread that this loop starts gets its own element of 'start::Workers' to write, but elements are 16 bytes apart and a cache line has 64: neighbouring threads write the same line; give the element type alignas(64)
}

// Larger than a line: the end of one beside the start of the next.
struct Search {
  long Board[30];
  long Nodes = 0;
  void go() {
    for (int I = 0; I < 1000; ++I) {
      Board[I % 30] = I;
      ++Nodes;
    }
  }
};
class Searches {
  std::vector<Search> All;

public:
  std::vector<Search> &tasks() { return All; }
};
void searchAll(Searches &S, Pool &P) {
  for (auto &Each : S.tasks())
    P.execute([&Each] { Each.go(); });
  // CHECK-MESSAGES: :[[@LINE-1]]:15: warning: each thread that this loop starts gets its own element of 'Searches::All' to write, but elements are 248 bytes apart and a cache line has 64: neighbouring threads write the same line where one element ends and the next begins; give the element type alignas(64)
}

struct Meter {
  int Count = 0;
};
void measure(Meter &M) {
  for (int I = 0; I < 1000; ++I)
    M.Count += I;
}
std::array<Meter, 8> Meters;
void measureAll() {
  std::vector<std::thread> Threads;
  for (auto &Each : Meters)
    Threads.emplace_back(measure, std::ref(Each));
  // CHECK-MESSAGES: :[[@LINE-1]]:35: warning: each thread that this loop starts gets its own element of 'Meters' to write, but elements are 4 bytes apart
}

// ---- From here on: nothing.

struct alignas(64) OwnLines {
  long Done = 0;
  void run() {
    for (int I = 0; I < 1000; ++I)
      ++Done;
  }
};
// A line for each; a node for each; an object of the heap for each.
struct Node {
  long Done = 0;
  void run() {
    for (int I = 0; I < 1000; ++I)
      ++Done;
  }
};
void apart(std::vector<OwnLines> &Lines, std::list<Node> &Nodes,
           std::vector<std::unique_ptr<Node>> &Heap, Pool &P) {
  for (auto &Each : Lines)
    P.submit([&Each] { Each.run(); });
  for (auto &Each : Nodes)
    P.submit([&Each] { Each.run(); });
  for (auto &Each : Heap)
    P.submit([&Each] { Each->run(); });
}
// Only read; and a copy that is the task's own.
struct Job {
  int From = 0, To = 0;
};
void work(int From, int To);
void submitAll(std::vector<Job> &Jobs, Pool &P) {
  for (auto &Each : Jobs)
    P.submit([&Each] { work(Each.From, Each.To); });
}
struct Copied {
  long Done = 0;
  void run() {
    for (int I = 0; I < 1000; ++I)
      ++Done;
  }
};
void submitCopies(std::vector<Copied> &Jobs, Pool &P) {
  for (auto &Each : Jobs)
    P.submit([Each]() mutable { Each.run(); });
}
// Called here and now.
struct Here {
  long Done = 0;
  void run() {
    for (int I = 0; I < 1000; ++I)
      ++Done;
  }
};
void runAll(std::vector<Here> &All) {
  for (auto &Each : All)
    [&Each] { Each.run(); }();
}
// Who starts the threads keeps their handles there; they only read.
extern "C" int pthread_create(unsigned long *, const void *, void *(*)(void *),
                              void *);
struct Fetcher {
  unsigned long Handle = 0;
  int Number = 0;
};
void *fetch(void *Argument) {
  work(static_cast<Fetcher *>(Argument)->Number, 1);
  return nullptr;
}
void fetchAll(std::vector<Fetcher> &Fetchers) {
  for (Fetcher &Each : Fetchers) {
    Each.Number += 1;
    pthread_create(&Each.Handle, nullptr, fetch, &Each);
  }
}
