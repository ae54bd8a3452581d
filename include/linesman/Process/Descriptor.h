// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file descriptor that closes itself.

#ifndef LINESMAN_PROCESS_DESCRIPTOR_H
#define LINESMAN_PROCESS_DESCRIPTOR_H

#include <utility>

namespace linesman::process {

class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int Number) : Number(Number) {}
  Descriptor(Descriptor &&Other) noexcept : Number(Other.release()) {}
  Descriptor &operator=(Descriptor &&Other) noexcept;
  ~Descriptor() { reset(); }

  int get() const { return Number; }
  bool isOpen() const { return Number >= 0; }
  /// Whoever asks closes it from here on.
  int release() { return std::exchange(Number, -1); }
  void reset();

private:
  int Number = -1;
};

} // namespace linesman::process

#endif // LINESMAN_PROCESS_DESCRIPTOR_H
