# Prefixes of x86 stand in any order: a lock is one behind a size as well.
# REQUIRES: lld
# RUN: llvm-mc -triple=x86_64 -filetype=obj %s -o %t.o && ld.lld %t.o -e f -o %t
# RUN: linesman layout --all %t | FileCheck %s

# CHECK-DAG: locked_first 2 (atomics 1)
# CHECK-DAG: sized_first 2 (atomics 1)
# CHECK-DAG: words 64 (writes 1)
# CHECK-DAG: behind_words 8 (writes 1)
  .globl f
  .type f, @function
f:
  .byte 0xf0, 0x66, 0xff, 0x05 # lock incw locked_first(%rip)
  .long locked_first - . - 4
  .byte 0x66, 0xf0, 0xff, 0x05
  .long sized_first - . - 4
  lea words(%rip), %rdi
  mov $32, %ecx
  rep stosw
  movq $0, behind_words(%rip)
  ret
  .size f, . - f

  .macro object name, size
  .p2align 6
  .type \name, @object
  .size \name, \size
\name: .zero \size
  .endm
  .bss
  object locked_first, 2
  object sized_first, 2
  object words, 64
  object behind_words, 8
