// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types in the debug information of a process's modules: of a variable, by
// name, of a field, also where one unit only declares what another one defines.

#ifndef LINESMAN_LIB_WATCH_PROCESSTYPES_H
#define LINESMAN_LIB_WATCH_PROCESSTYPES_H

#include "ModuleFile.h"
#include "linesman/Input/DwarfType.h"
#include "linesman/Input/UnitGuard.h"
#include "linesman/Process/Modules.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include <map>
#include <memory>
#include <string>

namespace linesman::watch {

using ObjectType = input::DwarfType;

struct FieldPlace {
  uint64_t Offset = 0;
  ObjectType Type;
};

class ProcessTypes {
public:
  explicit ProcessTypes(const process::ModuleMap &Modules) : Modules(Modules) {}

  /// The type of the variable at \p Address; none when its unit has no debug
  /// information.
  ObjectType typeOfVariable(const process::Module &M,
                            process::LinkAddress Address);

  /// The class, structure or union (or a typedef of one) with this qualified
  /// name; none when nobody defines it.
  ObjectType find(llvm::StringRef Name);

  /// Debug information mentions a variable of this name that has no place.
  bool isOptimisedOut(llvm::StringRef Name);

  /// std::atomic<T *>, std::unique_ptr<T> and the like: the pointer in a class
  /// that is nothing but that pointer.
  ObjectType wrappedPointer(const ObjectType &Type, unsigned Depth = 0);

  /// Also in base classes and in anonymous members. Fails when there is none,
  /// or the offset depends on the object (virtual bases).
  llvm::Expected<FieldPlace> field(const ObjectType &Type,
                                   llvm::StringRef Name);

private:
  struct File {
    ModuleFile Binary;
    std::unique_ptr<llvm::DWARFContext> Context;
    /// Compile units, with those of .dwo files in the place of their
    /// skeletons.
    std::vector<llvm::DWARFUnit *> Units;
  };
  File &fileOf(const process::Module &M);
  ObjectType complete(ObjectType Type);
  std::optional<FieldPlace> search(const ObjectType &Type, llvm::StringRef Name,
                                   unsigned Depth, llvm::StringRef &Problem);

  const process::ModuleMap &Modules;
  input::UnitGuard Guard;
  std::map<std::string, File> Files;
};

} // namespace linesman::watch

#endif // LINESMAN_LIB_WATCH_PROCESSTYPES_H
