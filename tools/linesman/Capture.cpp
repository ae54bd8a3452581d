// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman capture -- BUILD COMMAND: runs any build and writes down every link.

#include "Commands.h"
#include "SharedOptions.h"
#include "linesman/Guard/Text.h"
#include "linesman/Relink/CaptureLink.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace linesman::tool {

namespace {

struct Options {
  cl::SubCommand Command{"capture", "Run a build and record its links"};
  Text Links{Command, "links", "folder",
             "Folder for the links (linesman-links)", "linesman-links"};
  Rest Build{Command, "-- BUILD COMMAND", cl::OneOrMore};
};

/// Runs with our stdin, stdout and stderr.
Error runBuild(ArrayRef<std::string> Build, ArrayRef<std::string> Environment) {
  ErrorOr<std::string> Env = sys::findProgramByName("env");
  if (!Env)
    return createFileError("env", Env.getError());
  std::vector<StringRef> Args = {"env"};
  append_range(Args, Environment);
  append_range(Args, Build);
  std::string Problem;
  int Status = sys::ExecuteAndWait(*Env, Args, /*Env=*/std::nullopt,
                                   /*Redirects=*/{}, /*SecondsToWait=*/0,
                                   /*MemoryLimit=*/0, &Problem);
  if (Status == 0)
    return Error::success();
  return createStringError(formatv("{0} failed with {1}{2}{3}", Build.front(),
                                   Status, Problem.empty() ? "" : ": ",
                                   Problem));
}

} // namespace

int runCapture(Arguments Args) {
  Options Opts;
  if (!parseOptions(Args,
                    "linesman capture: run a build and record its "
                    "links\n",
                    Opts.Build))
    return Failure;
  // A build that runs in other folders finds the same place.
  SmallString<128> Folder = StringRef(Opts.Links);
  if (std::error_code EC = sys::fs::make_absolute(Folder))
    return fail(createFileError(Opts.Links, EC));
  Expected<std::vector<std::string>> Environment = relink::prepareCapture(
      Folder, sys::fs::getMainExecutable(nullptr, nullptr));
  if (!Environment)
    return fail(Environment.takeError());
  std::vector<std::string> Build(Opts.Build.begin(), Opts.Build.end());
  if (Error E = runBuild(Build, *Environment))
    return fail(std::move(E));
  Expected<std::vector<relink::CapturedLink>> Links =
      relink::readCapturedLinks(Folder);
  if (!Links)
    return fail(Links.takeError());
  if (Links->empty())
    return fail(createStringError(
        "the build ran no linker that a compiler looks up (nothing to link, or "
        "a driver with --ld-path and a whole path)"));
  outs() << formatv("{0} link{1} in {2}\n", Links->size(),
                    Links->size() == 1 ? "" : "s", Opts.Links);
  for (const relink::CapturedLink &Link : *Links)
    guard::PrintableStream(outs()) << "  " << Link.Output << '\n';
  return Success;
}

} // namespace linesman::tool
