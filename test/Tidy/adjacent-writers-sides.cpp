// Counts of two sides of one thing, by their names: at most one pair of a unit,
// where no check names one of them.
// RUN: split-file %s %t
// RUN: %check_tidy %t/ring.cpp 'linesman-*' %t.ring -- -std=c++20 -I%S/Inputs
// RUN: %check_tidy %t/right.cpp 'linesman-*' %t.right -- -std=c++20 -I%S/Inputs
//--- ring.cpp
struct RingStats {
  unsigned long n_rx_pkt_count, n_rx_byte_count;
  int kind;
  unsigned long n_tx_pkt_count, n_tx_byte_count;
  // CHECK-MESSAGES: :[[@LINE-1]]:17: warning: 'RingStats::n_rx_pkt_count' (offset 0) and 'RingStats::n_tx_pkt_count' (offset 24) may be on one cache line, and 'Ring::receive' counts in one, 'Ring::send' in the other: if one thread runs the first and another the second for the same object, each count makes the other's next one a miss; keep what the two sides write a line apart
};
class Ring {
  RingStats *stats;

public:
  void send(unsigned long bytes) {
    stats->n_tx_pkt_count++;
    stats->n_tx_byte_count += bytes;
  }
  void receive(unsigned long bytes) {
    stats->n_rx_pkt_count++;
    stats->n_rx_byte_count += bytes;
  }
};
void use(Ring &ring) {
  ring.send(1);
  ring.receive(2);
}
//--- right.cpp
#include "threads.h"

// The fix: a line for each side.
struct FixedStats {
  alignas(64) unsigned long rx_count;
  alignas(64) unsigned long tx_count;
};
void send(FixedStats *stats) { stats->tx_count++; }
void receive(FixedStats *stats) { stats->rx_count++; }

// One function counts both; names of two things; a position in a buffer, which
// is set back; and what a lock guards.
struct Both {
  unsigned long rx_count, tx_count;
};
void echo(Both *stats) {
  stats->rx_count++;
  stats->tx_count++;
}
struct Others {
  unsigned long rx_count, tx_bytes;
};
void send(Others *stats) { stats->tx_bytes++; }
void receive(Others *stats) { stats->rx_count++; }
struct Buffer {
  unsigned long read_pos, write_pos;
};
void put(Buffer *buffer) { buffer->write_pos++; }
void get(Buffer *buffer) {
  buffer->read_pos++;
  if (buffer->read_pos == 64)
    buffer->read_pos = 0;
}
struct Locked {
  std::mutex mutex;
  unsigned long rx_count, tx_count;
};
void send(Locked *stats) {
  std::lock_guard<std::mutex> guard(stats->mutex);
  if (stats->tx_count < 1000)
    stats->tx_count++;
}
void receive(Locked *stats) {
  std::lock_guard<std::mutex> guard(stats->mutex);
  if (stats->rx_count < 1000)
    stats->rx_count++;
}
