// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shim's side of the control protocol: requests of 40 bytes, one after the
// other, to the function that serves them in another process.

#include "Fuzz.h"
#include "linesman/Runtime/Protocol.h"
#include <cstring>

extern "C" size_t linesman_handle(const void *Message, size_t Size, void *Reply,
                                  int *Descriptor);

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  alignas(16) static char Reply[LINESMAN_MAX_MESSAGE];
  constexpr size_t RequestSize = sizeof(linesman_request);
  while (Size) {
    size_t Now = Size < RequestSize ? Size : RequestSize;
    linesman_request Request = {};
    std::memcpy(&Request, Data, Now);
    // The magic and the version are no secrets.
    Request.magic = LINESMAN_MAGIC;
    Request.version = LINESMAN_PROTOCOL_VERSION;
    int Descriptor;
    size_t Written = linesman_handle(&Request, Now, Reply, &Descriptor);
    if (Descriptor >= 0)
      ::close(Descriptor);
    linesman_reply Head;
    std::memcpy(&Head, Reply, sizeof(Head));
    if (Written < sizeof(Head) || Written > sizeof(Reply) ||
        Head.magic != LINESMAN_MAGIC)
      std::abort();
    Data += Now;
    Size -= Now;
  }
  return 0;
}
