// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman plan BINARY: read, find, select, plan, write.

#include "linesman/Plan/Plan.h"
#include "Commands.h"
#include "Ranking.h"
#include "SharedOptions.h"
#include "linesman/Input/ReadTypes.h"
#include "linesman/Plan/Emit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace linesman::layout;

namespace linesman::tool {

namespace {

enum class Form { Json, Ld, Order, Cpp };

struct Options {
  cl::SubCommand Command{"plan", "Edits that would fix findings"};
  cl::opt<std::string> Binary{cl::Positional, cl::desc("BINARY"),
                              cl::sub(Command)};
  cl::list<std::string> Select{
      "select", cl::desc("Only this finding, by its id (linesman layout)"),
      cl::value_desc("id"), cl::sub(Command)};
  cl::opt<uint64_t> Budget{"budget",
                           cl::desc("At most this many bytes of room"),
                           cl::value_desc("bytes"), cl::sub(Command)};
  cl::opt<std::string> Explode{
      "explode",
      cl::desc("Instead: every object of the page of this address on a page "
               "of its own"),
      cl::value_desc("address"), cl::sub(Command)};
  cl::opt<std::string> From{"from", cl::desc("Instead: read this plan"),
                            cl::value_desc("file"), cl::sub(Command)};
  cl::opt<std::string> Onto{
      "onto",
      cl::desc("Keep the edits of this plan, with which BINARY was relinked"),
      cl::value_desc("file"), cl::sub(Command)};
  cl::opt<Form> As{
      "emit", cl::desc("Form of the plan"),
      cl::values(
          clEnumValN(Form::Json, "json", "for linesman relink (default)"),
          clEnumValN(Form::Ld, "ld", "linker-script overlay"),
          clEnumValN(Form::Order, "order", "ld.lld's ordering file"),
          clEnumValN(Form::Cpp, "cpp", "lines for the source")),
      cl::init(Form::Json), cl::sub(Command)};
  FactsOption Facts{Command};
  OutputOption Output{Command};
  LineSizeOption Line{Command};
  PageSizeOption Page{Command};
};

Expected<std::vector<LineFinding>> select(const Options &Opts,
                                          std::vector<LineFinding> Findings) {
  if (Opts.Select.empty())
    return Findings;
  for (const std::string &Id : Opts.Select)
    if (none_of(Findings, [&](const LineFinding &F) { return F.Id == Id; }))
      return createStringError(
          formatv("--select={0}: none of the {1} findings of {2} has this id",
                  Id, Findings.size(), Opts.Binary));
  erase_if(Findings, [&](const LineFinding &F) {
    return !is_contained(Opts.Select, F.Id);
  });
  return Findings;
}

Expected<plan::Plan> planBinary(const Options &Opts,
                                const input::Binary &Binary) {
  const Image &Image = Binary.Image;
  if (Opts.Explode.getNumOccurrences()) {
    uint64_t Address = 0;
    if (StringRef(Opts.Explode).getAsInteger(0, Address))
      return createStringError("--explode=" + Opts.Explode +
                               ": expected an address, as in 0x4000");
    PageMap Pages(Image, {Opts.Page});
    Expected<plan::PlannedEdit> Edit =
        plan::explodePage(Image, Pages, Pages.indexOf({Address}));
    if (!Edit)
      return Edit.takeError();
    plan::Plan Result{Opts.Binary, {Opts.Line}, {Opts.Page}, {}, {}};
    Result.Edits.push_back(std::move(*Edit));
    return Result;
  }
  if (!hasFacts(Binary))
    return createFileError(
        Opts.Binary,
        createStringError("no facts in this binary, so there is nothing to "
                          "plan; compile with linesman-facts.so"));
  Expected<std::vector<LineFinding>> Findings =
      select(Opts, rankLines(Binary, {Opts.Line}));
  if (!Findings)
    return Findings.takeError();
  plan::PlanRequest Request{*Findings, {Opts.Line}, {Opts.Page}, {}};
  if (Opts.Budget.getNumOccurrences())
    Request.Budget = Opts.Budget;
  plan::Plan Result = plan::makePlan(Image, Request);
  Result.Binary = Opts.Binary;
  return Result;
}

/// What the debug information of \p Binary says of the symbols of a plan.
class Definitions {
public:
  Definitions(const plan::Plan &Of, const input::Binary &Binary)
      : Of(Binary.Image), Names(Binary.Image) {
    std::vector<uint32_t> Wanted;
    for (const plan::PlannedEdit &Edit : Of.Edits)
      for (const plan::SymbolRef &Symbol : Edit.What.Symbols)
        if (std::optional<uint32_t> Index = indexOf(Symbol))
          Wanted.push_back(*Index);
    Types = input::readTypes(Binary, Wanted).Types;
  }

