// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file of a module, or its debug file where the module was stripped.

#ifndef LINESMAN_LIB_WATCH_MODULEFILE_H
#define LINESMAN_LIB_WATCH_MODULEFILE_H

#include "llvm/Object/ELFObjectFile.h"

namespace linesman::watch {

using ModuleFile = llvm::object::OwningBinary<llvm::object::ObjectFile>;

/// Whether a file has what is looked for.
using HasPart =
    llvm::function_ref<bool(const llvm::object::ELFObjectFileBase &)>;

bool hasSymbolTable(const llvm::object::ELFObjectFileBase &File);
bool hasDebugInfo(const llvm::object::ELFObjectFileBase &File);

/// Opens \p Path, or its debug file where only that one has the part. Fails
/// where \p Path can not be read or is no ELF file.
llvm::Expected<ModuleFile> openModule(llvm::StringRef Path, HasPart Has);

} // namespace linesman::watch

#endif // LINESMAN_LIB_WATCH_MODULEFILE_H
