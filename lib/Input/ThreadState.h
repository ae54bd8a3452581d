// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libstdc++ hands a thread an object of a class of its own, derived from
// std::thread::_State. The thread calls what is third in its vtable, behind two
// destructors, which call that of _State.

#ifndef LINESMAN_LIB_INPUT_THREADSTATE_H
#define LINESMAN_LIB_INPUT_THREADSTATE_H

#include "MachineStep.h"

namespace linesman::input {

/// What a thread runs that is handed an object with the vtable at \p Table;
/// nothing where that is no such vtable.
std::optional<uint64_t>
runOfThreadState(uint64_t Table, const Architecture &Arch, const CodeMap &Map);

} // namespace linesman::input

#endif // LINESMAN_LIB_INPUT_THREADSTATE_H
