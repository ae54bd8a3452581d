// The shared pointer of the standard library, as far as tests need it.
#pragma once
namespace std {
template <typename T> struct shared_ptr {
  shared_ptr();
  shared_ptr(const shared_ptr &);
  shared_ptr(shared_ptr &&);
  ~shared_ptr();
  shared_ptr &operator=(const shared_ptr &);
  T *operator->() const;
  T &operator*() const;
  T *get() const;
  explicit operator bool() const;
  T *Pointer;
};
template <typename T> shared_ptr<T> make_shared();
} // namespace std
