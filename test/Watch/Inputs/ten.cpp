// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ten ways to use one line, for comparing what watchpoints see with what
// instrumentation records.
//
//     ten CASE               until the standard input closes
//     ten CASE ITERATIONS    so often in each thread
//
// Prints "ready", the process and the address of the line.

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <unistd.h>

struct alignas(64) Line {
  unsigned char Bytes[64];
};
Line Watched;

static std::atomic<bool> Stop{false};
static long Iterations = 0;

template <class T> static volatile T &at(Line &L, size_t Offset) {
  return *reinterpret_cast<volatile T *>(L.Bytes + Offset);
}

/// A discarded call is no access, even of a volatile object.
template <class T> static void load(Line &L, size_t Offset) {
  [[maybe_unused]] T Value = at<T>(L, Offset);
}

using Step = std::function<void(Line &, unsigned Worker)>;

static void privateCase(Line &L, unsigned Worker) {
  if (Worker == 0)
    at<uint64_t>(L, 16) = at<uint64_t>(L, 8) + 1;
}

static void readShared(Line &L, unsigned) {
  load<uint64_t>(L, 8);
  load<uint32_t>(L, 32);
}

static void trueShared(Line &L, unsigned) { at<uint64_t>(L, 24) = 1; }

static void falseShared(Line &L, unsigned Worker) {
  at<uint64_t>(L, 8 * Worker) = 1;
}

static void atomics(Line &L, unsigned) {
  reinterpret_cast<std::atomic<uint64_t> *>(L.Bytes + 40)->fetch_add(1);
}

static void mixedWidths(Line &L, unsigned Worker) {
  if (Worker == 0) {
    at<uint32_t>(L, 0) = 1;
    at<uint8_t>(L, 5) = 1;
  } else {
    at<uint8_t>(L, 4) = 1;
    load<uint16_t>(L, 6);
  }
}

static void unaligned(Line &L, unsigned) {
  struct __attribute__((packed)) Packed {
    uint32_t Head;
    uint64_t Value;
  };
  const_cast<volatile Packed *>(reinterpret_cast<Packed *>(L.Bytes))->Value = 1;
}

static void copies(Line &L, unsigned Worker) {
  thread_local unsigned char Local[32];
  size_t Size = 32;
  asm volatile("" : "+r"(Size));
  if (Worker == 0)
    std::memcpy(L.Bytes, Local, Size);
  else
    std::memcpy(Local, L.Bytes, Size);
  asm volatile("" : : : "memory");
}

static void repeat(const Step &Do, Line &L, unsigned Worker, long Most) {
  for (long I = 0; Most ? I != Most : !Stop.load(std::memory_order_relaxed);
       ++I)
    Do(L, Worker);
}

/// Every thread lives for a while, and the next one takes its place.
static void comeAndGo(Line &L, unsigned Worker) {
  if (Worker == 1) {
    load<uint64_t>(L, 0);
    return;
  }
  std::thread([&L] {
    repeat([](Line &L, unsigned) { at<uint64_t>(L, 0) = 1; }, L, 0, 200000);
  }).join();
}

__attribute__((noinline)) static Line *makeHeapLine() {
  return static_cast<Line *>(std::aligned_alloc(64, sizeof(Line)));
}

int main(int argc, char **argv) {
  const std::map<std::string, Step> Cases = {
      {"private", privateCase},    {"read-shared", readShared},
      {"true-shared", trueShared}, {"false-shared", falseShared},
      {"atomics", atomics},        {"mixed-widths", mixedWidths},
      {"unaligned", unaligned},    {"memcpy", copies},
      {"heap", falseShared},       {"come-and-go", comeAndGo}};
  auto Case = argc > 1 ? Cases.find(argv[1]) : Cases.end();
  if (Case == Cases.end())
    return 64;
  if (argc > 2)
    Iterations = std::atol(argv[2]);
  Line *L = Case->first == "heap" ? makeHeapLine() : &Watched;
  std::thread Workers[2];
  for (unsigned I = 0; I != 2; ++I)
    Workers[I] =
        std::thread([&, I] { repeat(Case->second, *L, I, Iterations); });
  std::printf("ready %d %p\n", getpid(), static_cast<void *>(L));
  std::fflush(stdout);
  if (!Iterations) {
    char Byte;
    while (read(0, &Byte, 1) > 0)
      ;
    Stop = true;
  }
  for (std::thread &Worker : Workers)
    Worker.join();
}
