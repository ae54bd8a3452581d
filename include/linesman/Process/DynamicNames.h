// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a file and its libraries are called to the loader.

#ifndef LINESMAN_PROCESS_DYNAMICNAMES_H
#define LINESMAN_PROCESS_DYNAMICNAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace linesman::process {

struct DynamicNames {
  /// Its own, as "libx.so.1"; empty for most programs.
  std::string Soname;
  /// Those of the libraries that it asks for, in order.
  std::vector<std::string> Needed;
};

/// Of the bytes of a file; empty for what is no ELF file, or is damaged.
DynamicNames readDynamicNames(llvm::StringRef Bytes);

/// Of the file \p Path; empty where it can not be read.
DynamicNames readDynamicNamesOfFile(llvm::StringRef Path);

} // namespace linesman::process

#endif // LINESMAN_PROCESS_DYNAMICNAMES_H
