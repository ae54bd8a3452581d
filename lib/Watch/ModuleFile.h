// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file of a module, or its debug file where the module was stripped.

#ifndef LINESMAN_LIB_WATCH_MODULEFILE_H
#define LINESMAN_LIB_WATCH_MODULEFILE_H

#include "linesman/Process/Modules.h"
#include "llvm/Object/ELFObjectFile.h"

namespace linesman::watch {

/// The bytes are a debug file's, or null: then they are the module's.
using ModuleFile = llvm::object::OwningBinary<llvm::object::ObjectFile>;

/// Whether a file has what is looked for.
using HasPart =
    llvm::function_ref<bool(const llvm::object::ELFObjectFileBase &)>;

bool hasSymbolTable(const llvm::object::ELFObjectFileBase &File);
bool hasDebugInfo(const llvm::object::ELFObjectFileBase &File);

/// The file of \p M, or its debug file where only that one has the part. Points
/// into \p M. Fails where that one is no ELF file.
llvm::Expected<ModuleFile> openModule(const process::Module &M, HasPart Has);

} // namespace linesman::watch

#endif // LINESMAN_LIB_WATCH_MODULEFILE_H
