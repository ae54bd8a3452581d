// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines of the program's output, or a command of the shell.

#include "linesman/Drive/BisectMeter.h"
#include "linesman/Drive/OutputNumber.h"
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

using namespace llvm;
using namespace linesman::bisect;
using namespace linesman::control;

namespace linesman::drive {

Expected<WindowOutcome> LiveMeter::measure() {
  return Config.Probe.empty() ? readWindow() : runProbe();
}

Lengthening LiveMeter::lengthen(double Factor) {
  if (!Config.Probe.empty())
    return Lengthening::NotPossible;
  Matches = unsigned(Matches * Factor + 0.5);
  return Lengthening::Done;
}

/// The next line of the program's output; nothing at its end.
Expected<std::optional<std::string>> LiveMeter::readLine() {
  while (true) {
    if (size_t End = Partial.find('\n'); End != std::string::npos) {
      std::string Line = Partial.substr(0, End);
      Partial.erase(0, End + 1);
      return Line;
    }
    pollfd Files[] = {{Live.Output.get(), POLLIN, 0},
                      {Config.Interrupt, POLLIN, 0}};
    if (::poll(Files, 2, -1) < 0 && errno == EINTR)
      continue;
    if (Files[1].revents)
      return make_error<Interrupted>();
    char Buffer[4096];
    ssize_t Size = ::read(Live.Output.get(), Buffer, sizeof Buffer);
    if (Size < 0 && errno == EINTR)
      continue;
    if (Size <= 0)
      return std::nullopt;
    Partial.append(Buffer, Size);
  }
}

/// Throws away what was printed while pages moved, and the first match after
/// it, which began before.
Expected<WindowOutcome> LiveMeter::readWindow() {
  drain();
  double Sum = 0;
  for (unsigned Seen = 0; Seen != Matches + 1;) {
    Expected<std::optional<std::string>> Line = readLine();
    if (!Line)
      return Line.takeError();
    if (!*Line)
      return createStringError(
          "the program ended before the search did: let it run longer");
    if (!drive::findLastMatch(**Line, Config.Match))
      continue;
    Expected<double> Number = drive::readNumber(**Line, Config.Match);
    if (!Number)
      return Number.takeError();
    if (Seen++)
      Sum += *Number;
  }
  return WindowOutcome{WindowState::Measured, Sum / Matches};
}

/// What the pipe holds, and no more of a program that prints faster than it
/// is read.
void LiveMeter::drain() {
  int Flags = ::fcntl(Live.Output.get(), F_GETFL);
  ::fcntl(Live.Output.get(), F_SETFL, Flags | O_NONBLOCK);
  char Buffer[4096];
  ssize_t Size;
  for (int Left = ::fcntl(Live.Output.get(), F_GETPIPE_SZ);
       Left > 0 &&
       (Size = ::read(Live.Output.get(), Buffer, sizeof Buffer)) > 0;
       Left -= Size)
    Partial.append(Buffer, Size);
  ::fcntl(Live.Output.get(), F_SETFL, Flags);
  // The last, unfinished line stays: its end is still to come.
  size_t End = Partial.rfind('\n');
  if (End != std::string::npos)
    Partial.erase(0, End + 1);
}

Expected<WindowOutcome> LiveMeter::runProbe() {
  ::setenv("LINESMAN_PID", std::to_string(Live.Process.Value).c_str(),
           /*replace=*/1);
  Expected<CommandResult> Done = runShell(Config, Config.Probe);
  if (!Done)
    return Done.takeError();
  return judge(Config, "the probe", Done->ExitCode, Done->Output,
               Done->Seconds);
}

} // namespace linesman::drive
