// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/RecordRun.h"
#include "linesman/Process/Launch.h"
#include "linesman/Process/Signals.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Signals.h"
#include <cstdlib>

using namespace llvm;
using namespace linesman::process;

namespace linesman::drive {

/// The text of the record that the program leaves.
static Expected<std::unique_ptr<MemoryBuffer>>
runProgram(ArrayRef<std::string> Command) {
  SmallString<128> File;
  if (std::error_code EC =
          sys::fs::createTemporaryFile("linesman", "record", File))
    return createStringError("creating a temporary file: " + EC.message());
  FileRemover Remove(File);
  sys::RemoveFileOnSignal(File);
  auto Forget = make_scope_exit([&] { sys::DontRemoveFileOnSignal(File); });
  EndRequests Requests;
  ::setenv("LINESMAN_RECORD_FILE", File.c_str(), 1);
  Expected<Child> Started = launch(Command, Begin::AtOnce);
  ::unsetenv("LINESMAN_RECORD_FILE");
  if (!Started)
    return Started.takeError();
  bool Killed = Requests.awaitEnd(Started->process().Value);
  Started->wait();
  auto Text = MemoryBuffer::getFile(File);
  if (Killed)
    return createStringError("'" + Command.front() +
                             "' was killed at the second signal, and left no "
                             "record");
  if (!Text || (*Text)->getBuffer().empty())
    return createStringError(
        "'" + Command.front() +
        "' left no record: compile it with -fsanitize=thread and link it "
        "without that option but with -llinesman-record; it must return from "
        "main, exit or be ended by SIGTERM");
  return std::move(*Text);
}

Expected<RecordedRun> recordRun(ArrayRef<std::string> Command) {
  ErrorOr<std::string> Program = sys::findProgramByName(Command.front());
  if (!Program)
    return createStringError("cannot execute '" + Command.front() +
                             "': " + Program.getError().message());
  SmallString<256> Path;
  sys::fs::real_path(*Program, Path);
  Expected<std::unique_ptr<MemoryBuffer>> Text = runProgram(Command);
  if (!Text)
    return Text.takeError();
  Expected<watch::Record> Recorded =
      watch::parseRecord((*Text)->getBuffer(), Path);
  if (!Recorded)
    return Recorded.takeError();
  return RecordedRun{Path.str().str(), std::move(*Recorded)};
}

} // namespace linesman::drive
