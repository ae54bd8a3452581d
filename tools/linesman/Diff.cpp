// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman diff OLD NEW, linesman diff --lock=FILE BINARY, and linesman lock
// BINARY, which writes that file.

#include "linesman/Report/Diff.h"
#include "Commands.h"
#include "Ranking.h"
#include "SharedOptions.h"
#include "linesman/Input/ReadLock.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::tool {

namespace {

struct DiffOptions {
  cl::SubCommand Command{"diff", "Whose neighbours changed"};
  cl::list<std::string> Binaries{cl::Positional, cl::OneOrMore,
                                 cl::desc("OLD NEW"), cl::sub(Command)};
  cl::opt<std::string> Lock{
      "lock", cl::desc("Compare one binary with these accepted line-mates"),
      cl::value_desc("file"), cl::sub(Command)};
  FormatOption As{Command};
  FactsOption Facts{Command};
  OutputOption Output{Command};
  LineSizeOption Line{Command, "Bytes of a cache line (64, or the lock's)"};
};

struct LockOptions {
  cl::SubCommand Command{"lock", "Accept the line-mates of a binary"};
  cl::opt<std::string> Binary{cl::Positional, cl::Required, cl::desc("BINARY"),
                              cl::sub(Command)};
  FactsOption Facts{Command};
  OutputOption Output{Command};
  LineSizeOption Line{Command};
};

struct Side {
  input::Binary Binary;
  LineMates Mates;
  std::vector<LineFinding> Findings;
};

Expected<Side> readSide(StringRef Path, LineSize Line, input::FactsFrom Facts) {
  Expected<input::Binary> Binary = readRanked(Path, Facts);
  if (!Binary)
    return Binary.takeError();
  if (!hasFacts(*Binary))
    return createFileError(
        Path,
        createStringError("no facts in this binary: which objects matter "
                          "is not known; compile with linesman-facts.so"));
  auto IsAnonymous = [&](uint32_t Symbol) {
    return Binary->Image.symbols()[Symbol].Origin == SymbolOrigin::Anonymous;
  };
  ArrayRef<AccessedObject> Touched = Binary->Accesses.objects();
  if (!Touched.empty() && all_of(Touched, [&](const AccessedObject &O) {
        return IsAnonymous(O.Symbol);
      }))
    return createFileError(
        Path, createStringError("what it touches has no symbols, and places "
                                "are those of one link; use the binary before "
                                "it was stripped, or put its debug file "
                                "(.gnu_debuglink) beside it"));
  LineMates Mates = findLineMates(Binary->Image, LineMap(Binary->Image, Line),
                                  Binary->Accesses);
  std::vector<LineFinding> Findings = rankLines(*Binary, Line);
  erase_if(Findings, [&](const LineFinding &F) { return IsAnonymous(F.Head); });
  return Side{std::move(*Binary), std::move(Mates), std::move(Findings)};
}

Expected<int> diff(const DiffOptions &Opts) {
  size_t Wanted = Opts.Lock.empty() ? 2 : 1;
  if (Opts.Binaries.size() != Wanted)
    return createStringError(Opts.Lock.empty()
                                 ? "expected two binaries, OLD and NEW"
                                 : "expected one binary beside --lock");
  if (Error E = Opts.Line.check())
    return std::move(E);
  if (!Opts.Lock.empty() && Opts.Line.getNumOccurrences())
    return createStringError("--line-size does not go with --lock: the lock "
                             "says which lines it is about");
  std::vector<MateChange> Mates;
  std::vector<FindingChange> Findings;
  if (Opts.Lock.empty()) {
    Expected<Side> Old = readSide(Opts.Binaries[0], {Opts.Line}, Opts.Facts);
    if (!Old)
      return Old.takeError();
    Expected<Side> New = readSide(Opts.Binaries[1], {Opts.Line}, Opts.Facts);
    if (!New)
      return New.takeError();
    Mates = compareLineMates(Old->Mates, New->Mates);
    Findings = compareFindings(Old->Findings, New->Findings);
  } else {
    Expected<std::vector<MateChange>> Broken =
        findBrokenLock(Opts.Lock, Opts.Binaries[0], Opts.Facts);
    if (!Broken)
      return Broken.takeError();
    Mates = std::move(*Broken);
  }
  report::DiffReport Report{Mates, Findings};
  if (Error E = writeOutput(Opts.Output, [&](raw_ostream &OS) {
        if (Opts.As == Format::Json)
          report::writeJson(Report, OS);
        else
          report::writeText(Report, OS);
      }))
    return std::move(E);
  return Mates.empty() && Findings.empty() ? Success : Found;
}

} // namespace

Expected<std::vector<MateChange>>
findBrokenLock(StringRef Lock, StringRef Binary, input::FactsFrom Facts) {
  Expected<LineMates> Accepted = input::readLock(Lock);
  if (!Accepted)
    return Accepted.takeError();
  Expected<Side> Now = readSide(Binary, Accepted->Line, Facts);
  if (!Now)
    return Now.takeError();
  // An object without a lock has no accepted line-mates.
  for (const MatesOf &Object : Now->Mates.Objects)
    if (Object.As == Use::Written &&
        none_of(Accepted->Objects, [&](const MatesOf &Known) {
          return stemOf(Known.Object.Symbol) == stemOf(Object.Object.Symbol) &&
                 Known.Object.File == Object.Object.File &&
                 Known.Object.Ordinal == Object.Object.Ordinal;
        }))
      Accepted->Objects.push_back({Object.Object, Object.As, {}});
  std::vector<MateChange> Changes = compareLineMates(*Accepted, Now->Mates);
  // What left is good news, and so is company of objects that are only read:
  // a written line-mate's own entry says it.
  erase_if(Changes, [](const MateChange &Change) {
    return Change.As != Use::Written || Change.Gained.empty();
  });
  for (MateChange &Change : Changes)
    Change.Lost.clear();
  return Changes;
}

int runDiff(Arguments Args) {
  DiffOptions Opts;
  if (!parseOptions(Args, "linesman diff: whose neighbours changed\n"))
    return Failure;
  Expected<int> Result = diff(Opts);
  return Result ? *Result : fail(Result.takeError());
}

int runLock(Arguments Args) {
  LockOptions Opts;
  if (!parseOptions(Args, "linesman lock: accept the line-mates of a binary\n"))
    return Failure;
  if (Error E = Opts.Line.check())
    return fail(std::move(E));
  Expected<Side> Now = readSide(Opts.Binary, {Opts.Line}, Opts.Facts);
  if (!Now)
    return fail(Now.takeError());
  if (Error E = writeOutput(Opts.Output, [&](raw_ostream &OS) {
        report::writeLock(Now->Mates, OS);
      }))
    return fail(std::move(E));
  return Success;
}

} // namespace linesman::tool
