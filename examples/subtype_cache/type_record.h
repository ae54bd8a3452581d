// What a managed runtime keeps for each class, reduced to one question: is an
// object of this class also one of that interface? The answer is in a list, and
// whoever has just found it there writes it down for the next one who asks.

#ifndef TYPE_RECORD_H
#define TYPE_RECORD_H

#include <atomic>
#include <cstddef>
#include <span>

namespace runtime {

class TypeRecord {
public:
  TypeRecord(const char *Name, std::span<const TypeRecord *const> Supers)
      : Name(Name), Supers(Supers.data()), SuperCount(Supers.size()) {}

  /// Every cast to an interface asks this, on every thread.
  bool isSubtypeOf(const TypeRecord &Super) const {
    if (LastFound.load(std::memory_order_relaxed) == &Super)
      return true;
    for (std::size_t I = 0; I != SuperCount; ++I)
      if (Supers[I] == &Super) {
        LastFound.store(&Super, std::memory_order_relaxed);
        return true;
      }
    return false;
  }

  const char *name() const { return Name; }

private:
  const char *Name;
  /// Written once, when the class is loaded.
  const TypeRecord *const *Supers;
  /// The one super that was found last.
  mutable std::atomic<const TypeRecord *> LastFound = nullptr;
  std::size_t SuperCount;
};

} // namespace runtime

#endif // TYPE_RECORD_H
