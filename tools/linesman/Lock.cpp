// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman lock BINARY: writes what linesman diff --lock=FILE compares with.

#include "Commands.h"
#include "SharedOptions.h"
#include "Waiting.h"
#include "linesman/Drive/DiffSides.h"
#include "linesman/Guard/Output.h"
#include "linesman/Report/Diff.h"

using namespace llvm;
using namespace linesman::drive;

namespace linesman::tool {

namespace {

struct Options {
  cl::SubCommand Command{"lock", "Accept the layout of a binary"};
  Wanted Binary{Command, "BINARY"};
  FactsOption Facts{Command};
  OutputOption Output{Command};
  LineSizeOption Line{Command};
};

} // namespace

int runLock(Arguments Args) {
  Options Opts;
  if (!parseOptions(Args, "linesman lock: accept the layout of a binary\n"))
    return Failure;
  if (Error E = Opts.Line.check())
    return fail(std::move(E));
  std::optional<Waiting> Shown(std::in_place, "reading " + Opts.Binary);
  Expected<Side> Now = readSide(Opts.Binary, {Opts.Line}, Opts.Facts);
  Shown.reset();
  if (!Now)
    return fail(Now.takeError());
  if (Error E = checkLockable(*Now))
    return fail(std::move(E));
  if (Now->Layout.Mates.Objects.empty())
    return fail(createFileError(
        Opts.Binary,
        createStringError("no variable of this binary is known to be touched "
                          "while threads run, so a lock would hold nothing")));
  if (Error E = guard::writeOutput(Opts.Output, [&](raw_ostream &OS) {
        report::writeLock(Now->Layout, OS);
      }))
    return fail(std::move(E));
  return Success;
}

} // namespace linesman::tool
