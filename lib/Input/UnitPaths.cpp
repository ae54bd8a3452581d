// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "linesman/Input/UnitPaths.h"
#include "OpenDwarf.h"
#include "linesman/Input/UnitGuard.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/DebugInfo/DWARF/DWARFCompileUnit.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace linesman::input {

/// Empty where the unit does not say.
static std::string pathOf(DWARFUnit &Unit, UnitGuard &Guard) {
  // With split debug information the name is in the other part.
  DWARFDie Die = Guard.open(Unit, UnitGuard::Entries::First);
  if (!Die)
    return "";
  SmallString<256> Path(dwarf::toStringRef(Die.find(dwarf::DW_AT_name)));
  if (Path.empty())
    return "";
  if (const char *Folder = Unit.getCompilationDir())
    sys::path::make_absolute(Folder, Path);
  sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return Path.str().str();
}

std::vector<std::string> readUnitPaths(const Binary &File) {
  std::vector<std::string> Paths;
  bool HasSurvived = survives([&] {
    OpenedDwarf Opened =
        openDwarf(File, [](Error E) { consumeError(std::move(E)); });
    if (!Opened.Context)
      return;
    UnitGuard Guard;
    for (const std::unique_ptr<DWARFUnit> &Unit :
         Opened.Context->compile_units())
      if (std::string Path = pathOf(*Unit, Guard); !Path.empty())
        Paths.push_back(std::move(Path));
  });
  if (!HasSurvived)
    Paths.clear();
  return Paths;
}

} // namespace linesman::input
