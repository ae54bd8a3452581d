// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Replay, then append.

#include "linesman/Drive/BisectLog.h"
#include "linesman/Guard/Document.h"
#include "linesman/Guard/Output.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::bisect;

namespace linesman::drive {

Error checkNewLog(StringRef Path) {
  if (sys::fs::exists(Path))
    return createStringError(
        Path + ": the log exists; go on with --resume, or choose another "
               "with --log");
  return guard::checkOutput(Path);
}

Expected<std::unique_ptr<LoggedOracle>>
LoggedOracle::open(StringRef Path, LogStart Start, WindowLog &Log) {
  std::unique_ptr<LoggedOracle> Result(new LoggedOracle);
  Result->Path = Path.str();
  if (Start == LogStart::Resume) {
    auto Buffer = guard::readDocument(Path);
    if (!Buffer)
      return Buffer.takeError();
    size_t BadLine;
    std::optional<WindowLog> Old =
        decodeLog((*Buffer)->getBuffer().str(), BadLine);
    if (!Old)
      return createStringError(
          formatv("{0}:{1}: not a line of a window log", Path, BadLine));
    if (Old->Candidates != Log.Candidates || Old->Identity != Log.Identity)
      return createStringError(Path +
                               ": the log is of another search: the command, "
                               "the binary or the options have changed");
    Log = std::move(*Old);
    Result->Known = Log.Windows;
  } else if (Error E = checkNewLog(Path)) {
    return std::move(E);
  }
  // The windows that are known stay, whatever happens now. They are written
  // anew: a half line at the end would join the next one.
  if (Error E = guard::writeOutput(
          Path, [&](raw_ostream &OS) { OS << encodeLog(Log); }))
    return std::move(E);
  std::error_code EC;
  Result->File = std::make_unique<raw_fd_ostream>(Path, EC, sys::fs::OF_Append);
  if (EC)
    return createFileError(Path, EC);
  return std::move(Result);
}

WindowOutcome LoggedOracle::measure(const WindowRequest &Window) {
  if (Next != Known.size()) {
    if (!(Known[Next].Request == Window)) {
      Problem = joinErrors(
          std::move(Problem),
          createStringError(formatv("{0}:{1}: the log has another window than "
                                    "this search asks for",
                                    Path, Next + 2)));
      return {WindowState::Stopped};
    }
    return Known[Next++].Outcome;
  }
  WindowOutcome Outcome = Inner->measure(Window);
  if (Outcome.State == WindowState::Stopped)
    return Outcome;
  *File << encodeWindow({Window, Outcome});
  File->flush();
  if (File->has_error()) {
    Problem =
        joinErrors(std::move(Problem), createFileError(Path, File->error()));
    File->clear_error();
    return {WindowState::Stopped};
  }
  return Outcome;
}

Lengthening LoggedOracle::lengthen(double Factor) {
  return Inner->lengthen(Factor);
}

} // namespace linesman::drive
