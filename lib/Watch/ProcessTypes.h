// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types in the debug information of a process's modules, as far as finding an
// object needs them: of a variable, of a field, of what a pointer points to.

#ifndef LINESMAN_LIB_WATCH_PROCESSTYPES_H
#define LINESMAN_LIB_WATCH_PROCESSTYPES_H

#include "linesman/Watch/Modules.h"
#include "llvm/DebugInfo/DWARF/DWARFContext.h"
#include "llvm/Object/ObjectFile.h"
#include <map>
#include <memory>
#include <string>

namespace linesman::watch {

/// A type without typedefs and qualifiers. An array of several dimensions
/// loses one with each index.
struct ObjectType {
  llvm::DWARFDie Die;
  unsigned Indexed = 0;

  explicit operator bool() const { return Die.isValid(); }
};

struct FieldPlace {
  uint64_t Offset = 0;
  ObjectType Type;
};

class ProcessTypes {
public:
  explicit ProcessTypes(const ModuleMap &Modules) : Modules(Modules) {}

  /// The type of the variable at \p Address; none when its unit has no debug
  /// information.
  ObjectType typeOfVariable(const Module &M, LinkAddress Address);

  /// The class, structure or union (or a typedef of one) with this qualified
  /// name; none when nobody defines it.
  ObjectType find(llvm::StringRef Name);

  /// Debug information mentions a variable of this name that has no place.
  bool isOptimisedOut(llvm::StringRef Name);

  /// "int *", "ns::T"; "void" for none.
  std::string name(const ObjectType &Type) const;

  /// Bytes; 0 where that is not known.
  uint64_t size(const ObjectType &Type) const;

  /// What a pointer or reference points to, none for void; nullopt for all
  /// other types.
  std::optional<ObjectType> pointee(const ObjectType &Type) const;

  static bool isReference(const ObjectType &Type);

  /// std::atomic<T *>, std::unique_ptr<T> and the like: the pointer in a class
  /// that is nothing but that pointer.
  ObjectType wrappedPointer(const ObjectType &Type);

  /// Also in base classes and in anonymous members. Fails when there is none,
  /// or the offset depends on the object (virtual bases).
  llvm::Expected<FieldPlace> field(const ObjectType &Type,
                                   llvm::StringRef Name);

  static bool isArray(const ObjectType &Type);
  ObjectType element(const ObjectType &Array) const;
  /// The number of elements, where the type says it.
  std::optional<uint64_t> elements(const ObjectType &Array) const;

private:
  struct File {
    llvm::object::OwningBinary<llvm::object::ObjectFile> Binary;
    std::unique_ptr<llvm::DWARFContext> Context;
    /// Compile units, with those of .dwo files in the place of their
    /// skeletons.
    std::vector<llvm::DWARFUnit *> Units;
  };
  File &fileOf(const Module &M);
  ObjectType complete(ObjectType Type);
  std::optional<FieldPlace> search(const ObjectType &Type, llvm::StringRef Name,
                                   unsigned Depth, llvm::StringRef &Problem);

  const ModuleMap &Modules;
  std::map<std::string, File> Files;
};

} // namespace linesman::watch

#endif // LINESMAN_LIB_WATCH_PROCESSTYPES_H
