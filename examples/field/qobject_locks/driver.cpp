// Two threads, each with a sender and a receiver of its own: one connects its
// two and takes them apart again, the other one asks in a slot who has sent.
// Their locks are neighbours in Qt's table.

#include "pair.h"
#include <QtCore/QObject>

constexpr uint Locks = 131;

struct Object : QObject {
  const QObject *whoSent() const { return sender(); }
};

/// A new object on lines of its own, whose lock is this one of the table.
static Object *withLock(uint Lock) {
  constexpr size_t Line = 64, Gap = 4 * Line;
  static char *Next = static_cast<char *>(std::aligned_alloc(Line, Line << 16));
  while (uint(quintptr(Next)) / sizeof(void *) % Locks != Lock)
    Next += Line;
  char *Place = Next;
  Next += Gap;
  return new (Place) Object;
}

int main(int Argc, char **Argv) {
  Object *Sender = withLock(40), *Receiver = withLock(40);
  Object *Asked = withLock(41);
  QObject::connect(withLock(41), &QObject::objectNameChanged, Asked, [] {});
  return measurePair(
      Argc, Argv, "connect",
      [=](uint64_t) {
        QObject::disconnect(QObject::connect(
            Sender, &QObject::objectNameChanged, Receiver, [] {}));
      },
      "sender", [=](uint64_t) { keep(Asked->whoSent()); });
}
