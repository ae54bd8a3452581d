// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman findings --from-tidy FILE: clang-tidy's results as findings.

#include "Commands.h"
#include "SharedOptions.h"
#include "linesman/Guard/Document.h"
#include "linesman/Input/ReadTidy.h"
#include "linesman/Report/Report.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace linesman::tool {

namespace {

struct Options {
  cl::SubCommand Command{"findings", "Convert findings of any rung"};
  cl::opt<std::string> FromTidy{
      "from-tidy",
      cl::desc("What clang-tidy exported (--export-fixes) or printed; - is "
               "stdin"),
      cl::value_desc("file"), cl::Required, cl::sub(Command)};
  OutputOption Output{Command};
};

} // namespace

int runFindings(Arguments Args) {
  Options Opts;
  if (!parseOptions(Args, "linesman findings: convert findings of any rung\n"))
    return Failure;
  auto File =
      guard::readDocument(Opts.FromTidy, guard::Source::FileOrStandardInput);
  if (!File)
    return fail(File.takeError());
  Expected<input::TidyResults> Results = input::readTidy(**File);
  if (!Results)
    return fail(Results.takeError());
  if (Results->OtherChecks)
    errs() << "linesman: note: " << Results->OtherChecks
           << " diagnostics of other checks passed over\n";
  if (Error E = writeOutput(Opts.Output, [&](raw_ostream &OS) {
        report::writeJson(Results->Findings, OS);
      }))
    return fail(std::move(E));
  if (Results->CompileErrors)
    return fail(createFileError(
        Opts.FromTidy,
        createStringError("the compiler reported errors (" +
                          Twine(Results->CompileErrors) +
                          "): clang-tidy has not seen all of the code, and "
                          "these are not all findings")));
  return Success;
}

} // namespace linesman::tool
