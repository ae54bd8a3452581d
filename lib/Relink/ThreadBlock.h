// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Thread-local data as an image.

#ifndef LINESMAN_LIB_RELINK_THREADBLOCK_H
#define LINESMAN_LIB_RELINK_THREADBLOCK_H

#include "linesman/Layout/Image.h"
#include "llvm/Support/Error.h"

namespace linesman::relink {

/// The block of thread-local data that each thread gets of the linked file
/// \p Bytes, which must outlive the result. Offsets in the block are not
/// addresses, but where they are on their lines is known: the image stands at
/// addresses of the same phase. Empty where the file has no such data.
llvm::Expected<layout::Image> readThreadBlock(llvm::StringRef Bytes);

} // namespace linesman::relink

#endif // LINESMAN_LIB_RELINK_THREADBLOCK_H
