// Another unit with a counter of its own.
#include <atomic>

alignas(64) std::atomic<long> audited;

void audit() { audited.fetch_add(1, std::memory_order_relaxed); }
