// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef LINESMAN_GUARD_DYNAMIC_H
#define LINESMAN_GUARD_DYNAMIC_H

#include "llvm/Object/ELF.h"

namespace linesman::guard {

/// The dynamic entries of \p File; none of a static program. LLVM's reader
/// believes the size that the segment says; here it has to be in the file.
llvm::Expected<llvm::object::ELF64LE::DynRange>
readDynamic(const llvm::object::ELFFile<llvm::object::ELF64LE> &File);

} // namespace linesman::guard

#endif // LINESMAN_GUARD_DYNAMIC_H
