// The query path of a shard.

#include "shard.h"
#include "log.h"

namespace store {

void Shard::fill(uint32_t Count) {
  Keys = Count;
  for (uint32_t Key = 0; Key != Keys; ++Key)
    Tree.insert(Key, 0);
}

bool Shard::query(uint32_t Key) {
  STORE_LOG(Trace, "query %lu\n", Key);
  std::lock_guard<std::mutex> Held(Lock);
  bool Found = Tree.update(Key, [](uint64_t &Hits) {
    STORE_LOG(Debug, "hits %lu\n", Hits);
    ++Hits;
  });
  STORE_LOG(Trace, "done %lu\n", Key);
  return Found;
}

uint64_t Shard::run(Slices &Queries) {
  uint64_t Found = 0;
  uint32_t Key = 0;
  for (uint64_t I = 0; Queries.goesOn(I); ++I) {
    Key = (Key + 1) % Keys;
    Found += query(Key);
  }
  return Found;
}

} // namespace store
