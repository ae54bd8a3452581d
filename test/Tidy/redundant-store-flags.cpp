// RUN: %check_tidy %s linesman-redundant-store %t
// A flag that threads started in a loop have together.
#include "threads.h"

struct Grid {
  double *cells;
  int size;
  bool moved, own;
  std::atomic<int> next;
  void sweep();
  void run();
};
bool converged;
bool isConverged() { return converged; }

void work(Grid *grid, int first) {
  for (int i = first; i < grid->size; i += 4) {
    double before = grid->cells[i];
    grid->cells[i] = before / 2;
    if (before > 0.01) {
      grid->cells[i] += 0.1;
      converged = false;
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: the threads that run this loop store the same constant to 'converged'
      grid->moved = true;
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: the threads that run this loop store the same constant to 'Grid::moved'
    }
  }
}
void start(Grid *grid) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back(work, grid, i);
}

bool relax(double *cells, int size) {
  bool changed = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int k = i; k < size; k += 4)
        if (cells[k] > 1) {
          cells[k] /= 2;
          changed = true;
          // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: the threads that run this loop store the same constant to 'changed'
        }
    });
  return changed;
}

// The members of the object whose method starts them, as well.
void Grid::sweep() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([this, i] {
      for (int k = i; k < size; k += 4)
        if (cells[k] > 1) {
          cells[k] /= 2;
          moved = true;
          // CHECK-MESSAGES: :[[@LINE-1]]:11: warning: the threads that run this loop store the same constant to 'Grid::moved'
        }
    });
}

// In a function that the threads call on each turn.
template <typename F> void parallel_for(int first, int last, F body) {}
struct Labels {
  int *label;
  bool changed;
  void propagate(int from, int to) {
    if (label[to] > label[from]) {
      label[to] = label[from];
      changed = true;
      // CHECK-MESSAGES: :[[@LINE-1]]:7: warning: the threads that run this loop store the same constant to 'Labels::changed'
    }
  }
  void round(int size) {
    parallel_for(1, size, [&](int v) { propagate(v - 1, v); });
  }
};

// ---- From here on: nothing.

// A method of what each thread has.
struct Own {
  int *label;
  bool changed;
  void lower(int v) {
    if (label[v] > 0) {
      label[v] = 0;
      changed = true;
    }
  }
};
void each(int size, Own *parts) {
  parallel_for(0, size, [&](int v) { parts[v * 64].lower(v); });
}
// Nothing but a name is written beside it.
bool anyNegative(int size, const int *all) {
  bool negative = false;
  parallel_for(0, size, [&](int v) {
    int last = 0;
    if (all[v] < 0) {
      last = all[v];
      negative = true;
    }
  });
  return negative;
}

// Each thread has an object of its own; one thread alone; tested.
struct Job {
  bool moved, changed;
};
void startOwn(Job *jobs, double *cells) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    Job *job = &jobs[i * 64];
    threads.emplace_back([=] {
      for (int k = 0; k < 100; ++k)
        if (cells[k] > 1) {
          cells[k] /= 2;
          job->moved = true;
        }
    });
  }
}
void workOwn(Job *job, double *cells) {
  for (int k = 0; k < 100; ++k)
    if (cells[k] > 1) {
      cells[k] /= 2;
      job->changed = true;
    }
}
void startOthers(Job *jobs, double *cells) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back(workOwn, &jobs[i * 64], cells);
}
bool alone(double *cells, int size) {
  bool changed = false;
  std::thread single([&] {
    for (int k = 0; k < size; ++k)
      if (cells[k] > 1) {
        cells[k] /= 2;
        changed = true;
      }
  });
  single.join();
  return changed;
}
bool tested(double *cells, int size) {
  bool changed = false;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      for (int k = i; k < size; k += 4)
        if (cells[k] > 1) {
          cells[k] /= 2;
          if (!changed)
            changed = true;
        }
    });
  return changed;
}
