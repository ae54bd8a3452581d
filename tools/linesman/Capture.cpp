// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman capture -- BUILD COMMAND: runs any build and writes down every link.

#include "Commands.h"
#include "SharedOptions.h"
#include "linesman/Guard/Text.h"
#include "linesman/Relink/CaptureLink.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace linesman::tool {

namespace {

struct CaptureOptions {
  cl::SubCommand Command{"capture"};
  Text Links{Command, "links", "folder",
             "Folder for the links (linesman-links)", "linesman-links"};
  Rest Build{Command, "-- BUILD COMMAND", cl::OneOrMore};
};

} // namespace

Expected<int> runCapture(Arguments Args) {
  CaptureOptions Opts;
  if (Error E = parseOptions(Args, Opts.Build))
    return std::move(E);
  // A build that runs in other folders finds the same place.
  SmallString<128> Folder = StringRef(Opts.Links);
  if (std::error_code EC = sys::fs::make_absolute(Folder))
    return createFileError(Opts.Links, EC);
  Expected<relink::CapturedBuild> Build = relink::captureBuild(
      std::vector<std::string>(Opts.Build.begin(), Opts.Build.end()), Folder,
      sys::fs::getMainExecutable(nullptr, nullptr));
  if (!Build)
    return Build.takeError();
  if (!Build->Added)
    errs() << "linesman: note: this build ran no linker; the links are those "
              "of earlier builds\n";
  outs() << formatv("{0} link{1} in {2}\n", Build->Links.size(),
                    Build->Links.size() == 1 ? "" : "s", Opts.Links);
  for (const relink::CapturedLink &Link : Build->Links)
    guard::PrintableStream(outs()) << "  " << Link.Output << '\n';
  return Success;
}

} // namespace linesman::tool
