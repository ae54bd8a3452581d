// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signals to this program while one that it has started runs.

#ifndef LINESMAN_PROCESS_SIGNALS_H
#define LINESMAN_PROCESS_SIGNALS_H

#include "linesman/Process/Descriptor.h"
#include <csignal>
#include <iterator>

namespace linesman::process {

/// For the rest of this process: what asks it to end asks the process \p Child.
/// Ctrl-C reaches both by the terminal, and the child decides what it means.
void passSignals(int Child);

/// Signals that ask this process to end, from here on. At most one lives.
class EndRequests {
public:
  EndRequests();
  ~EndRequests();
  EndRequests(const EndRequests &) = delete;
  EndRequests &operator=(const EndRequests &) = delete;

  /// Waits for the end of \p Child, and leaves it to its parent to be reaped.
  /// The first request is passed to the child, where it has not had it too
  /// (Ctrl-C, timeout). Another one, a second or more later, kills the child;
  /// returns whether it came to that.
  bool awaitEnd(int Child);

  /// Whether a request has come by now.
  bool hasCome() { return HasCome = HasCome || take(); }

  /// Readable from the first request on.
  int file() const { return Read.get(); }

private:
  bool HasCome = false;
  static constexpr int Signals[] = {SIGTERM, SIGHUP, SIGINT};
  struct sigaction Before[std::size(Signals)];
  Descriptor Read, Write;

  /// The next request, or 0.
  int take();
};

} // namespace linesman::process

#endif // LINESMAN_PROCESS_SIGNALS_H
