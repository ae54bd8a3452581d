// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects on the heap that globals lead to, in all the ways that watch --at
// knows. Two threads count in neighbouring fields of one of them, with pauses
// that leave the processors to who watches. Runs until its standard input
// closes; prints a line when they are at work.

#include <atomic>
#include <cstdio>
#include <memory>
#include <thread>
#include <unistd.h>

namespace app {

struct Base {
  long Kind = 1;
};

template <typename T> struct Slot {
  T Lock = 0;
  T Key = 0;
};

struct Declared;

struct alignas(64) Server : Base {
  volatile long Clients = 0;
  volatile long Queries = 0;
  union {
    long Word;
    char Bytes[8];
  };
  unsigned Low : 4 = 0, High : 4 = 0;
  Server *Next = nullptr;
  Declared *Opaque = nullptr;
  static long Made;
};
long Server::Made = 0;

struct alignas(64) Table {
  Slot<long> Slots[4];
  Server *Rows[2][3] = {};
};

struct Late : virtual Base {};

} // namespace app

typedef struct {
  long First;
  volatile long Second;
} Alias;

app::Server *Head;
app::Server *Null;
app::Server *Wild = reinterpret_cast<app::Server *>(64);
app::Table Servers;
std::atomic<app::Server *> Current{nullptr};
std::unique_ptr<app::Server> Owner;
void *Opaque;
Alias Named;
app::Server &Reference = *new app::Server;
app::Late Virtual;
thread_local long PerThread = 1;
namespace {
app::Server *volatile Hidden;
}
static long Gone = 3;

static std::atomic<bool> Stop{false};

int main() {
  Head = new app::Server;
  Head->Next = new app::Server;
  Servers.Rows[1][2] = Head;
  Current = Head;
  Head->Opaque = reinterpret_cast<app::Declared *>(Head);
  Named.Second = app::Server::Made;
  Owner.reset(new app::Server);
  Opaque = Hidden = Head;
  PerThread += Gone;
  std::atomic<int> Working{0};
  auto Count = [&Working](volatile long &Counter) {
    ++Working;
    while (!Stop.load(std::memory_order_relaxed)) {
      for (int Turn = 0; Turn != 1000; ++Turn)
        Counter = Counter + 1;
      usleep(200);
    }
  };
  std::thread One([&] { Count(Head->Clients); });
  std::thread Two([&] { Count(Head->Queries); });
  while (Working != 2)
    std::this_thread::yield();
  std::printf("ready\n");
  std::fflush(stdout);
  char Byte;
  while (read(0, &Byte, 1) > 0)
    ;
  Stop = true;
  One.join();
  Two.join();
}
