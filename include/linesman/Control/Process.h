// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process's static memory as seen from outside: which modules it has mapped,
// and where their writable ranges are.

#ifndef LINESMAN_CONTROL_PROCESS_H
#define LINESMAN_CONTROL_PROCESS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace linesman::control {

/// A process, by the kernel's number.
struct ProcessId {
  int Value = 0;
  friend auto operator<=>(ProcessId, ProcessId) = default;
};

/// An address in a running process; a link-time address plus its module's
/// bias.
struct RunAddress {
  uint64_t Value = 0;
  friend auto operator<=>(RunAddress, RunAddress) = default;
};

/// A half-open range of run-time addresses.
struct RunRange {
  RunAddress Begin, End;
  uint64_t size() const { return End.Value - Begin.Value; }
  friend auto operator<=>(RunRange, RunRange) = default;
};

/// What is common to \p A and \p B; empty where there is nothing.
RunRange intersect(RunRange A, RunRange B);

/// An executable or shared object in a process.
struct Module {
  /// As the process sees it.
  std::string Path;
  /// Where its file can be opened, also when it was deleted or replaced.
  std::string File;
  /// Run-time address minus link-time address.
  uint64_t Bias = 0;
  /// Its writable static pages without RELRO, in whole pages, by address.
  std::vector<RunRange> Ranges;
};

/// A file descriptor that closes itself.
class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int Number) : Number(Number) {}
  Descriptor(Descriptor &&Other) noexcept : Number(Other.release()) {}
  Descriptor &operator=(Descriptor &&Other) noexcept;
  ~Descriptor() { reset(); }

  int get() const { return Number; }
  int release() {
    int Result = Number;
    Number = -1;
    return Result;
  }
  void reset();

private:
  int Number = -1;
};

/// Bytes of a page of this machine.
uint64_t pageSize();

/// "root", or "user 4711" where the number has no name.
std::string userName(unsigned User);

/// Fails when there is no such process, when this user may not look into it,
/// and when there is nothing to see: a thread of the kernel, or a process that
/// has ended and that nobody has waited for yet.
llvm::Error checkReadable(ProcessId Process);

/// The path of the process's executable.
llvm::Expected<std::string> executablePath(ProcessId Process);

/// Modules with writable static pages, the executable first. Fails when the
/// process is gone or another user's; leaves out what has no readable ELF file
/// (the vdso; of deleted files, libraries, except for the administrator).
llvm::Expected<std::vector<Module>> readModules(ProcessId Process);

/// All private writable memory: static data, heap, stacks, by address.
llvm::Expected<std::vector<RunRange>> readPrivateMemory(ProcessId Process);

} // namespace linesman::control

#endif // LINESMAN_CONTROL_PROCESS_H
