// A class whose header writes a static member that another file defines.
#pragma once
#include "threads.h"
struct Transaction {
  static std::atomic<long> last_number;
  static std::atomic<long> elsewhere;
  void begin() { last_number++; }
  void end() { elsewhere++; }
};
