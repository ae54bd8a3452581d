// The shapes in which compilers access objects: each function is one, and all
// objects are used by one function each, so that a mistake has a name.
#include <atomic>
#include <cstdint>
#include <cstring>
#include <mutex>

struct Record {
  long Key, Value, Hits, Pad;
};
Record records[64];
long counters[256], table[100], down[100], strided[256], other[64];
int flag, selector, chosen_a, chosen_b;
long switched[8];
std::atomic<int> ticket, stored;
std::atomic<long> bits;
std::atomic<uint16_t> tickets16;
std::atomic<uint8_t> tickets8;
std::mutex locks[16], one_lock;
char buffer[4096], copied[4096], small[16], text[64];
static long hidden[32];
long exported = 3;
double weights[128];
float sums[4];
thread_local long mine;
long spin;
void (*callback)(int);
struct Node {
  Node *Next;
  long Count;
} head;

#define NOINLINE extern "C" __attribute__((noinline))
NOINLINE void hoisted(int N) {
  for (int I = 0; I < N; ++I)
    counters[I] += N;
}
NOINLINE long countsDown() {
  long Sum = 0;
  for (int I = 99; I >= 0; --I)
    Sum += down[I] * 3;
  return Sum;
}
NOINLINE long constantTrip() {
  long Sum = 0;
  for (int I = 0; I < 100; ++I)
    Sum ^= table[I] + (Sum >> 3);
  return Sum;
}
NOINLINE void strides() {
  for (int I = 0; I < 256; I += 16)
    strided[I] = I;
}
NOINLINE void selects(int I) { *(I & 1 ? &chosen_a : &chosen_b) += I; }
NOINLINE long switches(int I) {
  switch (selector) {
  case 0: return switched[0]++;
  case 1: return switched[1] += I;
  case 2: other[3] = I; return 2;
  case 3: return other[I & 63];
  case 4: return exported;
  case 5: exported = I; return 0;
  case 6: flag = 1; return 1;
  case 7: return flag;
  }
  return 0;
}
NOINLINE int atomics() {
  bits |= 4;
  stored.store(2, std::memory_order_release);
  return ticket++ + (ticket.load() > 3);
}
NOINLINE int smallAtomics() {
  tickets16 += 3;
  tickets8 |= 4;
  return tickets16++ + tickets8--;
}
NOINLINE void lockOne(int I) {
  std::lock_guard<std::mutex> A(one_lock);
  std::lock_guard<std::mutex> B(locks[I & 15]);
  ++records[I].Hits;
}
NOINLINE void copies(int N) {
  memcpy(copied, buffer, N);
  memset(small, 0, sizeof(small));
  memcpy(text, small, 16);
}
NOINLINE long fields(long Key) {
  for (Record &R : records)
    if (R.Key == Key)
      return R.Value;
  return -1;
}
NOINLINE void pointerLoop(long V) {
  for (long *P = hidden; P != hidden + 32; ++P)
    if (*P < V)
      *P = V;
}
NOINLINE double vectors() {
  double Sum = 0;
  for (double &W : weights)
    Sum += W;
  sums[0] = Sum;
  return Sum;
}
NOINLINE void waits() {
  while (!__atomic_load_n(&spin, __ATOMIC_ACQUIRE))
    ++mine;
}
NOINLINE void calls(int I) {
  if (callback)
    callback(I);
}
NOINLINE void pushes(Node *N) {
  N->Next = head.Next;
  head.Next = N;
  ++head.Count;
}
int main(int Argc, char **) {
  Node N;
  hoisted(Argc);
  strides();
  selects(Argc);
  lockOne(Argc);
  copies(Argc);
  pointerLoop(Argc);
  pushes(&N);
  calls(Argc);
  return countsDown() + constantTrip() + switches(Argc) + atomics() + smallAtomics() + fields(Argc) + vectors();
}
