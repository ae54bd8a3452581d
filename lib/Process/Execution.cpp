// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Process/Execution.h"
#include "llvm/Support/Errno.h"
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;

namespace linesman::process {

std::vector<char *> wordsForExecution(ArrayRef<std::string> Words) {
  std::vector<char *> Result;
  for (const std::string &Word : Words)
    Result.push_back(const_cast<char *>(Word.c_str()));
  Result.push_back(nullptr);
  return Result;
}

Expected<ExecutionPipe> ExecutionPipe::make() {
  int Ends[2];
  if (::pipe2(Ends, O_CLOEXEC) != 0)
    return createStringError("pipe: " + sys::StrError());
  ExecutionPipe Result;
  Result.Read = Descriptor(Ends[0]);
  Result.Write = Descriptor(Ends[1]);
  return std::move(Result);
}

void ExecutionPipe::fail() const {
  const int Failure = errno;
  [[maybe_unused]] ssize_t Sent =
      ::write(Write.get(), &Failure, sizeof(Failure));
  ::_exit(127);
}

int ExecutionPipe::await() {
  Write.reset();
  int Failure = 0;
  ssize_t Received;
  do
    Received = ::read(Read.get(), &Failure, sizeof(Failure));
  while (Received < 0 && errno == EINTR);
  return Received == sizeof(Failure) ? Failure : 0;
}

} // namespace linesman::process
