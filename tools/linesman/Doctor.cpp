// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman doctor: what this machine and container allow, its NUMA facts, what
// to change. Nothing that is missing makes it fail.

#include "Commands.h"
#include "SharedOptions.h"
#include "linesman/Drive/DoctorReport.h"
#include "linesman/Guard/Output.h"

using namespace llvm;
using namespace linesman::drive;

namespace linesman::tool {

namespace {

struct DoctorOptions {
  cl::SubCommand Command{"doctor"};
  Number<int> Pid{Command, "pid", "pid",
                  "Also: where this process's memory and threads are"};
  Flag Measure{
      Command, "measure",
      "Measure what handing a cache line from one processor to another costs"};
  Text Report{Command, "report", "file",
              "With --measure: what the writes of its findings cap (JSON)"};
  cl::opt<std::string> Root{"root",
                            cl::desc("Read /sys and /proc below this "
                                     "folder, for tests"),
                            cl::value_desc("folder"),
                            cl::init("/"),
                            cl::Hidden,
                            cl::sub(Command)};
  FormatOption Form{Command};
  OutputOption Output{Command};
};

} // namespace

Expected<int> runDoctor(Arguments Args) {
  DoctorOptions Opts;
  if (Error E = parseOptions(Args))
    return std::move(E);
  if (Opts.Pid.getNumOccurrences() && Opts.Pid <= 0)
    return createStringError("--pid: expected the number of a process");
  if (!Opts.Report.empty() && !Opts.Measure)
    return createStringError("--report needs --measure");
  if (Error E = guard::checkOutput(Opts.Output))
    return std::move(E);
  Examination Asked;
  Asked.Root = Opts.Root;
  if (Opts.Pid.getNumOccurrences())
    Asked.Process = Opts.Pid;
  Asked.Measures = Opts.Measure;
  Asked.Report = Opts.Report;
  Expected<Diagnosis> Is = examine(Asked);
  if (!Is)
    return Is.takeError();
  if (Error E = guard::writeOutput(Opts.Output, [&](raw_ostream &OS) {
        if (Opts.Form == Format::Json)
          writeJson(*Is, OS);
        else
          writeText(*Is, OS);
      }))
    return std::move(E);
  return Success;
}

} // namespace linesman::tool
