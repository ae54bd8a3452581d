// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman lock BINARY: writes what linesman diff --lock=FILE compares with.

#include "Commands.h"
#include "SharedOptions.h"
#include "linesman/Drive/DiffSides.h"
#include "linesman/Guard/Output.h"
#include "linesman/Report/Diff.h"

using namespace llvm;
using namespace linesman::drive;

namespace linesman::tool {

namespace {

struct LockOptions {
  cl::SubCommand Command{"lock"};
  Wanted Binary{Command, "BINARY"};
  FactsOption Facts{Command};
  OutputOption Output{Command};
  LineSizeOption Line{Command};
};

} // namespace

Expected<int> runLock(Arguments Args) {
  LockOptions Opts;
  if (Error E = parseOptions(Args))
    return std::move(E);
  if (Error E = Opts.Line.check())
    return std::move(E);
  Expected<input::Binary> Binary = readWaiting(Opts.Binary, Opts.Facts);
  if (!Binary)
    return Binary.takeError();
  Expected<Side> Now = makeSide(Opts.Binary, std::move(*Binary), {Opts.Line});
  if (!Now)
    return Now.takeError();
  if (Error E = checkLockable(*Now))
    return std::move(E);
  if (Now->Layout.Mates.Objects.empty())
    return createFileError(
        Opts.Binary,
        createStringError("no variable of this binary is known to be touched "
                          "while threads run, so a lock would hold nothing"));
  if (Error E = guard::writeOutput(Opts.Output, [&](raw_ostream &OS) {
        report::writeLock(Now->Layout, OS);
      }))
    return std::move(E);
  return Success;
}

} // namespace linesman::tool
