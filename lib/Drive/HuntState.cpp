// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Drive/HuntState.h"
#include "linesman/Drive/Explode.h"
#include "linesman/Guard/Document.h"
#include "linesman/Guard/Output.h"
#include "linesman/Guard/Text.h"
#include "llvm/Support/FileSystem.h"

using namespace llvm;

namespace linesman::drive {

/// What makes two hunts the same one: a folder of another is not gone on with.
static std::string identityOf(const HuntRequest &Request) {
  std::vector<std::string> Words = {
      Request.Program,  Request.Metric,
      Request.Match,    Request.Better,
      Request.Probe,    Request.LinkCommand,
      Request.Captured, Request.Build,
      Request.Fixed,    std::to_string(Request.Process.value_or(0))};
  Words.insert(Words.end(), Request.Command.begin(), Request.Command.end());
  Words.insert(Words.end(), Request.Expressions.begin(),
               Request.Expressions.end());
  sys::fs::file_status Status;
  sys::fs::status(Request.Program, Status);
  Words.push_back(std::to_string(Status.getSize()));
  Words.push_back(std::to_string(
      Status.getLastModificationTime().time_since_epoch().count()));
  return guard::quoteCommand(Words) + "\n";
}

Error openState(StringRef Folder, HuntBegin Begin, HuntRequest &Request) {
  if (Begin == HuntBegin::Anew) {
    if (std::error_code EC =
            sys::fs::create_directory(Folder, /*IgnoreExisting=*/false))
      return createStringError(EC == std::errc::file_exists
                                   ? "--state=" + Folder +
                                         ": the folder exists; go on with " +
                                         "--resume, or choose another"
                                   : "--state=" + Folder + ": " + EC.message());
  }
  SmallString<256> Whole;
  if (std::error_code EC = sys::fs::real_path(Folder, Whole))
    return createFileError(Folder, EC);
  Request.State = std::string(Whole);
  std::string File = Request.State + "/hunt.txt", Is = identityOf(Request);
  if (Begin == HuntBegin::Anew)
    return guard::writeOutput(File, [&](raw_ostream &OS) { OS << Is; });
  auto Was = guard::readDocument(File);
  if (!Was)
    return Was.takeError();
  if ((*Was)->getBuffer() != Is)
    return createStringError("--state=" + Folder +
                             ": of another hunt: the command, the program's "
                             "file or the metric is another one");
  return Error::success();
}

} // namespace linesman::drive
