// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Process/FileBytes.h"
#include "linesman/Process/State.h"
#include <cassert>
#include <cerrno>
#include <sys/mman.h>

using namespace llvm;

namespace linesman::process {

namespace {

class SharedBuffer final : public MemoryBuffer {
public:
  explicit SharedBuffer(FileBytes Bytes) : Bytes(std::move(Bytes)) {
    init(this->Bytes->getBufferStart(), this->Bytes->getBufferEnd(),
         /*RequiresNullTerminator=*/false);
  }
  StringRef getBufferIdentifier() const override {
    return Bytes->getBufferIdentifier();
  }
  // Pages of a mapping can be given back, and come again.
  BufferKind getBufferKind() const override { return Bytes->getBufferKind(); }

private:
  FileBytes Bytes;
};

/// Whether the last page of a mapping is behind the end of its file by now.
/// The kernel is asked (Linux 5.14; older ones refuse, which says nothing): a
/// path may lead to another file, and a descriptor for each module is too many.
bool isCut(const MemoryBuffer &Bytes) {
  if (Bytes.getBufferKind() != MemoryBuffer::MemoryBuffer_MMap ||
      Bytes.getBufferSize() == 0)
    return false;
  uint64_t Last = reinterpret_cast<uint64_t>(Bytes.getBufferEnd() - 1);
  return ::madvise(reinterpret_cast<void *>(Last & -pageSize()), pageSize(),
                   MADV_POPULATE_READ) != 0 &&
         errno == EFAULT;
}

} // namespace

Expected<std::unique_ptr<MemoryBuffer>> handOn(FileBytes Bytes) {
  assert(Bytes && "who has no file has none to hand on");
  if (isCut(*Bytes))
    return createFileError(
        Bytes->getBufferIdentifier(),
        createStringError("became shorter since it was opened"));
  return std::make_unique<SharedBuffer>(std::move(Bytes));
}

} // namespace linesman::process
