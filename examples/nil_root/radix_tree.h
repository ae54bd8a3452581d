// A compact radix tree from 32-bit keys to values: the shape of the story.
//
// There are no null references: an empty slot refers to one static sentinel,
// nil_root, so that walking never tests for null. Every reference tells its
// node who refers to it (the back-reference), and so it tells nil_root too,
// although nobody ever reads that.

#ifndef NIL_ROOT_RADIX_TREE_H
#define NIL_ROOT_RADIX_TREE_H

#include <cstdint>
#include <utility>

namespace store {

template <typename Value> class Node;

/// An owning reference to a node, or to nil_root.
template <typename Value> class NodeRef {
public:
  constexpr NodeRef() = default;
  explicit NodeRef(Node<Value> *Owned) : To(Owned) { To->Back = this; }
  NodeRef(NodeRef &&Other) noexcept
      : To(std::exchange(Other.To, &Node<Value>::nil_root)) {
    To->Back = this;
    Other.To->Back = &Other;
  }
  NodeRef &operator=(NodeRef &&Other) noexcept {
    Node<Value> *Old =
        std::exchange(To, std::exchange(Other.To, &Node<Value>::nil_root));
    To->Back = this;
    Other.To->Back = &Other;
    Old->destroy();
    return *this;
  }
  ~NodeRef() { To->destroy(); }

  Node<Value> *operator->() const { return To; }
  bool isNil() const { return To == &Node<Value>::nil_root; }

private:
  Node<Value> *To = &Node<Value>::nil_root;
};

template <typename Value> class Node {
public:
  static constexpr unsigned Fanout = 16, BitsPerLevel = 4, KeyBits = 32;
  /// What every empty slot refers to.
  static Node nil_root;

  constexpr Node() = default;
  Node(uint32_t Key, Value V) : Stored(V), Key(Key) {}

  bool isLeaf() const { return !Children; }
  uint32_t key() const { return Key; }
  Value &value() { return Stored; }

  /// The slot for a key below an inner node.
  NodeRef<Value> &slot(uint32_t Wanted) {
    return Children[Wanted >> Shift & (Fanout - 1)];
  }
  bool covers(uint32_t Wanted) const {
    unsigned Above = Shift + BitsPerLevel;
    return Above >= KeyBits || Wanted >> Above == Key >> Above;
  }
  /// Makes an inner node that tells \p A and \p B apart.
  static Node *branch(uint32_t A, uint32_t B) {
    Node *Inner = new Node(A, Value());
    unsigned Highest = 31 - __builtin_clz(A ^ B);
    Inner->Shift = Highest - Highest % BitsPerLevel;
    Inner->Children = new NodeRef<Value>[Fanout];
    return Inner;
  }

  void destroy() {
    if (this == &nil_root)
      return;
    delete[] Children;
    delete this;
  }

  /// Who refers to this node.
  NodeRef<Value> *Back = nullptr;

private:
  NodeRef<Value> *Children = nullptr;
  Value Stored = Value();
  uint32_t Key = 0;
  uint32_t Shift = 0;
};

template <typename Value> Node<Value> Node<Value>::nil_root;

template <typename Value> class RadixTree {
public:
  /// The slot that holds \p Key's leaf, or where it belongs.
  NodeRef<Value> &find(uint32_t Key) {
    NodeRef<Value> *At = &Root;
    while (!At->isNil() && !(*At)->isLeaf() && (*At)->covers(Key))
      At = &(*At)->slot(Key);
    return *At;
  }

  void insert(uint32_t Key, Value V) {
    NodeRef<Value> &At = find(Key);
    if (At.isNil()) {
      At = NodeRef<Value>(new Node<Value>(Key, V));
    } else if (At->isLeaf() && At->key() == Key) {
      At->value() = V;
    } else {
      NodeRef<Value> Inner(Node<Value>::branch(Key, At->key()));
      uint32_t Other = At->key();
      Inner->slot(Other) = std::move(At);
      Inner->slot(Key) = NodeRef<Value>(new Node<Value>(Key, V));
      At = std::move(Inner);
    }
  }

  /// Takes a leaf out, changes it, and puts it back: nobody else can see a
  /// half-made change. Whether the key was there.
  template <typename Change> bool update(uint32_t Key, Change Apply) {
    NodeRef<Value> &At = find(Key);
    if (At.isNil() || !At->isLeaf() || At->key() != Key)
      return false;
    NodeRef<Value> Leaf = std::move(At);
    Apply(Leaf->value());
    At = std::move(Leaf);
    return true;
  }

private:
  NodeRef<Value> Root;
};

} // namespace store

#endif // NIL_ROOT_RADIX_TREE_H
