// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman plan BINARY: read, find, select, plan, write.

#include "linesman/Plan/Plan.h"
#include "Commands.h"
#include "SharedOptions.h"
#include "linesman/Drive/EmitPlan.h"
#include "linesman/Drive/MakePlan.h"
#include "linesman/Drive/PlannedEdits.h"
#include "linesman/Guard/Output.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::drive;
using namespace linesman::layout;

namespace linesman::tool {

namespace {

struct PlanOptions {
  cl::SubCommand Command{"plan"};
  cl::opt<std::string> Binary{cl::Positional, cl::desc("BINARY"),
                              cl::sub(Command)};
  Texts Select{Command, "select", "id",
               "Only this finding, by its id (linesman layout)"};
  Number<uint64_t> Top{Command, "top", "N", "Only the first N findings"};
  Number<uint64_t> Budget{Command, "budget", "bytes",
                          "At most this many bytes of room"};
  Text Explode{
      Command, "explode", "address",
      "Instead: put every object on this address's page on a page of its own"};
  Text PlanFile{Command, "from", "file", "Instead: read this plan"};
  Text Onto{Command, "onto", "file",
            "Keep the edits of this plan, with which BINARY was relinked"};
  Choice<PlanForm> Form{
      Command,
      "emit",
      "Form of the plan",
      {{"json", PlanForm::Json, "for linesman relink (default)"},
       {"ld", PlanForm::Ld, "linker-script overlay"},
       {"order", PlanForm::Order, "ld.lld's ordering file"},
       {"cpp", PlanForm::Cpp, "lines for the source"}},
      PlanForm::Json};
  FactsOption Facts{Command};
  OutputOption Output{Command};
  LineSizeOption Line{Command};
  PageSizeOption Page{Command};
};

/// What has no effect beside \p Given must not look as if it had.
Error checkApart(
    const cl::Option &Given,
    std::initializer_list<std::reference_wrapper<const cl::Option>> Others) {
  for (const cl::Option &Other : Others)
    if (Given.getNumOccurrences() && Other.getNumOccurrences())
      return createStringError(
          formatv("--{0} has no effect beside --{1}; give one of them",
                  Other.ArgStr, Given.ArgStr));
  return Error::success();
}

Error checkOptions(const PlanOptions &Opts) {
  Error Sizes = joinErrors(Opts.Line.check(), Opts.Page.check());
  Error Choice =
      joinErrors(checkApart(Opts.Select, {Opts.Top}),
                 checkApart(Opts.Explode,
                            {Opts.Select, Opts.Top, Opts.Budget, Opts.Facts}));
  Error Plan = checkApart(Opts.PlanFile,
                          {Opts.Select, Opts.Top, Opts.Budget, Opts.Explode,
                           Opts.Facts, Opts.Line, Opts.Page});
  return joinErrors(std::move(Sizes),
                    joinErrors(std::move(Choice), std::move(Plan)));
}

Expected<PlanChoice> readChoice(const PlanOptions &Opts) {
  PlanChoice Choice;
  Choice.Select.assign(Opts.Select.begin(), Opts.Select.end());
  if (Opts.Top.getNumOccurrences())
    Choice.Top = Opts.Top;
  if (Opts.Budget.getNumOccurrences())
    Choice.Budget = Opts.Budget;
  Choice.Line = {Opts.Line};
  Choice.Page = {Opts.Page};
  if (!Opts.Explode.getNumOccurrences())
    return Choice;
  uint64_t Address = 0;
  if (StringRef(Opts.Explode).getAsInteger(0, Address))
    return createStringError("--explode=" + Opts.Explode +
                             ": expected an address, as in 0x4000");
  Choice.Explode = LinkAddress{Address};
  return Choice;
}

void warnOfNoEdits(const plan::Plan &Empty) {
  warn("this plan moves nothing");
  for (const plan::LeftFinding &Left : Empty.Left)
    warn(Left.Id + ": " + Left.Reason);
}

} // namespace

Expected<int> runPlan(Arguments Args) {
  PlanOptions Opts;
  if (Error E = parseOptions(Args))
    return std::move(E);
  if (Error E = checkOptions(Opts))
    return std::move(E);
  if (Opts.Binary.empty() == Opts.PlanFile.empty())
    return createStringError("expected a binary, or --from and a plan");
  Expected<PlanChoice> Choice = readChoice(Opts);
  if (!Choice)
    return Choice.takeError();
  std::optional<input::Binary> Binary;
  if (Opts.PlanFile.empty()) {
    Expected<input::Binary> Read = readWaiting(Opts.Binary, Opts.Facts);
    if (!Read)
      return Read.takeError();
    Binary = std::move(*Read);
  }
  Expected<plan::Plan> Plan = Binary ? makePlanOf(Opts.Binary, *Binary, *Choice)
                                     : drive::readPlanFile(Opts.PlanFile);
  if (!Plan)
    return Plan.takeError();
  if (!Opts.Onto.empty()) {
    Expected<plan::Plan> Old = drive::readPlanFile(Opts.Onto);
    if (!Old)
      return Old.takeError();
    *Plan = plan::joinPlans(std::move(*Old), std::move(*Plan));
  }
  // JSON says what is left and why.
  if (Opts.Form != PlanForm::Json && Plan->Edits.empty())
    warnOfNoEdits(*Plan);
  if (Error E = guard::writeOutput(Opts.Output, [&](raw_ostream &OS) {
        emitPlan(Opts.Form, std::move(*Plan), Binary ? &*Binary : nullptr, OS);
      }))
    return std::move(E);
  return Success;
}

} // namespace linesman::tool
