// Who moves or assigns a whole object replaces it: no other thread may use it
// meanwhile, and what is stored there is no operation.
// RUN: %check_tidy %s linesman-adjacent-hot-fields %t

#include "threads.h"

class Pool {
public:
  explicit Pool(unsigned long Size) : Begin(new char[Size]), End(Begin + Size), Used(0) {}
  Pool(Pool &&Other) : Begin(Other.Begin), End(Other.End), Used(Other.Used.load()) {
    Other.Begin = nullptr;
    Other.End = nullptr;
    Other.Used.store(0);
  }
  Pool &operator=(Pool &&Other) {
    Begin = Other.Begin;
    End = Other.End;
    Used.store(Other.Used.load());
    Other.Begin = nullptr;
    Other.End = nullptr;
    return *this;
  }
  char *take(unsigned long Size) {
    for (;;) {
      if (Used.fetch_add(Size) + Size <= capacity())
        return Begin + Size;
      // CHECK-MESSAGES: :[[@LINE-2]]:11: warning: 'Pool::Used' (offset 16) is updated here, in 'Pool::take', and may share its cache line with 'Pool::End' (offset 8)
      Used.fetch_sub(Size);
    }
  }
  bool isFull() const { return Used.load() >= capacity(); }
  unsigned long capacity() const { return End - Begin; }
  bool has(const char *Here) const { return Here >= Begin && Here < End; }

private:
  char *Begin, *End;
  std::atomic<unsigned long> Used;
};

// The cure.
class ApartPool {
public:
  ApartPool &operator=(ApartPool &&Other) {
    Begin = Other.Begin;
    End = Other.End;
    Other.Begin = nullptr;
    return *this;
  }
  char *take(unsigned long Size) {
    for (;;)
      if (Used.fetch_add(Size) + Size <= capacity())
        return Begin + Size;
  }
  unsigned long capacity() const { return End - Begin; }
  bool has(const char *Here) const { return Here >= Begin && Here < End; }

private:
  char *Begin, *End;
  alignas(64) std::atomic<unsigned long> Used;
};

// What an operation stores is read by none that only reads it.
class Window {
public:
  void slide(char *To) {
    Begin = To;
    End = To + 64;
    Slides.fetch_add(1);
  }
  bool has(const char *Here) const { return Here >= Begin && Here < End; }

private:
  char *Begin, *End;
  std::atomic<long> Slides;
};

// Updates in nothing but moves and assignments are no operations either.
class Counted {
public:
  Counted &operator=(const Counted &Other) {
    Limit = Other.Limit;
    Copies.fetch_add(1);
    return *this;
  }
  bool isBelow(int Value) const { return Value < Limit; }
  bool isAbove(int Value) const { return Value > Limit; }

private:
  int Limit = 0;
  std::atomic<int> Copies;
};
