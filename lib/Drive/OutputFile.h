// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file without a name, for what a command prints.

#ifndef LINESMAN_LIB_DRIVE_OUTPUTFILE_H
#define LINESMAN_LIB_DRIVE_OUTPUTFILE_H

#include "linesman/Process/Descriptor.h"
#include <string>

namespace linesman::drive {

/// Commands that are started do not have it but where it is theirs.
llvm::Expected<process::Descriptor> makeOutputFile();

/// From the beginning, wherever who writes is.
std::string readAll(const process::Descriptor &File);

} // namespace linesman::drive

#endif // LINESMAN_LIB_DRIVE_OUTPUTFILE_H
