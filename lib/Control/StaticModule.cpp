// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ranges follow the same rule as the shim's (lib/Runtime/ranges.c); a test
// compares them.

#include "linesman/Control/StaticModule.h"
#include "linesman/Process/State.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace linesman::process;

namespace linesman::control {

constexpr StringLiteral ShimFile = "liblinesman-shim.so";

static std::vector<RunRange> writablePages(const Module &Loaded) {
  const uint64_t Page = pageSize();
  auto PagesOf = [&](const Module::Segment &S, uint64_t Rounding) {
    uint64_t Begin = Loaded.Bias.toRun(S.Begin).Value;
    return RunRange{{Begin & -Page}, {(Begin + S.Size + Rounding) & -Page}};
  };
  RunRange Relro;
  for (const Module::Segment &S : Loaded.Segments)
    if (S.IsRelro)
      Relro = PagesOf(S, 0);
  std::vector<RunRange> Result;
  for (const Module::Segment &S : Loaded.Segments) {
    if (S.IsRelro || !S.IsWritable || !S.Size)
      continue;
    RunRange Whole = PagesOf(S, Page - 1);
    RunRange Cut = intersect(Whole, Relro);
    if (!Cut.size())
      Cut = {Whole.End, Whole.End};
    for (RunRange Part :
         {RunRange{Whole.Begin, Cut.Begin}, RunRange{Cut.End, Whole.End}})
      if (Part.size())
        Result.push_back(Part);
  }
  return Result;
}

Expected<std::unique_ptr<MemoryBuffer>> StaticModule::open() const {
  if (Bytes)
    return handOn(Bytes);
  return createFileError(Path, createStringError("can not be read"));
}

std::vector<StaticModule> staticModules(const ModuleMap &Loaded) {
  std::vector<StaticModule> Result;
  for (const Module &M : Loaded.modules())
    if (std::vector<RunRange> Ranges = writablePages(M);
        !Ranges.empty() && sys::path::filename(M.Path) != ShimFile)
      Result.push_back({M.Path, M.Bytes, M.Bias, std::move(Ranges)});
  return Result;
}

} // namespace linesman::control
