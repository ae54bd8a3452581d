// Part of Linesman, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the Linux kernel says by the names of sections and members: its image is
// no program, and nothing else tells who has what in it. Names that other
// software has as well are no part of this.
//
//     .data..percpu...            DEFINE_PER_CPU: a copy for each processor
//     .data..ro_after_init        __ro_after_init: in pages that are read-only
//                                 when the kernel has started; in an image they
//                                 are in .rodata
//     __start_once, __end_once    between them, in an image: flags that are set
//                                 once
//     .init.data, .init.text      __initdata, __init: given back after start
//     .exit.data, .exit.text      __exit: what is built in never ends
//     __cacheline_group_begin__X  members of no bytes: what is between them is
//     __cacheline_group_end__X    meant to be on lines together

#ifndef LINESMAN_FACTS_KERNELNAMES_H
#define LINESMAN_FACTS_KERNELNAMES_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace linesman::facts {

inline constexpr llvm::StringLiteral KernelPerCpu = ".data..percpu";
inline constexpr llvm::StringLiteral KernelReadOnly = ".data..ro_after_init";

inline constexpr llvm::StringLiteral OnceBegin = "__start_once";
inline constexpr llvm::StringLiteral OnceEnd = "__end_once";

/// Whether what is in a section is only there, or only run, while the kernel
/// starts.
inline bool isKernelStartUp(llvm::StringRef Section) {
  static constexpr llvm::StringLiteral Names[] = {".init.", ".exit."};
  return llvm::any_of(
      Names, [&](llvm::StringRef N) { return Section.starts_with(N); });
}

/// The output section of these names, where objects have parts of it; empty for
/// other names.
inline llvm::StringRef kernelOutput(llvm::StringRef Section) {
  for (llvm::StringRef Name : {KernelPerCpu, KernelReadOnly})
    if (Section.starts_with(Name))
      return Name;
  return isKernelStartUp(Section) ? Section : "";
}

/// Code that only kernels have.
inline constexpr llvm::StringLiteral KernelStartUpCode = ".init.text";

inline constexpr llvm::StringLiteral GroupBegin = "__cacheline_group_begin__";
inline constexpr llvm::StringLiteral GroupEnd = "__cacheline_group_end__";
/// Behind a group that is aligned.
inline constexpr llvm::StringLiteral GroupPad = "__cacheline_group_pad__";

/// Whether the name of a group says that its members are mostly read:
/// tcp_sock_read_rx, net_device_read_txrx, read_mostly.
inline bool isReadGroup(llvm::StringRef Name) {
  for (llvm::StringRef Rest = Name; !Rest.empty();) {
    auto [Word, Next] = Rest.split('_');
    if (Word == "read" || Word == "ro")
      return true;
    Rest = Next;
  }
  return false;
}

} // namespace linesman::facts

#endif // LINESMAN_FACTS_KERNELNAMES_H
