// A shard: one thread's part of the store. Shards share nothing, on purpose.

#ifndef NIL_ROOT_SHARD_H
#define NIL_ROOT_SHARD_H

#include "../threads.h"
#include "radix_tree.h"
#include <mutex>

namespace store {

class alignas(128) Shard {
public:
  void fill(uint32_t Keys);
  /// Runs queries over the keys; returns how many found theirs.
  uint64_t run(Slices &Queries);

private:
  /// Held for a query; only a snapshot, which is rare, takes it from outside.
  std::mutex Lock;
  RadixTree<uint64_t> Tree;
  uint32_t Keys = 0;

  bool query(uint32_t Key);
};

} // namespace store

#endif // NIL_ROOT_SHARD_H
