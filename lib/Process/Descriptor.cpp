// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place that closes.

#include "linesman/Process/Descriptor.h"
#include <unistd.h>

namespace linesman::process {

Descriptor &Descriptor::operator=(Descriptor &&Other) noexcept {
  if (this != &Other) {
    reset();
    Number = Other.release();
  }
  return *this;
}

void Descriptor::reset() {
  if (Number >= 0)
    ::close(Number);
  Number = -1;
}

} // namespace linesman::process
