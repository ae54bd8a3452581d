// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ten programs whose sharing is known, for judging verdicts of `linesman watch`
// (test/Watch/Inputs/known.py has what each may be called).
//
//     known CASE     until the standard input closes
//
// Prints "ready", the process and the address of the line.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

struct alignas(64) Line {
  unsigned char Bytes[64];
};
static Line Watched;
static std::atomic<bool> Stop{false};

template <class T> static volatile T &at(size_t Offset) {
  return *reinterpret_cast<volatile T *>(Watched.Bytes + Offset);
}
template <class T> static void load(size_t Offset) {
  [[maybe_unused]] T Value = at<T>(Offset);
}
static void nap(long Microseconds) {
  timespec Time = {0, Microseconds * 1000};
  nanosleep(&Time, nullptr);
}
/// Work that touches other memory.
static void spin(unsigned Rounds) {
  for (volatile unsigned I = 0; I != Rounds; I = I + 1)
    ;
}

using Worker = std::function<void(unsigned Number)>;

static std::vector<std::thread> start(unsigned Count, const Worker &Step) {
  std::vector<std::thread> Threads;
  for (unsigned I = 0; I != Count; ++I)
    Threads.emplace_back([=] {
      while (!Stop.load(std::memory_order_relaxed))
        Step(I);
    });
  return Threads;
}

/// One thread writes, one is busy elsewhere, one comes by every millisecond and
/// has nothing to do.
static void onePrivate(unsigned I) {
  if (I == 0)
    at<uint64_t>(16) = at<uint64_t>(8) + 1;
  else if (I == 1)
    spin(100);
  else
    nap(1000);
}

/// The bytes of one counter, of one byte.
static void oneByte(unsigned I) {
  if (I == 0)
    at<uint8_t>(21) = 1;
  spin(50);
}

static void readOnly(unsigned) {
  load<uint64_t>(8);
  load<uint32_t>(32);
  spin(10);
}

static void sameCounter(unsigned) {
  reinterpret_cast<std::atomic<uint64_t> *>(Watched.Bytes + 40)->fetch_add(1);
}

static void slots(unsigned I) { at<uint64_t>(8 * I) = 1; }

/// A writer of one field, readers of it and of another one.
static void settingsBesideCounter(unsigned I) {
  if (I == 0)
    at<uint64_t>(0) = at<uint64_t>(0) + 1;
  load<uint64_t>(24);
  if (I == 1)
    load<uint64_t>(0);
}

/// A thread that reads all the time, and one that sleeps and writes every two
/// milliseconds.
static void sleepyWriter(unsigned I) {
  if (I == 0) {
    load<uint64_t>(48);
    spin(20);
  } else {
    nap(2000);
    at<uint64_t>(8) = 1;
  }
}

/// Two threads that wait for each other: while one has no processor, the other
/// one sleeps.
static std::mutex Lock;
static std::condition_variable Changed;
static unsigned Turn = 0;
static void handOn(unsigned I) {
  std::unique_lock<std::mutex> Hold(Lock);
  Changed.wait_for(Hold, std::chrono::milliseconds(100),
                   [&] { return Turn % 2 == I || Stop; });
  at<uint64_t>(32) = Turn;
  ++Turn;
  Hold.unlock();
  Changed.notify_all();
  spin(2000);
}

/// Threads that live for a moment each add to one counter.
static void comeAndGo(unsigned) {
  std::thread([] {
    for (unsigned I = 0; I != 3000; ++I) {
      at<uint64_t>(0) = at<uint64_t>(0) + 1;
      spin(100);
    }
  }).join();
}

/// Long phases: 30 ms of each 40 elsewhere.
static void phases(unsigned I) {
  for (unsigned J = 0; J != 100; ++J) {
    at<uint32_t>(56 + 4 * I) = J;
    spin(10000);
  }
  spin(3000000);
}

int main(int argc, char **argv) {
  const std::map<std::string, std::pair<unsigned, Worker>> Cases = {
      {"private", {3, onePrivate}},
      {"one-byte", {2, oneByte}},
      {"read-only", {2, readOnly}},
      {"true", {2, sameCounter}},
      {"false", {2, slots}},
      {"mixed", {3, settingsBesideCounter}},
      {"sleepy-writer", {2, sleepyWriter}},
      {"hand-on", {2, handOn}},
      {"come-and-go", {2, comeAndGo}},
      {"phases", {2, phases}}};
  auto Case = argc > 1 ? Cases.find(argv[1]) : Cases.end();
  if (Case == Cases.end())
    return 64;
  std::vector<std::thread> Threads =
      start(Case->second.first, Case->second.second);
  std::printf("ready %d %p\n", getpid(), static_cast<void *>(&Watched));
  std::fflush(stdout);
  char Byte;
  while (read(0, &Byte, 1) > 0)
    ;
  Stop = true;
  Changed.notify_all();
  for (std::thread &T : Threads)
    T.join();
}