  const ObjectTypes::Object *find(const plan::SymbolRef &Symbol) const {
    std::optional<uint32_t> Index = indexOf(Symbol);
    if (!Index)
      return nullptr;
    auto It = Types.Objects.find(Of.symbols()[*Index].Address.Value);
    return It == Types.Objects.end() ? nullptr : &It->second;
  }

private:
  const Image &Of;
  Identities Names;
  ObjectTypes Types;

  std::optional<uint32_t> indexOf(const plan::SymbolRef &Symbol) const {
    return Names.find({Symbol.Symbol, Symbol.File, Symbol.Ordinal.value_or(0)});
  }
};

void writeSource(const plan::Plan &What, const input::Binary *Binary,
                 raw_ostream &OS) {
  std::optional<Definitions> Known;
  // Damaged debug information costs types, not the plan.
  CrashRecoveryContext::Enable();
  if (Binary)
    Known.emplace(What, *Binary);
  plan::emitSource(
      What,
      [&](const plan::SymbolRef &Symbol) {
        return Known ? Known->find(Symbol) : nullptr;
      },
      OS);
}

/// The binary that a plan was made of, for its debug information. It may be
/// gone, or there may never have been one.
std::optional<input::Binary> readPlanned(const plan::Plan &Of) {
  if (Of.Binary.empty())
    return std::nullopt;
  Expected<input::Binary> Read = input::readBinary(Of.Binary);
  if (Read)
    return std::move(*Read);
  consumeError(Read.takeError());
  return std::nullopt;
}

} // namespace

int runPlan(Arguments Args) {
  Options Opts;
  if (!parseOptions(Args, "linesman plan: edits that would fix findings, and "
                          "what they cost\n"))
    return Failure;
  if (Error E = joinErrors(Opts.Line.check(), Opts.Page.check()))
    return fail(std::move(E));
  if (Opts.Binary.empty() == Opts.From.empty())
    return fail(createStringError("expected a binary, or --from and a plan"));
  std::optional<input::Binary> Binary;
  if (Opts.From.empty()) {
    Expected<input::Binary> Read = readRanked(Opts.Binary, Opts.Facts);
    if (!Read)
      return fail(Read.takeError());
    Binary = std::move(*Read);
  }
  Expected<plan::Plan> Plan =
      Binary ? planBinary(Opts, *Binary) : readPlanFile(Opts.From);
  if (!Plan)
    return fail(Plan.takeError());
  if (!Opts.Onto.empty()) {
    Expected<plan::Plan> Old = readPlanFile(Opts.Onto);
    if (!Old)
      return fail(Old.takeError());
    *Plan = plan::joinPlans(std::move(*Old), std::move(*Plan));
  }
  if (Opts.As == Form::Cpp && !Binary)
    Binary = readPlanned(*Plan);
  Error E = writeOutput(Opts.Output, [&](raw_ostream &OS) {
    switch (Opts.As) {
    case Form::Json:
      return plan::writePlan(*Plan, OS);
    case Form::Ld:
      return plan::emitLinkerScript(*Plan, OS);
    case Form::Order:
      return plan::emitOrder(*Plan, OS);
    case Form::Cpp:
      return writeSource(*Plan, Binary ? &*Binary : nullptr, OS);
    }
  });
  return E ? fail(std::move(E)) : Success;
}

} // namespace linesman::tool
