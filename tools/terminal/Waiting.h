// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_TOOLS_TERMINAL_WAITING_H
#define LINESMAN_TOOLS_TERMINAL_WAITING_H

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace linesman::terminal {

/// While it lives, says on a terminal's stderr what takes longer than a second,
/// and takes it back at the end. Nothing where stderr is no terminal.
class Waiting {
public:
  /// \p Subject as in "reading app".
  explicit Waiting(std::string Subject);
  Waiting(const Waiting &) = delete;
  Waiting &operator=(const Waiting &) = delete;
  ~Waiting();

private:
  std::mutex Lock;
  std::condition_variable Changed;
  bool IsOver = false;
  std::thread Teller;
};

} // namespace linesman::terminal

#endif // LINESMAN_TOOLS_TERMINAL_WAITING_H
