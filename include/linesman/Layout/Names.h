// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of objects for people: demangled, and with their file where several
// objects have the same name.

#ifndef LINESMAN_LAYOUT_NAMES_H
#define LINESMAN_LAYOUT_NAMES_H

#include "linesman/Layout/Image.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

namespace linesman::layout {

/// Whether \p Section is an identifier of C: linkers define __start_ and
/// __stop_ symbols for those, so a program may walk over its objects.
bool isWalkable(llvm::StringRef Section);

/// An object as people name it where others have its name.
struct FileAndName {
  llvm::StringRef File, Name;
};

/// The ways to read "file:name": at each colon that is not part of "::".
llvm::SmallVector<FileAndName, 1> splitFile(llvm::StringRef Text);

class ObjectNames {
public:
  explicit ObjectNames(const Image &Program) : Program(Program) {}

  /// "store::Node<int>::nil_root", or "file.cpp:counter" where several objects
  /// have that name. The identity of an object in findings and plans.
  std::string id(uint32_t Symbol);

private:
  const Image &Program;
  /// How many symbols have a name, without a unit's hash, and how many of them
  /// have no file of the source.
  struct BearerCount {
    unsigned All = 0, WithoutFile = 0;
  };
  /// Filled when it is first needed: most reports name few local symbols, and
  /// the table touches every name.
  std::optional<llvm::StringMap<BearerCount>> Bearers;

  bool isAmbiguous(const Symbol &S);
  bool hasFile(const Symbol &S) const;
  BearerCount countBearers(llvm::StringRef Name);
};

} // namespace linesman::layout

#endif // LINESMAN_LAYOUT_NAMES_H
