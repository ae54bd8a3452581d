// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures a process as it is for the length of one window.

#ifndef LINESMAN_DRIVE_BISECTMETER_H
#define LINESMAN_DRIVE_BISECTMETER_H

#include "linesman/Drive/BisectSetup.h"

namespace linesman::drive {

class LiveMeter {
public:
  LiveMeter(const BisectConfig &Config, const LiveProcess &Live)
      : Config(Config), Live(Live), Matches(Config.LiveMatches) {}

  /// Fails when the process ends, and when an end is asked for (Interrupted).
  llvm::Expected<bisect::WindowOutcome> measure();
  bisect::Lengthening lengthen(double Factor);

private:
  const BisectConfig &Config;
  const LiveProcess &Live;
  unsigned Matches;
  /// Output that has been read and is not a whole line yet.
  std::string Partial;

  llvm::Expected<std::optional<std::string>> readLine();
  llvm::Expected<bisect::WindowOutcome> readWindow();
  void drain();
  llvm::Expected<bisect::WindowOutcome> runProbe();
};

} // namespace linesman::drive

#endif // LINESMAN_DRIVE_BISECTMETER_H
