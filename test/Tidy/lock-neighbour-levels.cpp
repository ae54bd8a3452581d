// RUN: %check_tidy %s linesman-lock-neighbour %t
// Who takes the lock asks a method of the same object first, which looks at an
// atomic word beside it, and mostly goes away again.
#include "lock-header.h"

void Log::write(int urgency) {
  if (!isOn(urgency))
    return;
  std::lock_guard<std::mutex> guard(mutex);
  // CHECK-MESSAGES: :[[@LINE-1]]:31: warning: 'Log::mutex' (offset 4) is taken here, in 'Log::write', and shares its cache line with 'Log::level' (offset 0), which 'Log::isOn' reads without it: each attempt to take the lock makes their next access a miss; keep them a line apart [linesman-lock-neighbour]
  lines++;
}
long Log::takeLines() {
  std::lock_guard<std::mutex> guard(mutex);
  return lines;
}

// Operations change the word; it is a line apart; the lock is taken whatever
// the answer is.
void Counted::write(int urgency) {
  if (!isOn(urgency))
    return;
  std::lock_guard<std::mutex> guard(mutex);
  lines++;
}
long Counted::takeLines() {
  std::lock_guard<std::mutex> guard(mutex);
  return lines;
}
void Apart::write(int urgency) {
  if (!isOn(urgency))
    return;
  std::lock_guard<std::mutex> guard(mutex);
  lines++;
}
long Apart::takeLines() {
  std::lock_guard<std::mutex> guard(mutex);
  return lines;
}
void Always::write(int urgency) {
  int step = 1;
  if (isOn(urgency))
    step = 2;
  std::lock_guard<std::mutex> guard(mutex);
  lines += step;
}
long Always::takeLines() {
  std::lock_guard<std::mutex> guard(mutex);
  return lines;
}
