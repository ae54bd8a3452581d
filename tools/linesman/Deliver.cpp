// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Deliver.h"
#include "linesman/Guard/Text.h"
#include "llvm/Support/Process.h"

using namespace llvm;

namespace linesman::tool {

DeliveryOptions::DeliveryOptions(cl::SubCommand &Command, Format Default,
                                 FindingsFormatOption::Also Extra)
    : Form(Command, Default, Extra), Output(Command),
      Color(Command, "color", "Colour in text on stdout",
            {{"auto", ColorWhen::Auto,
              "on a terminal, without NO_COLOR (default)"},
             {"always", ColorWhen::Always, ""},
             {"never", ColorWhen::Never, ""}},
            ColorWhen::Auto),
      Root(Command), Fails(Command), Baseline(Command),
      NewBaseline(Command, "write-baseline", "file",
                  "Accept all findings: write them to this file, for "
                  "--baseline") {}

/// auto is a terminal that has colours, and no NO_COLOR in the environment
/// (no-color.org).
static bool isPainted(ColorWhen Choice) {
  switch (Choice) {
  case ColorWhen::Always:
    return true;
  case ColorWhen::Never:
    return false;
  case ColorWhen::Auto:
    return sys::Process::StandardOutHasColors() &&
           sys::Process::GetEnv("NO_COLOR").value_or("").empty();
  }
  llvm_unreachable("unknown choice");
}

report::Delivery DeliveryOptions::request() const {
  report::Delivery Result;
  Result.Form = Form;
  Result.Output = Output;
  Result.Baseline = Baseline;
  Result.NewBaseline = NewBaseline;
  Result.Root = Root;
  Result.IsPainted = isPainted(Color);
  if (Fails.isAsked())
    Result.FailsOn = Fails;
  Result.Version = LINESMAN_VERSION;
  return Result;
}

Error DeliveryOptions::check() const {
  if (!Baseline.empty() && !Fails.isAsked())
    return createStringError("--baseline goes with --fail-on: it says which "
                             "findings do not fail");
  return request().check();
}

Expected<int> DeliveryOptions::deliver(const report::Findings &Found) const {
  guard::PrintableStream Notes(errs());
  Expected<report::Gate> Verdict = report::deliver(request(), Found, Notes);
  if (!Verdict)
    return Verdict.takeError();
  return *Verdict == report::Gate::Fails ? tool::Found : Success;
}

Expected<int>
deliverMerged(const DeliveryOptions &Delivery,
              const report::MergedFindings &Merged, const Number<unsigned> &Top,
              std::function<bool(const report::Finding &)> IsJudged) {
  uint64_t Most =
      Top.getNumOccurrences()
          ? Top
          : report::mostShown(Delivery.Form, Merged.Findings.size());
  report::Findings Found = report::mergedFindings(Merged, Delivery.Form, Most,
                                                  textColumns(Delivery.Output));
  Found.IsJudged = std::move(IsJudged);
  return Delivery.deliver(Found);
}

} // namespace linesman::tool
