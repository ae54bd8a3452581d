// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// linesman relink --isolate SYMBOL -o OUT -- LINK COMMAND

#include "linesman/Relink/Relink.h"
#include "Commands.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace linesman::tool {

namespace {

struct Options {
  cl::SubCommand Command{"relink", "Link again with a better layout"};
  cl::list<std::string> Isolate{
      "isolate",
      cl::desc("Give this symbol lines of its own: the linker's name, the "
               "demangled one, or file:name"),
      cl::value_desc("symbol"), cl::sub(Command)};
  cl::opt<std::string> Output{"o", cl::desc("The file to make"),
                              cl::value_desc("file"), cl::Required,
                              cl::sub(Command)};
  cl::opt<uint64_t> Line{"line-size", cl::desc("Bytes of a cache line (64)"),
                         cl::value_desc("bytes"), cl::init(64),
                         cl::sub(Command)};
  cl::list<std::string> Link{cl::Positional, cl::OneOrMore,
                             cl::desc("-- LINK COMMAND"), cl::sub(Command)};
};

} // namespace

int runRelink(Arguments Args) {
  Options Opts;
  if (!parseOptions(Args, "linesman relink: link again with symbols on lines "
                          "of their own, and verify it\n"))
    return Failure;
  if (Opts.Isolate.empty())
    return fail(createStringError("nothing to do: no --isolate"));
  if (Error E = checkLineSize(Opts.Line))
    return fail(std::move(E));

  relink::RelinkConfig Config;
  Config.Command = Opts.Link;
  Config.Output = Opts.Output;
  Config.Line = {Opts.Line};
  for (const std::string &Symbol : Opts.Isolate)
    Config.Edits.push_back({plan::EditKind::Isolate, Symbol});
  Expected<std::vector<relink::Placed>> Where = relink::relink(Config);
  if (!Where)
    return fail(Where.takeError());
  for (const relink::Placed &P : *Where)
    outs() << formatv("{0}: alone on its line{1}, at {2:x}\n", P.Symbol,
                      P.Size > Opts.Line ? "s" : "", P.Address.Value);
  return Success;
}

} // namespace linesman::tool
